"""What is in play right now, for whoever watches?

The league has only what is entered, and workers know no league. So the process that runs an event
keeps a notice beside the league's file: what it has handed out and how far it has come. The notice
is locked for as long as that process lives, so one that was left behind by a kill is told from one
that is true. Nobody depends on it: an event goes on where it cannot be written.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from arena.events.course import Course
from arena.events.progress import expected_matches
from arena.events.runner import EventRun

_PAUSE_S = 1.0
"""The notice is not renewed more often than that."""
_MOST_BYTES = 1 << 20
_LOOKS = 3


class BlockInPlay(NamedTuple):
    """Some matches that a worker has."""

    since: float
    """When they were handed out, in seconds since 1970."""
    matches: int
    """How many of them are not over."""
    bots: tuple[str, ...]


class InPlay(NamedTuple):
    """An event in play, and where it is."""

    event: str
    jobs: int
    round: int
    counted: int
    """How many matches have been entered."""
    expected: int
    """How many there will be, as far as one can tell."""
    faults: int
    rate: float
    """How many were entered in a second, since the process began."""
    blocks: tuple[BlockInPlay, ...]
    """The first handed out first."""


class Notice:
    """The notice of one run."""

    def __init__(
        self, run: EventRun, db: Path, *, event: str, jobs: int, rate: Callable[[Course], float]
    ) -> None:
        """Say of what it tells, and of which league."""
        self._run = run
        self._path = _path(db)
        self._event = event
        self._jobs = jobs
        self._rate = rate
        self._names = dict(zip(run.course.versions, run.names, strict=True))
        self._file: IO[str] | None = None
        self._written: InPlay | None = None
        self._renewed = -_PAUSE_S

    def tell(self, course: Course) -> None:
        """Renew the notice if something is new, and if it is time to."""
        now = time.monotonic()
        if now - self._renewed < _PAUSE_S:
            return
        in_play = self._in_play(course)
        if in_play == self._written:
            return
        self._renewed, self._written = now, in_play
        with suppress(OSError):
            self._put_up(in_play._replace(rate=self._rate(course)))

    def _in_play(self, course: Course) -> InPlay:
        blocks = tuple(
            BlockInPlay(
                handed.since,
                len(handed.missing),
                tuple(self._names[contender.version] for contender in handed.block.contenders),
            )
            for handed in self._run.in_play
        )
        return InPlay(
            self._event,
            self._jobs,
            course.round,
            course.counted,
            expected_matches(course),
            course.faults.total(),
            0.0,
            blocks,
        )

    def _put_up(self, in_play: InPlay) -> None:
        document = in_play._asdict() | {"blocks": [block._asdict() for block in in_play.blocks]}
        fresh = self._path.with_name(f"{self._path.name}.new")
        file = fresh.open("w", encoding="utf-8")
        try:
            # Locked before anybody can see it: nobody is to take it for one left behind.
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
        """Take the notice down at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take the notice down."""
        with suppress(OSError):
            self._path.unlink()
        self._close()


def in_play(db: Path) -> InPlay | None:
    """Tell what is in play in a league; None if nothing is."""
    # It may be renewed between being opened and being looked at: then the next look finds it.
    for _ in range(_LOOKS):
        try:
            with _path(db).open("rb") as file:
                if _is_held(file):
                    return _read(file.read(_MOST_BYTES))
        except OSError:
            return None
    return None


def _path(db: Path) -> Path:
    """Return where the notice of a league is; the file may have several names."""
    path = db.resolve()
    return path.with_name(f"{path.name}-playing")


def _is_held(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _read(content: bytes) -> InPlay | None:
    try:
        # A JSON document: its values differ in type.
        document: dict[str, Any] = json.loads(content)
        blocks = (BlockInPlay(**block) for block in document.pop("blocks"))
        return InPlay(
            **document, blocks=tuple(each._replace(bots=tuple(each.bots)) for each in blocks)
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
