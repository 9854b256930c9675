"""The league survives a full disk, other programs and signals.

These tests use real processes, locks and full disks.
"""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import LeagueInUse
from arena.tournament.verification.ratings import first_difference
from leaderboard.events import all_events
from leaderboard.ledger import Ledger
from leaderboard.store import Store
from tests.builders.made_up import (
    NOW,
    contents,
    make_plan,
    make_results,
    new_event,
    new_league,
    stored_numbers,
)
from tests.privileges import read_only, without_privileges

ROOT = Path(__file__).parents[2]
PAIRINGS = 50
BATCHES = PAIRINGS
"""A batch has four matches, as many as a pairing."""
PROGRAM = f"""
import sys
from pathlib import Path
from arena.errors import ArenaError
from leaderboard.queries.leaderboards import leaderboard
from leaderboard.events import find_event
from leaderboard.ledger import Ledger
from leaderboard.store import Store
from tests.builders.made_up import NOW, make_results

try:
    with Store.open(Path(sys.argv[2])) as store:
        if sys.argv[1] == "read":
            print(len(leaderboard(store)), "lines")
        elif sys.argv[1] == "play":
            with store.writing() as writer:
                event = find_event(writer, "spring")
                results = make_results(writer, event, pairings={PAIRINGS})
                ledger = Ledger(writer, event.id)
                # From the middle outwards, so that there is always an unrated match.
                middle = len(results) // 2
                for number in range(0, middle, 2):
                    low, high = middle - 2 - number, middle + number
                    ledger.finish(results[low : low + 2] + results[high : high + 2], now=NOW)
                    print(number, flush=True)
        elif sys.argv[1] == "hold":
            with store.writing():
                print("holding", flush=True)
                sys.stdin.read()
except ArenaError as error:
    sys.exit(f"{{type(error).__name__}}: {{error}}")
"""


def start(
    action: str, path: Path, prepare: Callable[[], None] | None = None
) -> subprocess.Popen[str]:
    """Run the program on a league in a new process."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, action, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=prepare,
    )


def last_line(action: str, path: Path, prepare: Callable[[], None] | None = None) -> str:
    """Return the last line that a process prints, on either stream."""
    out, err = start(action, path, prepare).communicate()
    return (err or out).strip().splitlines()[-1]


def league_with_an_event(path: Path) -> None:
    """Create a league with an event and a few stored matches."""
    with new_league(path) as store, store.writing() as writer:
        event = new_event(writer, make_plan(), pairings=PAIRINGS)
        Ledger(writer, event.id).finish(make_results(writer, event, pairings=PAIRINGS)[:3], now=NOW)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Create a league."""
    league_with_an_event(tmp_path / "arena.db")
    return tmp_path / "arena.db"


def test_a_file_size_limit_costs_at_most_one_batch(path: Path) -> None:
    def small_disk() -> None:
        limit = path.stat().st_size + 50_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    with start("play", path, small_disk) as process:
        assert process.stdout
        assert process.stderr
        batches = len(process.stdout.readlines())
        sentence = process.stderr.read()
    assert sentence.startswith(f"LeagueNotWritten: {path} cannot be written")
    with Store.open(path) as store:
        assert len(stored_numbers(store, 1)) == 3 + 4 * batches
        assert first_difference(store) is None


@pytest.mark.parametrize("protected", ["file", "folder", "both"])
def test_a_read_only_league_can_be_read_and_not_written(path: Path, protected: str) -> None:
    paths = {"file": [path], "folder": [path.parent], "both": [path, path.parent]}[protected]
    before = path.read_bytes()
    with read_only(*paths):
        assert last_line("read", path, without_privileges) == "4 lines"
        sentence = last_line("play", path, without_privileges)
    assert sentence == (
        f"LeagueNotWritten: {path} cannot be written: it or its folder is read-only"
    )
    assert path.read_bytes() == before


def test_a_read_only_league_with_a_write_ahead_log_is_not_misread(
    path: Path, tmp_path: Path
) -> None:
    with Store.open(path) as store, store.writing() as writer:
        Ledger(writer, 1).finish(make_results(writer, all_events(writer)[0])[3:6], now=NOW)
        log = Path(f"{path}-wal").read_bytes()
        data = path.read_bytes()
    path.write_bytes(data)
    Path(f"{path}-wal").write_bytes(log)
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(path)
    with read_only(path.parent):
        for name in (path, link):
            line = last_line("read", name, without_privileges)
            assert "copy both files to a writable folder" in line
    assert last_line("read", path) == "4 lines"
    with Store.open(path) as store:
        assert len(stored_numbers(store, 1)) == 6


def test_a_file_without_read_permission_is_reported(path: Path) -> None:
    path.chmod(0)
    assert last_line("read", path, without_privileges) == (
        f"BadInput: {path} cannot be opened: Permission denied"
    )


def test_a_second_writer_is_refused_at_once_and_readers_are_not(path: Path) -> None:
    with start("hold", path) as process:
        assert process.stdout
        assert process.stdout.readline() == "holding\n"
        with (
            Store.open(path) as store,
            pytest.raises(LeagueInUse, match=r"written by another arena process \(an event is"),
            store.writing(),
        ):
            pass
        assert last_line("read", path) == "4 lines"
        process.kill()
    with Store.open(path) as store, store.writing():
        pass


def test_a_file_locked_by_another_program_is_reported(path: Path) -> None:
    before = path.read_bytes()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        sentence = last_line("play", path)
    finally:
        other.close()
    assert sentence == (
        f"LeagueInUse: {path} is locked by another program: wait until it is done, and try again"
    )
    assert path.read_bytes() == before


def test_a_damaged_page_is_reported(path: Path) -> None:
    with Store.open(path) as store:
        (root,) = store.row("SELECT rootpage FROM sqlite_schema WHERE name = 'ratings'") or (0,)
        (page_bytes,) = store.row("PRAGMA page_size") or (0,)
    data = bytearray(path.read_bytes())
    data[(root - 1) * page_bytes : root * page_bytes] = b"\xff" * page_bytes
    path.write_bytes(data)
    for action in ("read", "play"):
        assert last_line(action, path).startswith(f"BadLeague: {path} is damaged (")


def test_text_that_is_not_utf_8_is_reported(path: Path) -> None:
    data = path.read_bytes()
    assert b"standard" in data
    path.write_bytes(data.replace(b"standard", b"st\xffndard"))
    assert last_line("read", path).startswith(f"BadLeague: {path} is damaged (")


def test_a_writer_may_be_killed_at_any_moment(path: Path, tmp_path: Path) -> None:
    for batches in range(2, BATCHES, 12):
        with start("play", path) as process:
            assert process.stdout
            # It starts from the beginning, so each time it gets a bit further than the last.
            for _ in range(batches):
                process.stdout.readline()
            process.kill()
        with Store.open(path) as store:
            assert first_difference(store) is None
            assert 4 * batches <= len(stored_numbers(store, 1)) < 4 * PAIRINGS
    start("play", path).communicate()
    league_with_an_event(tmp_path / "undisturbed.db")
    start("play", tmp_path / "undisturbed.db").communicate()
    with Store.open(path) as store, Store.open(tmp_path / "undisturbed.db") as undisturbed:
        assert first_difference(store) is None
        assert len(stored_numbers(store, 1)) == 4 * PAIRINGS
        assert contents(store) == contents(undisturbed)
