"""A served league from the outside: a bot is sent, checked in the cage, plays, and nothing is lost.

All tests share one server: starting it, and a check, take seconds.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

from arena.tournament.verification.league import check_league
from leaderboard.events import all_events
from leaderboard.store import Store
from tests.cli.runner import arena, arena_on, printed
from tests.serve.in_process import bot_files, zip_of
from tests.serve.processes import RESIDENTS, ServedLeague, serving, wait_for, write_bot


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedLeague]:
    """Serve a league in which two bots play MEOW."""
    with serving(
        tmp_path_factory.mktemp("served"),
        ('clock = "cpu:5+0.05"', 'clock = "cpu:5+0.05"\nseats = 2'),
        ("deals = 4\n", "deals = 1\n"),
    ) as served:
        # The process that plays holds the league's lock from now on.
        wait_for(served.matches)
        yield served


@pytest.fixture(scope="module")
def token(league: ServedLeague) -> str:
    """Return the token of an author."""
    return league.author("ada")


@pytest.fixture
def config_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep tokens in a folder of the test, and away from a real keyring."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.delenv("ARENA_TOKEN", raising=False)
    return tmp_path / "config"


def submitted_with_the_command(league: ServedLeague, token: str, folder: Path) -> str:
    """Log in, submit a bot, and return what was printed."""
    logged_in = printed(arena("login", league.address, "--token", token))
    assert "you are ada at" in logged_in
    return printed(arena("submit", folder, "--to", league.address, "-v"))


def test_a_bot_is_submitted_checked_and_plays(
    league: ServedLeague, token: str, tmp_path: Path, config_home: Path
) -> None:
    shown = submitted_with_the_command(league, token, write_bot(tmp_path, "kitten"))
    assert " 1  manifest: ok, kitten plays meow\n" in shown
    assert "accepted: it plays as kitten@1\n" in shown
    assert f"watch it at {league.address}/live" in shown
    (file,) = (config_home / "arena").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600

    def on_the_board() -> bool:
        rows = league.get("/api/v1/leaderboard").json()
        return ("kitten", "ada") in [(row["bot"], row["author"]) for row in rows]

    wait_for(on_the_board)
    match = league.get("/api/v1/matches?bot=kitten&limit=1").json()[0]
    replay = league.get(f"/api/v1/matches/{match['event']}/{match['number']}/replay")
    path = tmp_path / "match.replay"
    path.write_bytes(replay.content)
    assert printed(arena("replay", "verify", path)).startswith("good")


def test_without_a_valid_token_the_command_says_what_to_do(
    league: ServedLeague, tmp_path: Path, config_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = write_bot(tmp_path, "kitten")
    without = arena("submit", bot, "--to", league.address)
    assert f"use `arena login {league.address}`, or set ARENA_TOKEN" in without.stderr
    monkeypatch.setenv("ARENA_TOKEN", "arena_1_wrong")
    wrong = arena("submit", bot, "--to", league.address)
    assert (wrong.exit_code, "this token is not valid" in wrong.stderr) == (1, True)
    clear = arena("submit", bot, "--to", "http://league.example")
    assert "would show your token to the network: use https://" in clear.stderr


def test_a_bot_that_fails_its_check_is_refused_and_its_author_sees_why(
    league: ServedLeague, token: str
) -> None:
    files = bot_files("mouse", code="import sys; sys.exit('no cheese')")
    sent = httpx.post(
        f"{league.address}/api/v1/submissions",
        content=zip_of(files),
        headers={"Authorization": f"Bearer {token}"},
    )
    path = f"/api/v1/submissions/{sent.json()['id']}"
    wait_for(lambda: league.get(path, token).json().get("status") == "refused")
    done = league.get(path, token).json()
    assert done["sentence"].startswith("start: ")
    failed = next(step for step in done["steps"] if step["status"] == "failed")
    assert "no cheese" in failed["printed"]


def test_the_author_of_a_package_that_is_too_large_reads_why(
    league: ServedLeague, token: str
) -> None:
    # Unlike httpx, this client reads no answer before it has sent everything.
    connection = HTTPConnection(league.address.removeprefix("http://"), timeout=180)
    headers = {"Authorization": f"Bearer {token}"}
    connection.request("POST", "/api/v1/submissions", bytes(32 << 20), headers)
    answer = connection.getresponse()
    assert (answer.status, b"the body is too large" in answer.read()) == (413, True)
    connection.close()


def test_live_pages_are_told_what_is_played_and_when_there_are_results(
    league: ServedLeague,
) -> None:
    seen: dict[str, object] = {}
    with httpx.stream("GET", f"{league.address}/api/v1/live", timeout=120) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            if line.startswith("data: "):
                data = json.loads(line.removeprefix("data: "))
                if data:
                    seen[name] = data
            if len(seen) == 2:
                break
    progress = seen["progress"]
    assert isinstance(progress, dict)
    assert progress["event"] == "season-1-meow"
    # Nothing that says how matches in play go.
    assert not {"leaders", "faults"} & progress.keys()


def test_the_league_has_one_writer_and_commands_say_so(league: ServedLeague) -> None:
    played = arena_on(league.db, *"event run round-robin --game meow --bots random,first".split())
    assert (played.exit_code, "is being written by another arena process" in played.stderr) == (
        1,
        True,
    )
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "serve", str(league.path)],
        stderr=subprocess.PIPE,
        text=True,
    ) as second:
        assert second.stderr
        # Perhaps a server was killed just now, and its player is about to end.
        assert "another arena process" in second.stderr.readline()
        second.terminate()


def test_a_server_stops_at_once_although_live_pages_are_open(league: ServedLeague) -> None:
    with httpx.stream("GET", f"{league.address}/api/v1/live", timeout=120) as answer:
        lines = answer.iter_lines()
        next(lines)
        before = league.log.stat().st_size
        league.stop()
        assert list(lines)[-1] == ""
    assert "Exception" not in league.log.read_text()[before:]
    league.start()


def test_a_backup_is_one_consistent_state(league: ServedLeague, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert "check it with" in printed(arena_on(league.db, "backup", str(copy)))
    assert copy.stat().st_mode & 0o777 == 0o600
    with Store.open(copy) as store:
        assert check_league(store).wrong == []


def test_what_is_sent_is_not_lost_by_kills(league: ServedLeague, token: str) -> None:
    sent = httpx.post(
        f"{league.address}/api/v1/submissions",
        content=zip_of(bot_files("mouser")),
        headers={"Authorization": f"Bearer {token}"},
    )
    assert sent.status_code == 202
    before = league.matches()
    league.stop(signal.SIGKILL)
    # The process that plays ends when the server has.
    wait_for(lambda: not _players(league))
    league.start()
    path = f"/api/v1/submissions/{sent.json()['id']}"
    wait_for(lambda: league.get(path, token).json().get("status") == "accepted")
    os.kill(_players(league)[0], signal.SIGKILL)
    stored = league.matches()
    wait_for(lambda: league.matches() > stored >= before)
    league.stop(signal.SIGINT)
    assert not _players(league)
    with Store.open(league.db) as store:
        assert check_league(store).wrong == []
        assert [event.status for event in all_events(store)] == ["interrupted"]
    league.start()


def _players(league: ServedLeague) -> list[int]:
    """Return the numbers of the processes that play this league."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"arena.serve.player" in words and str(league.path).encode() in words:
            found.append(int(folder.name))
    return found


def test_a_season_is_closed_with_a_final(league: ServedLeague) -> None:
    wait_for(lambda: "season-1-meow" in league.get("/api/v1/events").text)
    printed(arena_on(league.db, "season", "close", "autumn"))
    wait_for(lambda: league.get("/api/v1/league").json()["season"] == "autumn")
    wait_for(lambda: league.get("/api/v1/seasons").json()[0]["closed"])
    first, second = league.get("/api/v1/seasons").json()
    assert (first["name"], second["name"]) == ("season-1", "autumn")
    (final,) = first["board"]
    assert final["event"] == "season-1-final-meow"
    assert {row["bot"] for row in final["standings"]} >= set(RESIDENTS)
    events = {event["name"]: event for event in league.get("/api/v1/events").json()}
    assert events["season-1-meow"]["stopped"] == "it was closed by the organiser"
    assert events["season-1-meow"]["secret"]
    wait_for(lambda: "autumn-meow" in league.get("/api/v1/events").text)
    league.stop()
    with Store.open(league.db) as store:
        assert check_league(store).wrong == []
    league.start()
