"""Events are run and shown, and every mistake gets a clear message."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest

from arena.tournament.spec import Kind, Spec
from tests.builders.bots import HONEST, ROOT, bot_folder
from tests.builders.leagues import (
    NAMES,
    FakeWorkers,
    cat_crashes,
    enter,
    league_with_stopped_event,
    open_league,
    play_another_event,
    play_event,
    submit_folders,
)
from tests.cages import cage
from tests.cli.runner import arena_on, json_on, printed, refused

EVIL = "ev\x1b[2Jil"
CAGE = ("--cage", cage().name, "--jobs", "1")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Make a league with two events."""
    return league_with_stopped_event(tmp_path)


def read_csv(text: str) -> list[dict[str, str]]:
    """Read comma-separated values."""
    return list(csv.DictReader(text.splitlines()))


def test_house_bots_play_with_a_submitted_bot_without_being_submitted(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    submit_folders(db, bot_folder(tmp_path, "honest", HONEST))
    words = ("--game", "meow", "--bots", "random,honest", "--seats", "2", "--name", "cup", "-q")
    result = printed(arena_on(db, "event", "run", "round-robin", *words, *CAGE))
    title, headings, *rest = result.splitlines()
    kind = "cup: round-robin, meow standard"
    sealed = "sealed deals" if cage().seals else "secret deals, not sealed"
    assert title == f"{kind}, 2 matches at tables of 2, clock cpu:10+0.1, finished, {sealed}"
    assert re.search("^deals from secret [0-9a-f]{64}$", result, re.MULTILINE)
    assert headings.split()[:3] == ["rank", "bot", "points"]
    assert {line.split()[1] for line in rest[:2]} == {"random@1", "honest@1"}
    assert arena_on(db, "verify").exit_code == 0


def test_an_event_has_its_true_tables_and_its_forfeits_are_no_matches(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    bots = (*NAMES, "fay", "gus", "hal", "ian")
    with open_league(tmp_path, bots) as writer:
        enter(writer, Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=bots, matches=60, seed=0))
        play_event(writer, "cup", FakeWorkers(cat_crashes))
    title, forfeits, headings, *_ = arena_on(db, "event", "show", "cup").stdout.splitlines()
    assert "39 matches at tables of 4 (19) and 5 (20)" in title
    assert forfeits == "24 of 63 matches were forfeited by suspended bots, and not played"
    assert " played  forfeited " in headings
    document = json_on(db, "event", "show", "cup")
    (listed,) = json_on(db, "event", "list")
    for each in (document, listed):
        assert each["tables"] == [{"seats": 4, "matches": 19}, {"seats": 5, "matches": 20}]
        assert (each["matches"], each["forfeited"], each["seats"]) == (39, 24, 4)
    seated = sum(table["seats"] * table["matches"] for table in document["tables"])
    assert sum(row["matches"] for row in document["standings"]) == seated
    assert max(row["forfeited"] for row in document["standings"]) == 24
    shown = arena_on(db, "event", "list", "--all").stdout.splitlines()[1]
    assert "4 (19) and 5 (20)       39         24" in shown


def test_an_event_ends_when_it_is_sure_and_says_so(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    file = tmp_path / "cup.toml"
    file.write_text(
        'kind = "ladder"\ngame = "meow"\nbots = ["random", "greedy-meow"]\nseats = 2\ndeals = 5\n'
        'name = "cup"\nseed = 5\nuntil_sure = 1\nerror = 0.1\nmatches = 500\n',
        encoding="utf-8",
    )
    _, reason, *_ = printed(arena_on(db, "event", "run", str(file), "-q", *CAGE)).splitlines()
    assert re.match(r"the first place was known after \d\d of 500 matches \(error 10 %, ", reason)
    document = json_on(db, "event", "show", "cup")
    assert document["stopped"] == reason
    assert document["standings"][0]["bot"] == "greedy-meow"


def test_a_file_describes_an_event_and_options_override_it(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'kind = "round-robin"\ngame = "meow"\nbots = ["random", "first"]\nseats = 2\n'
        'name = "cup"\nseed = 4\n\n[limits]\nmemory_mib = 300\nfiles = 64\n',
        encoding="utf-8",
    )
    db = tmp_path / "arena.db"
    options = ("--secret", "ab" * 32, "--name", "final", "--limit", "files=128", "-q")
    result = printed(arena_on(db, "event", "run", str(file), *options, *CAGE))
    assert f"deals from secret {'ab' * 32}" in result
    spec = json_on(db, "event", "show", "final")["spec"]
    assert (spec["name"], spec["game"]) == ("final", "meow")
    assert spec["limits"] == {"memory_mib": 300, "files": 128}


def test_a_gauntlet_that_is_run_again_says_that_it_is_no_new_evidence(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    words = ("--game", "meow", "--bots", "greedy-meow", "--against", "random,first", "--seed", "3")
    for name in ("cup", "again"):
        result = arena_on(db, "event", "run", "gauntlet", *words, "--name", name, "-q", *CAGE)
        assert result.exit_code == 0, result.output
        assert f"{name}: each table of 3 has one challenger" in result.stderr
    assert "again: same deals as cup: a match with the same bots" in result.stderr
    assert "6 matches repeat those of cup: not rated again" in result.stdout
    document = json_on(db, "event", "show", "again")
    assert document["repeats"] == {"events": ["cup"], "matches": 6}
    lines = json_on(db, "leaderboard", "meow")
    assert [line["matches"] for line in lines] == [6, 6, 6]
    assert arena_on(db, "verify").exit_code == 0


def test_teams_are_named_on_the_command_line(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    submit_folders(db, bot_folder(tmp_path, "honest", HONEST))
    words = ("--game", "trio", "--variant", "simple-teams", "--name", "cup", "-q", *CAGE)
    teams = ("--teams", "greedy-trio+random,first+honest")
    result = arena_on(db, "event", "run", "swiss", *words, *teams)
    assert result.exit_code == 0, result.output
    assert "cup: 1 table of 4 in each round\n" in result.stderr
    rows = read_csv(arena_on(db, "event", "show", "cup", "--csv").stdout)
    points = {row["bot"]: row["points"] for row in rows}
    assert points["greedy-trio"] == points["random"]
    assert points["first"] == points["honest"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["knockout"], "'knockout' is neither an event kind nor a file: choose from round-robin,"),
        (["x" * 5000], "is neither an event kind nor a file"),
        (["swiss", "--game", "meow", "--bots", " , "], "' , ' contains no name"),
        (["missing.toml"], "missing.toml cannot be read: No such file or directory"),
        (["swiss", "--all"], "missing option --game"),
        (
            ["swiss", "--game", "meow"],
            "missing option --bots (or --all for all bots that play the game)",
        ),
        (["swiss", "--game", "meow", "--all", "--bots", "ann"], "either --bots or --all, not both"),
        (["swiss", "--game", "chess", "--all"], "no such game: 'chess'"),
        (["swiss", "--game", "jackal", "--bots", "ann,ben"], "ann does not play jackal: only trio"),
        (
            ["swiss", "--game", "meow", "--bots", "ann,ben,ann@2"],
            "no such version: 'ann@2'; choose from",
        ),
        (
            ["swiss", "--game", "trio", "--bots", "ann,ben"],
            "too few bots (ann, ben): trio is played by 3 or more at a table",
        ),
        (
            ["ladder", "--game", "meow", "--until-sure", "1", "--error", "0"],
            "must be above 0 and at most 0.5.",
        ),
        (["swiss", "--game", "meow", "--all", "--clock", "none"], "none is only for `arena play`"),
        (["swiss", "--game", "meow", "--all", "--limit", "files"], "'files' is not NAME=NUMBER"),
        (
            ["swiss", "--game", "meow", "--all", "--name", EVIL],
            r"name is 'ev\x1b[2Jil': it must be",
        ),
        (
            ["swiss", "--game", "meow", "--all", "--name", "cup", "--seats", "3"],
            "an event 'cup' already exists: choose another name",
        ),
    ],
)
def test_an_impossible_event_is_refused_with_a_reason(
    db: Path, words: list[str], sentence: str
) -> None:
    before = arena_on(db, "event", "list", "--json").stdout
    result = arena_on(db, "event", "run", *words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "\x1b" not in result.output
    assert arena_on(db, "event", "list", "--json").stdout == before


def test_a_retired_bot_plays_only_when_its_version_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = tmp_path / "house"
    for name in ("random", "first", "greedy-meow"):
        shutil.copytree(ROOT / "bots" / name, house / name)
    monkeypatch.setattr("arena.submission.lookup._HOUSE_FOLDER", house)
    db = tmp_path / "arena.db"
    words = ("--game", "meow", "--seats", "2", "-q", *CAGE)
    submit_folders(db, house / "first")
    assert arena_on(db, "bots", "retire", "first", "--yes").exit_code == 0
    assert arena_on(db, "event", "run", "swiss", "--all", "--name", "cup", *words).exit_code == 0
    rows = read_csv(arena_on(db, "event", "show", "cup", "--csv").stdout)
    assert {row["bot"] for row in rows} == {"random", "greedy-meow"}
    answer = refused(arena_on(db, "event", "run", "swiss", "--bots", "random,first", *words))
    assert "first is retired: to play it, name a version; choose from first@1" in answer


def test_a_mistake_leaves_no_empty_league(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    for bots in ("random,nobody,first", "random"):
        refused(arena_on(db, "event", "run", "swiss", "--game", "meow", "--bots", bots))
        assert not db.exists()


def test_events_are_listed_in_three_formats(db: Path) -> None:
    headings, *lines = arena_on(db, "event", "list").stdout.splitlines()
    assert headings.split()[:3] == ["name", "status", "kind"]
    # The newest first.
    assert [line.split()[:2] for line in lines] == [["open", "interrupted"], ["cup", "finished"]]
    as_json = json_on(db, "event", "list")
    as_csv = read_csv(arena_on(db, "event", "list", "--csv").stdout)
    assert [row["name"] for row in as_json] == [row["name"] for row in as_csv] == ["open", "cup"]
    assert [row["open_deals"] for row in as_json] == [True, True]
    assert [row["open_deals"] for row in as_csv] == ["true", "true"]
    assert " yes " in arena_on(db, "event", "list", "--all").stdout.splitlines()[1]


def test_an_event_is_shown_with_standings_crosstable_suspensions_and_faults(db: Path) -> None:
    result = printed(arena_on(db, "event", "show", "cup"))
    standings, crosstable, suspended, faults, origin = result.split("\n\n")
    # The title, the forfeits and the headings.
    assert len(standings.splitlines()) == 3 + len(NAMES)
    assert [line.split()[0] for line in crosstable.splitlines()] == ["%", *"12345"]
    assert suspended.startswith("cat@1: suspended after faults in ")
    assert faults.splitlines()[1].split()[:3] == ["cat@1", "crashed", "4"]
    deals, journal = origin.splitlines()
    assert deals == "deals from seed 0"
    assert re.fullmatch(r"journal of the league: \d+ entries, hash [0-9a-f]{64}", journal)
    whole = printed(arena_on(db, "event", "show", "cup", "--all"))
    assert len(whole.split("\n\n")) == 6
    assert "memory MiB" in whole


def test_an_event_is_shown_as_json_and_csv(db: Path) -> None:
    document = json_on(db, "event", "show", "cup")
    assert [row["rank"] for row in document["standings"]] == sorted(
        row["rank"] for row in document["standings"]
    )
    assert document["suspended"]["cat@1"].startswith("suspended after faults in ")
    assert {fault["bot"] for fault in document["faults"]} == {"cat"}
    shares = {(row["bot"], row["opponent"]): row["share"] for row in document["crosstable"]}
    assert all(share + shares[two, one] == pytest.approx(1) for (one, two), share in shares.items())
    rows = read_csv(arena_on(db, "event", "show", "cup", "--csv").stdout)
    assert [row["bot"] for row in rows] == [row["bot"] for row in document["standings"]]


def test_a_swiss_event_at_larger_tables_says_how_opposition_counts(db: Path) -> None:
    play_another_event(db, seats=3)
    lines = arena_on(db, "event", "show", "more").stdout.splitlines()
    assert "adjusted" in lines[1]
    assert lines[5].startswith("Ranked by adjusted points: a bot's points plus the mean points of")
    rows = json_on(db, "event", "show", "more")["standings"]
    for row in rows:
        others = [other["points"] for other in rows if other is not row]
        assert row["adjusted"] == pytest.approx(row["points"] + sum(others) / 2)
    assert "adjusted" not in arena_on(db, "event", "show", "cup").stdout


def test_a_later_event_is_given_a_free_name_and_does_not_change_standings(db: Path) -> None:
    play_another_event(db, "meow-swiss-1")
    before = json_on(db, "event", "show", "cup")
    words = ("--game", "meow", "--bots", "random,first", "--seats", "2", "-q", *CAGE)
    assert arena_on(db, "event", "run", "swiss", *words).exit_code == 0
    after = json_on(db, "event", "show", "cup")
    names = [row["name"] for row in read_csv(arena_on(db, "event", "list", "--csv").stdout)]
    assert names == ["meow-swiss-2", "meow-swiss-1", "open", "cup"]
    # The journal is that of the whole league.
    assert after.pop("journal")["entries"] > before.pop("journal")["entries"]
    assert after == before


def test_an_event_that_cannot_be_resumed_is_refused_with_a_reason(db: Path, tmp_path: Path) -> None:
    finished = refused(arena_on(db, "event", "resume", "cup"))
    assert "cup is finished: there is nothing to resume" in finished
    assert "no league at " in refused(arena_on(tmp_path / "none.db", "event", "resume"))
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "new").mkdir()
    with open_league(tmp_path / "new", []):
        pass
    none = arena_on(tmp_path / "new" / "arena.db", "event", "resume")
    assert "there is no interrupted event to resume" in none.stderr
