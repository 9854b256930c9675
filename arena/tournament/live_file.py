"""A file beside the league that describes what is in play, for `arena event watch`.

The league contains only stored results, and workers have no access to it. So the process that runs
an event writes its progress to a live file. It is locked while that process lives, which
distinguishes it from a file that a killed process left behind. If it cannot be written, the event
continues without it.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from arena.tournament.progress import BlockInPlay, EventProgress
from arena.workers.assignments import MachineLoad
from arena.workers.pace import Pace

_PAUSE_S = 1.0
"""The shortest time between two updates of the file."""
_MAX_BYTES = 1 << 20
_ATTEMPTS = 3


class LiveFile:
    """The live file of one run; it is removed at the end of the `with` block."""

    def __init__(self, db: Path) -> None:
        """Prepare a file beside the league `db`."""
        self._path = _path(db)
        self._file: IO[str] | None = None
        self._written_at = -_PAUSE_S

    def update(self, progress: EventProgress) -> None:
        """Write the file if the last write is long enough ago."""
        now = time.monotonic()
        if now - self._written_at >= _PAUSE_S:
            self._written_at = now
            with suppress(OSError):
                self._write(json.dumps(progress))

    def _write(self, content: str) -> None:
        fresh = self._path.with_name(f"{self._path.name}.new")
        file = fresh.open("w", encoding="utf-8")
        try:
            # Locked before it is visible, so that it is never taken for one left behind.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.write(content)
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


def read_live(db: Path) -> EventProgress | None:
    """Return the progress of the event in play in a league; None if there is none."""
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


def _read(content: bytes) -> EventProgress | None:
    try:
        *figures, pace, leaders, blocks, machines = json.loads(content)
        return EventProgress._make(
            [
                *figures,
                Pace(*pace),
                tuple((name, points) for name, points in leaders),
                tuple(BlockInPlay(since, matches, tuple(bots)) for since, matches, bots in blocks),
                tuple(MachineLoad(*each) for each in machines),
            ]
        )
    except (ValueError, TypeError):
        return None
