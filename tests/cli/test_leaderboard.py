"""The command `arena leaderboard`: tables, JSON and CSV."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from arena.cli.terminal.columns import sparkline
from leaderboard.strength.words import strength_text
from tests.builders.leagues import NAMES, league_with_stopped_event
from tests.cli.runner import arena_on, json_on, printed, refused


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league; these tests only read it."""
    return league_with_stopped_event(tmp_path_factory.mktemp("league"))


def test_every_game_that_was_played_has_a_leaderboard(db: Path) -> None:
    meow, trio = arena_on(db, "leaderboard").stdout.split("\n\n")
    assert trio.startswith("trio, simple\n")
    title, headings, *lines = meow.splitlines()
    assert title == "meow, standard"
    words = ["rank", "bot", "rating", "strength", "ranks", ">", "next", "matches", "faults"]
    assert headings.split() == words
    assert all(len(line) <= 80 for line in (headings, *lines))
    assert sorted(line.split()[1] for line in lines) == [f"{name}@1" for name in NAMES]


def test_a_leaderboard_is_ordered_by_strength(db: Path) -> None:
    rows = json_on(db, "leaderboard", "meow")
    strengths = [row["strength"] for row in rows]
    assert strengths == sorted(strengths, reverse=True)
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    assert [row["strength_rank"] for row in rows] == [row["rank"] for row in rows]
    assert sum(row["chance_first"] for row in rows) == pytest.approx(1)
    assert rows[-1]["chance_next"] is None
    for row in rows:
        assert row["best_rank"] <= row["strength_rank"] <= row["worst_rank"]


def test_a_leaderboard_can_be_ordered_by_rating(db: Path) -> None:
    rows = json_on(db, "leaderboard", "meow", "--by", "rating")
    scores = [row["score"] for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))


def test_strengths_and_ranks_are_shown_with_their_intervals(db: Path) -> None:
    first = json_on(db, "leaderboard", "meow")[0]
    line = arena_on(db, "leaderboard", "meow").stdout.splitlines()[2]
    assert re.search(rf" {first['strength']:.1f} +├─*●─*┤ ", line)
    whole = arena_on(db, "leaderboard", "meow", "--all").stdout.splitlines()[2]
    ends = first["strength_low"], first["strength_high"]
    assert f" {strength_text(first['strength'], *ends)} " in whole
    best, worst = first["best_rank"], first["worst_rank"]
    assert f" {best}–{worst} " in line or (best == worst and f" {best} " in line)


def test_csv_shows_the_same_as_json(db: Path) -> None:
    rows = json_on(db, "leaderboard")
    lines = list(csv.DictReader(arena_on(db, "leaderboard", "--csv").stdout.splitlines()))
    assert [line["bot"] for line in lines] == [row["bot"] for row in rows]
    assert [float(line["mu"]) for line in lines] == [row["mu"] for row in rows]
    # A list has spaces between its values.
    assert [float(word) for word in lines[0]["history"].split()] == rows[0]["history"]


def test_a_leaderboard_can_be_limited_to_a_variant(db: Path) -> None:
    rows = json_on(db, "leaderboard", "--variant", "simple")
    assert {(row["game"], row["variant"]) for row in rows} == {("trio", "simple")}
    for words in (("--variant", "simpel"), ("meow", "--variant", "simple")):
        assert "no event has had the variant" in refused(arena_on(db, "leaderboard", *words))


def test_the_head_to_head_shares_of_two_bots_add_up_to_one(db: Path) -> None:
    rows = json_on(db, "leaderboard", "meow", "--head-to-head")
    shares = {(row["bot"], row["opponent"]): row["share"] for row in rows}
    assert shares
    assert all(share + shares[two, one] == pytest.approx(1) for (one, two), share in shares.items())
    _, headings, *lines = arena_on(db, "leaderboard", "meow", "--head-to-head").stdout.splitlines()
    assert headings.split() == ["%", "ahead", "of", *map(str, range(1, len(NAMES) + 1))]
    ranked = [f"{row['bot']}@1" for row in json_on(db, "leaderboard", "meow")]
    assert [line.split()[1] for line in lines[: len(NAMES)]] == ranked


def test_a_game_without_matches_suggests_running_an_event(db: Path) -> None:
    result = printed(arena_on(db, "leaderboard", "jackal"))
    assert result == "no matches of jackal yet: try `arena event run`\n"


@pytest.mark.parametrize(
    ("values", "expected"), [([], ""), ([3.0], "▁"), ([1.0, 1.0], "▁▁"), ([0.0, 7.0, 3.0], "▁█▄")]
)
def test_a_history_is_drawn_from_its_lowest_to_its_highest(
    values: list[float], expected: str
) -> None:
    assert sparkline(values) == expected
