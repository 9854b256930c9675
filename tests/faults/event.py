"""The event of all trials, and the league that it gives if nothing disturbs it."""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from arena.tournament.spec import Kind, Spec
from arena.tournament.verification.league import check_league
from leaderboard.store import Store
from tests.cages import cage
from tests.escapes.observe import descendants
from tests.tournament.processes import (
    Command,
    Workspace,
    differences,
    enter_sealed,
    new_workspace,
    resume,
    rows_without_times,
    submit_bots,
)

SLEEPS = ("sleep", "0.004")
"""With each decision, so that an event of few matches lasts long enough to be disturbed."""
BOTS = {"ann": SLEEPS, "ben": SLEEPS, "moody": ("0.1",)}
RESUME = [*resume("cup", "--quiet")]
LOCAL = ("--jobs", "2", "--tables", "4")
_PATIENCE_S = 600.0
Rows = dict[str, list[tuple[Any, ...]]]


class Skipped(Exception):
    """This machine does not allow a trial."""


class League(NamedTuple):
    """A league with an event that has not begun, and its rows when it is over."""

    file: bytes
    rows: Rows


@cache
def undisturbed() -> League:
    """Play the event once, with one worker."""
    spec = Spec(Kind.ROUND_ROBIN, "meow", "cup", seats=3, deals=6, cage=cage().name)
    with new_workspace() as workspace:
        submit_bots(workspace, BOTS)
        enter_sealed(workspace.db, Spec(**{**_fields(spec), "bots": tuple(BOTS)}))
        league = workspace.db.read_bytes()
        done = workspace.run(*RESUME, "--jobs", "1")
        assert done.returncode == 0, done.stderr
        return League(league, _rows(workspace.db))


def _fields(spec: Spec) -> dict[str, Any]:
    return {name: getattr(spec, name) for name in spec.__dataclass_fields__}


def _rows(db: Path) -> Rows:
    """Return the league without times, and without where its matches were played."""
    found = rows_without_times(db)
    del found["machines"], found["match_machines"]
    return found


class Trial:
    """One disturbed run of the event."""

    def __init__(self, workspace: Workspace, rng: Random, league: League) -> None:
        """Put the league into a workspace."""
        self.workspace = workspace
        self.rng = rng
        self.league = league
        workspace.db.write_bytes(league.file)

    def start(self, *words: str, prepare: Any = None) -> Command:
        """Start or resume the event, here unless the options say otherwise."""
        return self.workspace.start(*RESUME, *(words or LOCAL), prepare=prepare)

    def wait_for_matches(self, command: Command, more: int | None = None) -> None:
        """Wait until more matches are stored, or until the event has ended."""
        wanted = self.workspace.count_matches() + (more or self.rng.randint(1, 6))
        until = time.monotonic() + _PATIENCE_S
        while command.poll() is None and self.workspace.count_matches() < wanted:
            assert time.monotonic() < until, "the event stands still"
            time.sleep(0.01)

    def workers(self, command: Command) -> list[int]:
        """List the worker processes of an event, or of a machine of a cluster."""
        return [
            pid
            for pid in descendants(command.pid)
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]

    def bots(self, command: Command) -> list[int]:
        """List the processes of bots, with those of their cages."""
        workers = self.workers(command)
        return [pid for worker in workers for pid in descendants(worker)]

    def signal_one(self, pids: list[int], number: int) -> int:
        """Send a signal to one of these processes; return its id, or 0 if it had ended."""
        if not pids:
            return 0
        pid = self.rng.choice(pids)
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return 0
        return pid

    def finish(self, *words: str, is_mount: bool = False) -> None:
        """Play the event to its end, compare the leagues, and see what is left.

        A cluster is still there. In a folder that `is_mount`, no process can be told by its mounts.
        """
        workspace = self.workspace
        if not workspace.is_finished():
            done = workspace.run(*RESUME, *(words or LOCAL))
            assert done.returncode == 0, done.stderr
        self.check(workspace.db)
        if not words:
            if not is_mount:
                workspace.wait_until_empty()
            left = workspace.leftover_folders()
            assert not left, f"left: {left}"

    def check(self, db: Path) -> None:
        """Compare a league with the undisturbed one, and verify it."""
        changed = differences(self.league.rows, _rows(db))
        # Why, if a bot was blamed.
        changed.sort(key=lambda row: not row.startswith("faults"))
        assert not changed, f"{len(changed)} rows differ: {changed[0]}"
        with Store.open(db) as store:
            wrong = check_league(store).wrong
        assert not wrong, wrong
