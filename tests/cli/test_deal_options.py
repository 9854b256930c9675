"""Deals are secret unless the user asks otherwise, and every run can be repeated."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from arena.replays.format import read_replay
from tests.builders.bots import HONEST, bot_folder
from tests.cages import cage
from tests.cli.runner import arena, refused
from tests.tournament.processes import differences, rows_without_times

CAGE = ("--cage", cage().name)
OPEN = "warning: open deals: anyone who knows the {} can compute every deal"
EVENT = ("event", "run", "round-robin", "--game", "meow", "--bots", "random,first", "--seats", "2")


def run_event(folder: Path, *options: str) -> tuple[Path, str, str]:
    """Run an event; return its league, stdout and stderr."""
    folder.mkdir()
    db = folder / "arena.db"
    result = arena(*EVENT, "--name", "cup", "--quiet", *options, *CAGE, "--jobs", "1", "--db", db)
    assert result.exit_code == 0, result.output
    return db, result.stdout, result.stderr


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """Run an event with secret deals; no test changes its league."""
    return run_event(tmp_path_factory.mktemp("played") / "one")


def test_an_event_commits_to_its_deals_before_its_first_match_and_reveals_its_secret_at_the_end(
    played: tuple[Path, str, str],
) -> None:
    db, stdout, stderr = played
    (commitment,) = re.findall(r"commitment to the deals: ([0-9a-f]{64})\n", stderr)
    (secret,) = re.findall(r"^deals from secret ([0-9a-f]{64})$", stdout, re.MULTILINE)
    assert sha256(b"arena event " + bytes.fromhex(secret)).hexdigest() == commitment
    assert "open deals" not in stdout + stderr
    assert arena("verify", "--db", db).exit_code == 0


def test_a_secret_repeats_an_event_exactly(played: tuple[Path, str, str], tmp_path: Path) -> None:
    first, stdout, _ = played
    (secret,) = re.findall(r"^deals from secret ([0-9a-f]{64})$", stdout, re.MULTILINE)
    again, stdout_again, stderr = run_event(tmp_path / "two", "--secret", secret)
    assert OPEN.format("secret") in stderr.splitlines()
    assert "open deals" in stdout_again
    one, two = rows_without_times(first), rows_without_times(again)
    assert differences(one, two) == differences({"events": one["events"]}, two)
    assert one["matches"] == two["matches"]


def test_two_events_have_no_deal_in_common(played: tuple[Path, str, str], tmp_path: Path) -> None:
    leagues = [rows_without_times(db) for db, _, _ in (played, run_event(tmp_path / "two"))]
    seeds = [{row[6] for row in league["matches"]} for league in leagues]
    assert not seeds[0] & seeds[1]


def test_a_seed_gives_a_warning_of_open_deals_and_marks_the_event(tmp_path: Path) -> None:
    db, stdout, stderr = run_event(tmp_path / "one", "--seed", "5")
    assert OPEN.format("seed") in stderr.splitlines()
    assert stdout.splitlines()[0].endswith(", finished, open deals")
    assert "\ndeals from seed 5\n" in stdout
    event = json.loads(arena("event", "show", "cup", "--json", "--db", db).stdout)
    assert (event["seed"], event["open_deals"]) == (5, True)
    assert "open deals" in arena("event", "list", "--all", "--db", db).stdout
    site = tmp_path / "site"
    assert arena("report", site, "--db", db).exit_code == 0
    assert "open deals" in (site / "index.html").read_text()


def test_the_secret_of_an_event_that_is_not_over_is_shown_nowhere(
    played: tuple[Path, str, str], tmp_path: Path
) -> None:
    db = Path(shutil.copy(played[0], tmp_path))
    with closing(sqlite3.connect(db)) as connection, connection:
        ((secret,),) = connection.execute("SELECT secret FROM events")
        connection.execute("INSERT INTO secrets SELECT id, secret FROM events")
        connection.execute("UPDATE events SET secret = NULL, status = 'interrupted'")
    for words in (("event", "show", "cup"), ("event", "show", "cup", "--json"), ("event", "list")):
        result = arena(*words, "--db", db)
        assert result.exit_code == 0
        assert secret not in result.output
    site = tmp_path / "site"
    assert arena("report", site, "--db", db).exit_code == 0
    assert not [page for page in site.rglob("*.html") if secret in page.read_text()]


@pytest.mark.parametrize("options", [("--seed", "1", "--secret", "ab" * 32), ("--secret", "abc")])
@pytest.mark.parametrize(
    "words",
    [
        ("play", "meow", "random", "random"),
        ("check", str(HONEST), *CAGE),
        ("compare", str(HONEST), "random", "--game", "meow"),
        EVENT,
    ],
    ids=lambda words: words[0],
)
def test_contradictory_or_malformed_deal_options_are_refused(
    words: tuple[str, ...], options: tuple[str, ...], tmp_path: Path
) -> None:
    db = () if words[0] in ("play", "check") else ("--db", tmp_path / "arena.db")
    result = refused(arena(*words, *options, *db))
    sentences = ("either a seed or a secret, not both", "'abc' is not 64 hexadecimal digits")
    assert any(sentence in result for sentence in sentences)


def test_play_prints_the_secret_that_repeats_it(tmp_path: Path) -> None:
    first, again = (tmp_path / name for name in ("first", "again"))
    result = arena("play", "meow", "random", "random", "--save", first)
    (secret,) = re.findall(r"^MEOW, secret ([0-9a-f]{64}), ", result.stdout, re.MULTILINE)
    repeated = arena("play", "meow", "random", "random", "--save", again, "--secret", secret)
    assert repeated.stdout == result.stdout
    assert read_replay(first.read_bytes()) == read_replay(again.read_bytes())


def test_check_draws_new_deals_every_time_and_prints_the_secret_that_repeats_them(
    tmp_path: Path,
) -> None:
    words = ("check", str(HONEST), "--game", "meow", *CAGE, "--json")
    one = json.loads(arena(*words).stdout)
    # A bot that fails the first step is checked at once.
    greedy = bot_folder(tmp_path, "greedy", HONEST)
    with (greedy / "bot.toml").open("a", encoding="utf-8") as file:
        file.write("[limits]\nmemory_mib = 1024\n")
    two = json.loads(arena("check", greedy, *CAGE, "--json").stdout)
    assert one["secret"] != two["secret"]
    again = json.loads(arena(*words, "--secret", one["secret"]).stdout)
    played = [
        [step["sentence"] for step in each["steps"] if "decisions" in step["sentence"]]
        for each in (one, again)
    ]
    assert played[0] == played[1] != []


def test_compare_prints_the_secret_that_repeats_it(tmp_path: Path) -> None:
    few = ("--game", "meow", "--deals", "1", "--seats", "2", "-q")
    words = ("compare", str(HONEST), "random", *few)
    options = (*CAGE, "--jobs", "1", "--db", tmp_path / "none.db")
    result = arena(*words, *options)
    (secret,) = re.findall(r"Secret ([0-9a-f]{64})\.", result.stdout)
    again = arena(*words, "--secret", secret, *options)
    assert again.stdout == result.stdout
