"""An event survives interruptions by users, signals, a full disk and other programs.

These tests use real processes, signals and disks.
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

from arena.tournament.verification.league import check_league
from leaderboard.store import Store
from tests.builders.bots import ROOT
from tests.tournament.processes import Workspace, event, new_workspace, resume, submit_bots

DEALS = 20
MATCHES = 2 * DEALS
"""The number of matches of two bots."""
SLEEPS = ("sleep", "0.005")
"""With each decision, so that an event of few matches lasts long enough to be interrupted."""
BOTS = ("ann", "ben")
CUP = event(
    *("round-robin", "--bots", ",".join(BOTS), "--name", "cup"),
    *("--seats", "2", "--deals", str(DEALS), "--quiet"),
)
SLOWLY = ("--jobs", "1", "--tables", "1")
UNCAGED = ("--cage", "none")
"""For processes without the privileges that a cage needs; it overrides an earlier --cage."""


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """Return a workspace with a league of two bots."""
    with new_workspace() as workspace:
        submit_bots(workspace, dict.fromkeys(BOTS, SLEEPS))
        yield workspace


def status(workspace: Workspace) -> str:
    """Return the status of the event in the league."""
    with closing(sqlite3.connect(workspace.db)) as connection:
        return str(connection.execute("SELECT status FROM events").fetchone()[0])


def resume_as_printed(workspace: Workspace, message: str) -> None:
    """Run the command that a stopped event prints, and check that no match is missing."""
    before = workspace.count_matches()
    assert 0 < before < MATCHES
    assert message.startswith("cup was interrupted; resume it with `arena ")
    done = workspace.run(*shlex.split(message.split("`")[1])[1:], "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert status(workspace) == "finished"
    assert workspace.count_matches() == MATCHES
    with Store.open(workspace.db) as store:
        assert check_league(store).wrong == []


@pytest.mark.parametrize(
    ("number", "to"),
    [
        (signal.SIGINT, "its group"),
        pytest.param(signal.SIGTERM, "the process", marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, "the process", marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, "its group", marks=pytest.mark.slow),
    ],
)
def test_an_event_that_is_asked_to_stop_cleans_up_and_says_how_to_resume(
    workspace: Workspace, number: signal.Signals, to: str
) -> None:
    with workspace.start(*CUP, *SLOWLY) as process:
        workspace.wait_until(lambda: workspace.count_matches() > 0)
        if to == "the process":
            process.send_signal(number)
        else:
            # As a terminal does.
            os.killpg(process.pid, number)
        out, err = process.output()
    assert process.returncode == 1
    assert out == ""
    assert err == "cup was interrupted; resume it with `arena event resume cup --db arena.db`\n"
    assert status(workspace) == "interrupted"
    assert workspace.processes() == set()
    assert workspace.leftover_folders() == []
    resume_as_printed(workspace, err)


def test_nothing_outlives_a_killed_event(workspace: Workspace) -> None:
    with workspace.start(*CUP, *SLOWLY) as process:
        workspace.wait_until(lambda: workspace.count_matches() > 0)
        # The event, a worker, the resource tracker, and bots.
        workspace.wait_until(lambda: len(workspace.processes()) > 3)
        process.kill()
    assert status(workspace) == "running"
    # The next referee ends a bot that was just starting; all others end by themselves.
    resume_as_printed(
        workspace, f"cup was interrupted; resume it with `arena {' '.join(resume())}`"
    )
    workspace.wait_until_empty()
    assert workspace.leftover_folders() == []


def kill_worker(workspace: Workspace, pid: int) -> None:
    """Kill the worker of an event once it has played another match."""
    before = workspace.count_matches()
    workspace.wait_until(lambda: workspace.count_matches() > before)
    os.kill(workers_of(pid)[0], signal.SIGKILL)


@pytest.mark.slow
def test_a_dead_worker_is_replaced_and_the_event_goes_on(workspace: Workspace) -> None:
    with workspace.start(*CUP, *SLOWLY) as process:
        kill_worker(workspace, process.pid)
        kill_worker(workspace, process.pid)
        _, err = process.output()
    assert process.returncode == 0
    assert err.splitlines()[:2] == [
        f"worker {number} was ended by SIGKILL; its matches are played again" for number in (1, 2)
    ]
    assert workspace.count_matches() == MATCHES
    assert workspace.processes() == set()
    assert workspace.leftover_folders() == []
    with Store.open(workspace.db) as store:
        assert check_league(store).wrong == []


def workers_of(pid: int) -> list[int]:
    """List the workers of a process."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [
        int(child)
        for child in children
        if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()
    ]


IN_A_SMALL_FILE_SYSTEM = """
mkdir small && mount -t tmpfs -o size=$1 small small && cp arena.db small || exit 9
shift
"$@" --db small/arena.db
code=$?
cp small/* .
exit $code
"""


def test_a_full_disk_stops_an_event_with_a_message_and_loses_nothing(workspace: Workspace) -> None:
    size = workspace.db.stat().st_size + 200_000
    shell = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", IN_A_SMALL_FILE_SYSTEM]
    done = subprocess.run(
        [*shell, "sh", str(size), sys.executable, "-m", "arena", *CUP, *UNCAGED, "--jobs", "1"],
        cwd=workspace.folder,
        env={**os.environ, "TMPDIR": str(workspace.folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    if done.returncode == 9 or done.stderr.startswith("unshare: "):
        pytest.skip(f"no file system can be mounted here: {done.stderr}")
    assert done.returncode == 1, done.stderr
    assert len(done.stderr.splitlines()) == 5, done.stderr
    *_, message, error = done.stderr.splitlines()
    assert error == "Error: small/arena.db cannot be written: the disk is full"
    resume_as_printed(workspace, message.replace("small/", ""))
