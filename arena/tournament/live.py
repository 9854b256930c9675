"""A file beside the league that describes what is in play, for `arena event watch`.

The league contains only stored results, and workers have no access to it. So the process that runs
an event writes a live file: which blocks are in play and how far the event has come. It is locked
while that process lives, which distinguishes it from a file that a killed process left behind. If
it cannot be written, the event continues without it.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from arena.tournament.course import Course
from arena.tournament.progress import expected_matches
from arena.tournament.runner import EventRunner
from arena.workers.pool import MachineLoad

_PAUSE_S = 1.0
"""The shortest time between two updates of the file."""
_MAX_BYTES = 1 << 20
_ATTEMPTS = 3


class LiveBlock(NamedTuple):
    """A block that a worker is playing."""

    since: float
    """When it was handed out, in seconds since 1970."""
    matches: int
    """The number of its matches that are not over."""
    bots: tuple[str, ...]


class LiveMachine(NamedTuple):
    """A machine of the cluster that an event is played on."""

    name: str
    speed: float
    workers: int
    chunks: int
    """Parts of blocks in play."""
    matches: int
    """Matches in these parts."""
    rate: float
    """Matches that it returned per second."""


class LiveEvent(NamedTuple):
    """An event in play, and how far it has come."""

    event: str
    jobs: int
    round: int
    counted: int
    """The number of matches stored."""
    expected: int
    """The estimated number of matches in all; 0 if it is not known."""
    faults: int
    rate: float
    """Matches stored per second since the process started."""
    blocks: tuple[LiveBlock, ...]
    """The first handed out first."""
    machines: tuple[LiveMachine, ...] = ()
    """Those of the cluster that it is played on."""


class LiveFile:
    """The live file of one run; it is removed at the end of the `with` block."""

    def __init__(
        self,
        run: EventRunner,
        db: Path,
        *,
        event: str,
        jobs: int,
        rate: Callable[[Course], float],
        machines: Callable[[], Sequence[MachineLoad]] = tuple,
    ) -> None:
        """Describe `run`, in a file beside the league `db`; `machines` are those of its cluster."""
        self._run = run
        self._path = _path(db)
        self._event = event
        self._jobs = jobs
        self._rate = rate
        self._machines = machines
        self._began = time.monotonic()
        self._file: IO[str] | None = None
        self._written: LiveEvent | None = None
        self._written_at = -_PAUSE_S

    def update(self, course: Course) -> None:
        """Write the file if something has changed and the last write is long enough ago."""
        now = time.monotonic()
        if now - self._written_at < _PAUSE_S:
            return
        live = self._describe(course)
        if live == self._written:
            return
        self._written_at, self._written = now, live
        with suppress(OSError):
            self._write(live._replace(rate=self._rate(course)))

    def _describe(self, course: Course) -> LiveEvent:
        names = self._run.names
        blocks = tuple(
            LiveBlock(
                pending.since,
                len(pending.missing),
                tuple(names[bot.entrant] for bot in pending.block.bots),
            )
            for pending in self._run.in_play
        )
        return LiveEvent(
            self._event,
            sum(load.workers for load in self._machines()) or self._jobs,
            course.round,
            course.counted,
            expected_matches(course),
            course.faults.total(),
            0.0,
            blocks,
            tuple(map(self._live_machine, self._machines())),
        )

    def _live_machine(self, load: MachineLoad) -> LiveMachine:
        rate = load.played / max(time.monotonic() - self._began, 1e-9)
        return LiveMachine(*load.machine, load.workers, load.chunks, load.matches, round(rate, 1))

    def _write(self, live: LiveEvent) -> None:
        document = live._asdict() | {"blocks": [block._asdict() for block in live.blocks]}
        document["machines"] = [machine._asdict() for machine in live.machines]
        fresh = self._path.with_name(f"{self._path.name}.new")
        file = fresh.open("w", encoding="utf-8")
        try:
            # Locked before it is visible, so that it is never taken for one left behind.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.write(json.dumps(document))
            file.flush()
            os.replace(fresh, self._path)
        except OSError:
            file.close()
            fresh.unlink(missing_ok=True)
            raise
        self._close()
        self._file = file

    def _close(self) -> None:
        if self._file:
            self._file.close()

    def __enter__(self) -> Self:
        """Remove the file at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._path.unlink()
        self._close()


def read_live(db: Path) -> LiveEvent | None:
    """Return the event in play in a league; None if there is none."""
    # Retry: the file may be replaced between being opened and being read.
    for _ in range(_ATTEMPTS):
        try:
            with _path(db).open("rb") as file:
                if _is_locked(file):
                    return _read(file.read(_MAX_BYTES))
        except OSError:
            return None
    return None


def _path(db: Path) -> Path:
    """Return the path of a league's live file; links to the league give the same one."""
    path = db.resolve()
    return path.with_name(f"{path.name}-playing")


def _is_locked(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _read(content: bytes) -> LiveEvent | None:
    try:
        # A JSON document: its values differ in type.
        document: dict[str, Any] = json.loads(content)
        blocks = (LiveBlock(**block) for block in document.pop("blocks"))
        machines = tuple(LiveMachine(**each) for each in document.pop("machines", ()))
        return LiveEvent(
            **document,
            blocks=tuple(each._replace(bots=tuple(each.bots)) for each in blocks),
            machines=machines,
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
