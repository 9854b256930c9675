"""Can events be held and looked at, and is every mistake met with a sentence?"""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cages import cage
from tests.cli.leagues import NAMES, arena, small_league
from tests.events.folders import HONEST, bot_folder
from tests.events.leagues import league

EVIL = "ev\x1b[2Jil"
CAGE = ("--cage", cage().name)
SHORT = ("--clock", "cpu:1+0.001")
"""A searching bot among all would take what time it gets."""


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Make a league with two events."""
    return small_league(tmp_path)


def in_rows(text: str) -> list[dict[str, str]]:
    """Read comma-separated values."""
    return list(csv.DictReader(text.splitlines()))


def test_house_bots_play_an_event_without_being_submitted(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    words = ("--game", "meow", "--bots", "random,first", "--seats", "2", "--name", "cup", "-q")
    result = arena(db, "event", "run", "round-robin", *words, *CAGE)
    assert result.exit_code == 0, result.output
    title, deals, headings, *rest = result.stdout.splitlines()
    assert title == (
        "cup: round-robin, meow standard, tables of up to 2, clock cpu:10+0.1, finished"
    )
    assert deals.startswith("deals from secret ")
    assert headings.split()[:4] == ["rank", "bot", "version", "points"]
    assert {line.split()[1] for line in rest[:2]} == {"random", "first"}
    assert arena(db, "verify").exit_code == 0


def test_a_file_says_what_is_played_and_options_count_before_it(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'kind = "round-robin"\ngame = "meow"\nbots = ["random", "first"]\nseats = 2\n'
        'name = "cup"\nseed = 4\n\n[limits]\nmemory_mib = 300\nfiles = 64\n',
        encoding="utf-8",
    )
    db = tmp_path / "arena.db"
    options = ("--seed", "9", "--name", "final", "--limit", "files=128", "-q")
    assert arena(db, "event", "run", str(file), *options, *CAGE).exit_code == 0
    spec = json.loads(arena(db, "event", "show", "final", "--json").stdout)["spec"]
    assert (spec["seed"], spec["name"], spec["game"]) == (9, "final", "meow")
    assert spec["limits"] == {"memory_mib": 300, "files": 128}


def test_an_event_without_a_name_is_given_one(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    for _ in range(2):
        words = ("--game", "meow", "--bots", "random,first", "--seats", "2", "-q", *CAGE)
        assert arena(db, "event", "run", "swiss", *words).exit_code == 0
    names = [row["name"] for row in in_rows(arena(db, "event", "list", "--csv").stdout)]
    assert names == ["meow-swiss-1", "meow-swiss-2"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["knockout"], "'knockout' is neither a kind of event nor a file: there are round-robin,"),
        (["swis", "--game", "meow"], "did you mean swiss?"),
        (["x" * 5000], "is neither a kind of event nor a file"),
        (["swiss", "--game", "meow", "--bots", " , "], "' , ' names nobody"),
        (["missing.toml"], "missing.toml cannot be read: No such file or directory"),
        (["swiss", "--all"], "which game? Name it with --game"),
        (["swiss", "--game", "meow"], "who plays? Name them with --bots, or take --all"),
        (["swiss", "--game", "meow", "--all", "--bots", "ann"], "either --bots or --all, not both"),
        (["swiss", "--game", "chess", "--all"], "no game is called 'chess'"),
        (["swiss", "--game", "meow", "--bots", "ann,zed,ben"], "no bot is called 'zed': there are"),
        (["swiss", "--game", "meow", "--bots", "ann,benn"], "did you mean ben?"),
        (["swiss", "--game", "meow", "--bots", "ann,ben,ann@2"], "ann has no version '2': there a"),
        (["swiss", "--game", "jackal", "--bots", "ann,ben"], "ann does not play jackal: only trio"),
        (
            ["swiss", "--game", "meow", "--bots", "ann"],
            "too few bots for meow at tables of 4 (ann): submit more",
        ),
        (
            ["swiss", "--game", "meow", "--bots", "ann,ben"],
            "too few bots for meow at tables of 4 (ann, ben): submit more, or take --seats 2",
        ),
        (
            ["swiss", "--game", "trio", "--bots", "ann,ben"],
            "too few bots for trio at tables of 4 (ann, ben): submit more",
        ),
        (
            ["round-robin", "--game", "trio", "--variant", "spicy-teams", "--bots", "ann,ben,cat"],
            "too few bots for trio at tables of 4 (ann, ben, cat): submit more",
        ),
        (["swiss", "--game", "meow", "--bots", "ann,ann,ben,cat"], "ann@1 is named twice: nobody"),
        (["swiss", "--game", "meow", "--bots", "ann,ann@1,ben"], "ann@1 is named twice: nobody"),
        (
            ["swiss", "--game", "trio", "--bots", "ann,ben,cat", "--seats", "2"],
            "trio cannot seat 2",
        ),
        (["swiss", "--game", "meow", "--all", "--deals", "0"], "deals is 0: it must be from 1"),
        (["swiss", "--game", "meow", "--all", "--matches", "9"], "is limited by its rounds"),
        (["swiss", "--game", "meow", "--all", "--clock", "soon"], "'soon' is not BANK+INC"),
        (["swiss", "--game", "meow", "--all", "--seed", "-1"], "-1 is not in the range x>=0"),
        (["swiss", "--game", "meow", "--all", "--limit", "files"], "'files' is not NAME=NUMBER"),
        (
            ["swiss", "--game", "meow", "--all", "--name", EVIL],
            r"name is 'ev\x1b[2Jil': it must be",
        ),
        (
            ["swiss", "--game", "meow", "--all", "--name", "cup", "--seats", "3"],
            "there is an event 'cup' already: choose another name",
        ),
    ],
)
def test_an_event_that_cannot_be_held_is_refused_with_a_sentence(
    db: Path, words: list[str], sentence: str
) -> None:
    before = arena(db, "event", "list", "--json").stdout
    result = arena(db, "event", "run", *words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "\x1b" not in result.output
    assert arena(db, "event", "list", "--json").stdout == before


def test_all_of_nobody_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.house._HOUSE", tmp_path / "nowhere")
    result = arena(tmp_path / "arena.db", "event", "run", "swiss", "--game", "meow", "--all")
    assert result.exit_code == 2
    assert "too few bots for meow at tables of 4 (none): submit more\n" in result.stderr


def test_a_retired_bot_is_not_among_all(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    words = ("--game", "meow", "--seats", "2", "-q", *SHORT, *CAGE)
    assert arena(db, "event", "run", "swiss", "--bots", "random,first", *words).exit_code == 0
    assert arena(db, "bots", "retire", "first").exit_code == 0
    assert arena(db, "event", "run", "swiss", "--all", "--name", "cup", *words).exit_code == 0
    rows = in_rows(arena(db, "event", "show", "cup", "--csv").stdout)
    assert "random" in {row["bot"] for row in rows}
    assert "first" not in {row["bot"] for row in rows}
    refused = arena(db, "event", "run", "swiss", "--bots", "random,first", *words)
    assert refused.exit_code == 2
    assert "first is retired: its versions play if asked for, there are first@1" in refused.stderr


def test_events_are_listed_in_three_ways(db: Path) -> None:
    headings, *lines = arena(db, "event", "list").stdout.splitlines()
    assert headings.split()[:3] == ["name", "kind", "game"]
    assert [line.split()[0] for line in lines] == ["cup", "open"]
    assert "interrupted" in lines[1]
    as_json = json.loads(arena(db, "event", "list", "--json").stdout)
    as_csv = in_rows(arena(db, "event", "list", "--csv").stdout)
    assert [row["name"] for row in as_json] == [row["name"] for row in as_csv] == ["cup", "open"]


def test_an_event_is_shown_with_standings_crosstable_suspensions_and_faults(db: Path) -> None:
    result = arena(db, "event", "show", "cup")
    assert result.exit_code == 0
    standings, crosstable, suspended, faults = result.stdout.split("\n\n")
    assert len(standings.splitlines()) == 3 + len(NAMES)
    assert [line.split()[0] for line in crosstable.splitlines()] == ["%", *"12345"]
    assert suspended.startswith("cat@1: suspended after faults in ")
    assert faults.splitlines()[1].split()[:3] == ["cat", "1", "crashed"]


def test_an_event_is_shown_to_programs(db: Path) -> None:
    document = json.loads(arena(db, "event", "show", "cup", "--json").stdout)
    assert [row["rank"] for row in document["standings"]] == sorted(
        row["rank"] for row in document["standings"]
    )
    assert document["suspended"]["cat@1"].startswith("suspended after faults in ")
    assert {fault["bot"] for fault in document["faults"]} == {"cat"}
    shares = {(row["bot"], row["opponent"]): row["share"] for row in document["crosstable"]}
    assert all(share + shares[two, one] == pytest.approx(1) for (one, two), share in shares.items())
    rows = in_rows(arena(db, "event", "show", "cup", "--csv").stdout)
    assert [row["bot"] for row in rows] == [row["bot"] for row in document["standings"]]


def test_standings_do_not_change_with_what_is_played_later(db: Path) -> None:
    before = arena(db, "event", "show", "cup", "--json").stdout
    words = ("--game", "meow", "--bots", "random,first", "--seats", "2", "-q", *CAGE)
    assert arena(db, "event", "run", "swiss", *words).exit_code == 0
    assert arena(db, "event", "show", "cup", "--json").stdout == before


def test_what_cannot_be_resumed_is_told(db: Path, tmp_path: Path) -> None:
    finished = arena(db, "event", "resume", "cup")
    assert finished.exit_code == 2
    assert "cup is finished: there is nothing to resume" in finished.stderr
    unknown = arena(db, "event", "resume", "cpu")
    assert "no event is called 'cpu': did you mean cup?" in unknown.stderr
    nowhere = arena(tmp_path / "none.db", "event", "resume")
    assert nowhere.exit_code == 2
    assert "there is no league at " in nowhere.stderr
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "new").mkdir()
    with league(tmp_path / "new", []):
        pass
    none = arena(tmp_path / "new" / "arena.db", "event", "resume")
    assert "no event was stopped: there is nothing to resume" in none.stderr


def test_names_that_were_written_into_the_file_never_reach_the_terminal_raw(db: Path) -> None:
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE events SET name = ? WHERE name = 'cup'", [EVIL])
        connection.execute("UPDATE bots SET name = ? WHERE name = 'ann'", [EVIL])
        connection.execute("UPDATE faults SET sentence = ?", [EVIL])
        connection.execute("UPDATE entrants SET suspended = ? WHERE number = 2", [EVIL])
    commands = [
        *(["event", "list"], ["event", "show", EVIL], ["event", "show", "open"], ["leaderboard"]),
        *(["leaderboard", "--head-to-head"], ["bots"], ["bots", "show", EVIL], ["verify"]),
        # These are not there, and the error says what is.
        *(["event", "show", "ev[2Jil"], ["bots", "show", "ev[2Jil"], ["event", "resume", "evil"]),
    ]
    for words in commands:
        for way in ([], ["--csv"], ["--json"]):
            result = arena(db, *words, *way)
            assert "\x1b" not in result.output, words


def test_an_own_bot_plays_beside_house_bots(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    folder = bot_folder(tmp_path, "honest", HONEST)
    assert arena(db, "submit", str(folder), *CAGE).exit_code == 0
    words = ("--game", "meow", "--all", "--seats", "4", "-q", *SHORT, *CAGE)
    result = arena(db, "event", "run", "round-robin", *words)
    assert result.exit_code == 0, result.output
    rows = in_rows(arena(db, "event", "show", "meow-round-robin-1", "--csv").stdout)
    assert {"honest", "random", "greedy-meow"} <= {row["bot"] for row in rows}
