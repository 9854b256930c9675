"""The commands `arena bots`, `bots show` and `bots retire`."""

from __future__ import annotations

import csv
from pathlib import Path

import pyte
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.submission.lookup import house_bots
from arena.tournament.spec import Kind, Spec
from tests.builders.bots import bot_folder
from tests.builders.leagues import (
    NAMES,
    FakeWorkers,
    enter,
    league_with_stopped_event,
    open_league,
    play_event,
    submit_folders,
    submit_named,
)
from tests.cli.runner import arena_on, json_on, printed, refused

TITLE = "小さな猫 é"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Make a league."""
    return league_with_stopped_event(tmp_path)


def test_house_bots_are_listed_without_a_league(tmp_path: Path) -> None:
    result = printed(arena_on(tmp_path / "none.db", "bots"))
    assert {line.split()[0] for line in result.splitlines()[1:]} == set(house_bots())
    assert not (tmp_path / "none.db").exists()


def test_submitted_bots_and_house_bots_are_listed_in_three_formats(db: Path) -> None:
    rows = json_on(db, "bots")
    assert {row["bot"] for row in rows} == {*NAMES, *house_bots()}
    lines = list(csv.DictReader(arena_on(db, "bots", "--csv").stdout.splitlines()))
    assert [line["bot"] for line in lines] == [row["bot"] for row in rows]
    assert [line.split()[0] for line in arena_on(db, "bots").stdout.splitlines()] == [
        "bot",
        *(f"{row['bot']}@1" if row["bot"] in NAMES else row["bot"] for row in rows),
    ]


@pytest.fixture(scope="module")
def titled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league in which one bot has a title."""
    folder = tmp_path_factory.mktemp("titled")
    with open_league(folder, NAMES[1:]) as writer:
        submit_named(writer, folder, "ann", f'title = "{TITLE}"\n')
        enter(writer, Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=NAMES, seats=3, seed=0))
        play_event(writer, "cup", FakeWorkers())
    return folder / "arena.db"


@pytest.mark.parametrize("words", ["leaderboard", "event show cup", "bots", "bots show ann"])
def test_the_title_of_a_bot_stands_beside_its_name(titled: Path, words: str) -> None:
    assert f"ann@1 {TITLE}" in arena_on(titled, *words.split()).stdout
    assert arena_on(titled, *words.split()).stdout.count(TITLE) < 4


def test_a_title_moves_no_column_on_a_terminal(titled: Path) -> None:
    screen = pyte.Screen(120, 20)
    pyte.Stream(screen).feed(arena_on(titled, "leaderboard").stdout.replace("\n", "\r\n"))
    lines = [screen.buffer[row] for row in range(1, 7)]
    edges = [max(at for at in range(120) if line[at].data.strip()) for line in lines]
    assert len(set(edges)) == 1
    assert edges[0] > 60


def test_programs_get_the_title_too(titled: Path) -> None:
    wanted = {name: TITLE if name == "ann" else None for name in NAMES}
    for rows in (
        json_on(titled, "leaderboard"),
        json_on(titled, "event", "show", "cup")["standings"],
    ):
        assert {row["bot"]: row["title"] for row in rows} == wanted


def test_a_bot_is_shown_with_its_versions_its_record_and_its_faults(db: Path) -> None:
    versions, record, used, faults = arena_on(db, "bots", "show", "cat").stdout.split("\n\n")
    assert versions.splitlines()[1].split()[:3] == ["cat@1", "trio", "meow"]
    assert {line.split()[1] for line in record.splitlines()[1:]} == {"trio", "meow"}
    assert {line.split()[1] for line in used.splitlines()[1:]} == {"trio", "meow"}
    assert faults.splitlines()[1].split()[:3] == ["cat@1", "meow", "crashed"]
    (document,) = json_on(db, "bots", "show", "cat")
    assert document["faults"][0]["last_sentence"] == "it crashed"
    assert "no such bot: 'cta'" in arena_on(db, "bots", "show", "cta").stderr


def test_the_author_of_a_bot_is_shown_if_its_manifest_names_one(db: Path, tmp_path: Path) -> None:
    assert "author" not in arena_on(db, "bots").stdout
    folder = bot_folder(tmp_path, "kitten")
    manifest = folder / "bot.toml"
    manifest.write_text(f'author = "Ann Example"\n{manifest.read_text()}', encoding="utf-8")
    submit_folders(db, folder)
    assert "Ann Example" in arena_on(db, "bots", "show", "kitten").stdout
    rows = json_on(db, "bots")
    assert {row["bot"]: row["author"] for row in rows if row["author"]} == {"kitten": "Ann Example"}


def test_a_house_bot_that_has_not_played_has_nothing_to_show(db: Path) -> None:
    for words in (("show", "greedy-meow"), ("retire", "greedy-meow"), ("retire", "greedy-meow@1")):
        result = refused(arena_on(db, "bots", *words))
        assert "greedy-meow is a house bot that has not played in this league yet" in result


def test_a_retired_bot_leaves_the_leaderboard_and_nothing_else(db: Path) -> None:
    assert arena_on(db, "bots", "retire", "ann").stdout == (
        "retired ann@1; `arena bots return ann` brings it back\n"
    )
    again = arena_on(db, "bots", "retire", "ann")
    assert again.stdout == "ann was already retired\n"
    rows = json_on(db, "leaderboard")
    assert "ann" not in {row["bot"] for row in rows}
    standings = json_on(db, "event", "show", "cup")["standings"]
    assert "ann" in {row["bot"] for row in standings}
    assert arena_on(db, "verify").exit_code == 0


def test_a_retired_bot_returns_with_the_ranks_and_ratings_it_had(db: Path) -> None:
    before = json_on(db, "leaderboard")
    arena_on(db, "bots", "retire", "ann")
    assert arena_on(db, "bots", "return", "ann").stdout == "returned ann@1\n"
    assert arena_on(db, "bots", "return", "ann@1").stdout == "ann@1 is not retired\n"
    assert json_on(db, "leaderboard") == before
    assert arena_on(db, "verify").exit_code == 0


def test_a_house_bot_is_not_retired_by_accident(db: Path) -> None:
    submit_folders(db, house_bots()["first"])
    answer = refused(arena_on(db, "bots", "retire", "first"))
    assert "first is a house bot: retire first from this league? Add --yes" in answer
    retired = arena_on(db, "bots", "retire", "first", "--yes")
    assert retired.stdout.startswith("retired first@1; ")


def test_a_list_has_one_format_at_a_time(db: Path) -> None:
    for words in (("bots",), ("leaderboard",), ("event", "show", "cup")):
        result = refused(arena_on(db, *words, "--csv", "--json"))
        assert "either --json or --csv, not both" in result
    before = refused(arena_on(db, "bots", "--json", "show", "ann"))
    assert "put --json or --csv after `bots show`" in before


def test_the_league_may_be_named_before_the_subcommand(db: Path) -> None:
    words = ["bots", "--db", str(db), "show", "ann"]
    assert CliRunner().invoke(main, words).stdout == arena_on(db, "bots", "show", "ann").stdout
    environment = {"ARENA_DB": "elsewhere.db"}
    assert CliRunner().invoke(main, words, env=environment).exit_code == 0
