"""The page of a variant says how sure its standings are, and its data can be read by programs."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from leaderboard.queries.leaderboards import head_to_head, leaderboard, verdict
from leaderboard.queries.rating_histories import past_ratings
from leaderboard.store import Store
from leaderboard.strength.words import strength_text
from tests.builders.leagues import NAMES, league_with_byes, play_another_event
from tests.pages.site.sites import build_site, texts_of

PAGE = "variants/meow-standard.html"


@pytest.fixture(scope="module")
def league_and_site(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a league of three events and its site, for reading only."""
    folder = tmp_path_factory.mktemp("variant")
    db = league_with_byes(folder)
    play_another_event(db)
    build_site(db, folder / "site")
    return db, folder / "site"


def test_the_page_ranks_by_strength_and_says_whether_each_is_better_than_the_next(
    league_and_site: tuple[Path, Path],
) -> None:
    db, site = league_and_site
    page = texts_of(site)[PAGE]
    with Store.open(db) as store:
        lines = sorted(leaderboard(store), key=lambda line: line.strength_rank or 99)
    positions = []
    for line in lines:
        text = strength_text(line.strength, line.strength_low, line.strength_high)
        cell = f'<td class="n strong">{text}</td>'
        positions.append(page.index(cell))
        if line.chance_next is not None:
            shown = f"{verdict(line.chance_next)} <small>{line.chance_next * 100:.0f} %</small>"
            assert shown in page
    assert positions == sorted(positions)
    assert "It is open who is the strongest: " in page
    assert 'href="../events/cup.html"' in page


@pytest.mark.parametrize(
    ("chance", "word"), [(1.0, "yes"), (0.95, "yes"), (0.9, "probably"), (0.79, "open")]
)
def test_a_chance_is_put_into_a_word(chance: float, word: str) -> None:
    assert verdict(chance) == word


def test_data_beside_the_page_are_those_of_the_league(league_and_site: tuple[Path, Path]) -> None:
    db, site = league_and_site
    with Store.open(db) as store:
        lines = {line.bot: line for line in leaderboard(store)}
        met = {(row.bot, row.opponent): row.result for row in head_to_head(store)}
    document = json.loads((site / "variants/meow-standard.json").read_text("utf-8"))
    for row in document["standings"]:
        line = lines[row["bot"]]._asdict()
        assert {key: line[key] for key in row} == row
    with (site / "variants/meow-standard.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["bot"] for row in rows] == [row["bot"] for row in document["standings"]]
    assert [int(row["wins"]) for row in rows] == [lines[row["bot"]].wins for row in rows]
    with (site / "variants/meow-standard-head-to-head.csv").open(encoding="utf-8") as file:
        pairs = {(row["bot"], row["opponent"]): row for row in csv.DictReader(file)}
    assert {pair: int(row["ahead"]) for pair, row in pairs.items()} == {
        pair: result.ahead for pair, result in met.items()
    }
    assert len(document["head_to_head"]) == len(pairs)
    seats = {(effect["seats"], effect["seat"]): effect["matches"] for effect in document["seats"]}
    assert seats[3, 0] == seats[3, 1] == seats[3, 2] == 20


def test_earlier_ratings_are_those_before_the_first_match_of_each_event(
    league_and_site: tuple[Path, Path],
) -> None:
    with Store.open(league_and_site[0]) as store:
        past = past_ratings(store, 5)
        assert [each.event for each in past] == ["more", "open", "cup"]
        assert past[-1].scores == {}
        for each in past:
            (first,) = store.row(
                "SELECT min(rating_order) FROM matches JOIN events ON events.id = event "
                "WHERE name = ?",
                [each.event],
            ) or (0,)
            # Every row of the history before it, the last one of each version last.
            rows = store.rows(
                "SELECT version, mu - 3 * sigma FROM rating_history AS history "
                "JOIN matches ON matches.id = history.match WHERE rating_order < ? "
                "ORDER BY history.number",
                [first],
            )
            assert each.scores == dict(rows)
        assert past_ratings(store, 1) == past[:1]


def test_movement_is_shown_since_the_last_event(league_and_site: tuple[Path, Path]) -> None:
    db, site = league_and_site
    page = texts_of(site)[PAGE]
    with Store.open(db) as store:
        before = past_ratings(store, 1)[0].scores
        lines = leaderboard(store)
    moved = {
        line.bot: round(round(line.score, 2) - round(before[line.version_id], 2), 2)
        for line in lines
    }
    # Two bots played the last event.
    assert sorted(name for name in NAMES if moved[name]) == ["ann", "ben"]
    for change in filter(None, moved.values()):
        assert f">{'↑' if change > 0 else '↓'}{abs(change):.2f}</td>" in page
    assert "<option>more (2026-01-02)</option><option>open (2026-01-02)</option>" in page
