"""Find the bots that a call names, and keep them on disk while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.sandbox.packages.lockfile import Lockfile
from arena.sandbox.tempdir import temp_dir
from arena.submission.lookup import find_bot
from arena.submission.manifest import Manifest, read_manifest
from arena.submission.package import unpack
from leaderboard.bots import LeagueBots, Version
from leaderboard.store import Store


class RunnableBot(NamedTuple):
    """A bot that a cage can start."""

    manifest: Manifest
    lockfile: Lockfile | None = None
    """The packages that a version of the league was submitted with."""


def league_bots(db: Path, stack: ExitStack) -> LeagueBots:
    """Return the bots of a league; it need not exist, and `stack` closes it."""
    return LeagueBots(lambda: stack.enter_context(Store.open(db)) if db.exists() else None)


@contextmanager
def bots_on_disk(words: Iterable[str], db: Path) -> Iterator[list[RunnableBot]]:
    """Find bots; versions of the league are unpacked for as long as the block runs."""
    with ExitStack() as stack:
        league = league_bots(db, stack)
        bots = []
        for word in words:
            found = find_bot(word, league)
            if isinstance(found, Version):
                bots.append(stack.enter_context(unpack_version(found, league.package(found))))
            else:
                bots.append(RunnableBot(found))
        yield bots


@contextmanager
def unpack_version(version: Version, package: bytes) -> Iterator[RunnableBot]:
    """Unpack a version of the league for as long as the block runs."""
    with temp_dir() as folder:
        unpack(package, folder / "bot", expected=version.hash)
        lockfile = Lockfile.read(version.lock) if version.lock else None
        yield RunnableBot(read_manifest(folder / "bot"), lockfile)
