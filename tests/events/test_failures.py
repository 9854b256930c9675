"""What becomes of an event when its user, a signal, the disk or another program gets in the way?

Everything happens for real, in processes of its own.
"""

from __future__ import annotations

import os
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.events.folders import ROOT
from tests.events.processes import Hall, enter, event, new_hall, resume
from tests.privileges import read_only, without_privileges

DEALS = 40
MATCHES = 6 * 2 * DEALS
"""Of four bots at tables of two."""
BOTS = ("ann", "ben", "cat", "dan")
CUP = event(
    *("round-robin", "--bots", ",".join(BOTS), "--name", "cup"),
    *("--seats", "2", "--deals", str(DEALS), "--quiet"),
)
SLOWLY = ("--jobs", "2", "--tables", "1")
TRUSTING = ("--cage", "none")
"""For processes without the privileges that a cage needs; the last option counts."""


@pytest.fixture
def hall() -> Iterator[Hall]:
    """Give a hall with a league of four bots."""
    with new_hall() as hall:
        enter(hall, dict.fromkeys(BOTS, ()))
        yield hall


def status(hall: Hall) -> str:
    """Return what the league says of the event."""
    with closing(sqlite3.connect(hall.db)) as connection:
        return str(connection.execute("SELECT status FROM events").fetchone()[0])


def gone_on_as_told(hall: Hall, said: str) -> None:
    """Do what the last words of a stopped event say, and see that nothing is missing."""
    before = hall.stored()
    assert 0 < before < MATCHES
    assert said.startswith("cup was stopped: go on with `arena ")
    done = hall.run(*shlex.split(said.split("`")[1])[1:])
    assert done.returncode == 0, done.stderr
    assert status(hall) == "finished"
    assert hall.stored() == MATCHES
    verified = hall.run("verify")
    assert verified.stdout == (
        f"1 event, {MATCHES} matches played again: all of it and every rating is true\n"
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("to", ["the process", "its group"])
def test_an_event_that_is_asked_to_stop_tidies_up_and_says_how_to_go_on(
    hall: Hall, number: signal.Signals, to: str
) -> None:
    with hall.begin(*CUP, *SLOWLY) as process:
        hall.wait_until(lambda: hall.stored() > 0)
        if to == "the process":
            process.send_signal(number)
        else:
            # As a terminal does.
            os.killpg(process.pid, number)
        out, err = process.said()
    assert process.returncode == 1
    assert out == ""
    assert err == "cup was stopped: go on with `arena event resume cup --db arena.db`\n"
    assert status(hall) == "interrupted"
    assert hall.processes() == set()
    assert hall.places() == []
    gone_on_as_told(hall, err)


def test_nothing_outlives_an_event_that_is_killed(hall: Hall) -> None:
    with hall.begin(*CUP, *SLOWLY) as process:
        hall.wait_until(lambda: hall.stored() > 0)
        # The event, two workers, what watches over their memory, and bots.
        hall.wait_until(lambda: len(hall.processes()) > 4)
        process.kill()
    assert status(hall) == "running"
    # A bot that was just being started is ended by the next referee; all others end by themselves.
    gone_on_as_told(hall, f"cup was stopped: go on with `arena {' '.join(resume())}`")
    hall.wait_until_empty()
    assert hall.places() == []


def test_a_worker_that_dies_stops_the_event_with_a_sentence(hall: Hall) -> None:
    with hall.begin(*CUP, *SLOWLY) as process:
        hall.wait_until(lambda: hall.stored() > 0)
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        _, err = process.said()
    assert process.returncode == 1
    said, error = err.splitlines()
    assert error == "Error: a worker process died; perhaps there is too little memory"
    gone_on_as_told(hall, said)


def workers_of(pid: int) -> list[int]:
    """List the workers of a process."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [
        int(child)
        for child in children
        if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()
    ]


def test_a_second_event_on_the_same_file_is_refused_and_readers_are_not(hall: Hall) -> None:
    with hall.begin(*CUP, *SLOWLY) as process:
        hall.wait_until(lambda: hall.stored() > 0)
        # So that it lasts as long as this takes.
        process.send_signal(signal.SIGSTOP)
        for words in (event("swiss", "--all"), ["event", "resume"], ["bots", "retire", "ann"]):
            refused = hall.run(*words)
            assert refused.returncode == 1
            assert refused.stderr == (
                "Error: arena.db is being written by another arena process (an event is running): "
                "wait until it is done\n"
            )
        for words in (["leaderboard"], ["event", "list"], ["event", "show", "cup"], ["verify"]):
            told = hall.run(*words)
            assert told.returncode == 0, told.stdout
        process.terminate()
        process.send_signal(signal.SIGCONT)
        _, err = process.said()
    gone_on_as_told(hall, err)


def test_a_read_only_league_is_told_and_stays_as_it_is(hall: Hall) -> None:
    before = hall.db.read_bytes()
    with read_only(hall.db):
        refused = hall.run(*CUP, *TRUSTING, prepare=without_privileges)
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1] == (
        "Error: arena.db cannot be written: it or its folder is read-only"
    )
    assert hall.db.read_bytes() == before


IN_A_SMALL_FILE_SYSTEM = """
mkdir small && mount -t tmpfs -o size=$1 small small && cp arena.db small || exit 9
shift
"$@" --db small/arena.db
code=$?
cp small/* .
exit $code
"""


def test_a_full_disk_stops_an_event_with_a_sentence_and_loses_nothing(hall: Hall) -> None:
    size = hall.db.stat().st_size + 500_000
    shell = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", IN_A_SMALL_FILE_SYSTEM]
    done = subprocess.run(
        [*shell, "sh", str(size), sys.executable, "-m", "arena", *CUP, *TRUSTING],
        cwd=hall.folder,
        env={**os.environ, "TMPDIR": str(hall.folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    if done.returncode == 9:
        pytest.skip(f"no file system can be mounted here: {done.stderr}")
    assert done.returncode == 1, done.stderr
    assert len(done.stderr.splitlines()) == 4, done.stderr
    *_, said, error = done.stderr.splitlines()
    assert error == "Error: small/arena.db cannot be written: the disk is full"
    gone_on_as_told(hall, said.replace("small/", ""))


def test_a_file_that_another_program_holds_is_told(hall: Hall) -> None:
    with closing(sqlite3.connect(hall.db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused = hall.run(*CUP)
    assert refused.returncode == 1
    assert refused.stderr == (
        "Error: arena.db is locked by another program: let it finish, and try again\n"
    )
    assert hall.stored() == 0


def test_an_event_whose_file_another_program_takes_stops_and_loses_nothing(hall: Hall) -> None:
    with hall.begin(*CUP, *SLOWLY) as process:
        hall.wait_until(lambda: hall.stored() > 0)
        with closing(sqlite3.connect(hall.db, isolation_level=None, timeout=60)) as other:
            other.execute("BEGIN IMMEDIATE")
            _, err = process.said()
    assert process.returncode == 1
    said, error = err.splitlines()
    assert error == "Error: arena.db is locked by another program: let it finish, and try again"
    gone_on_as_told(hall, said)
