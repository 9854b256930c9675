"""Which stored match is meant?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.cli.db import reading
from arena.errors import ArenaError, BadInput, BadReplay, UnknownName
from arena.events.league import spec_of
from arena.manifest import Manifest, read_manifest
from arena.records import Entrant, Record
from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.sandbox.locks import Lock
from arena.sandbox.places import fresh
from leaderboard.bots import find_version, package_of
from leaderboard.events import event_named
from leaderboard.matches import replay_of
from leaderboard.packing import unpack

_FILE_LIMIT = 64 << 20
"""More bytes than any replay has."""


class NotPlayable(ArenaError):
    """A stored match cannot be played again."""


class StoredMatch(NamedTuple):
    """A match, and under which limits its bots ran."""

    record: Record
    limits: dict[str, int]


def stored_match(word: str, db: Path) -> StoredMatch:
    """Find a match whose record is true: a replay file, or EVENT/NUMBER in the league."""
    event, slash, number = word.rpartition("/")
    limits: dict[str, int] = {}
    if Path(word).is_file():
        with Path(word).open("rb") as file:
            replay = file.read(_FILE_LIMIT)
    elif slash and number.isdecimal() and not Path(event).is_dir():
        with reading(db) as store:
            found = event_named(store, event)
            limits = dict(spec_of(found).limits)
            content = replay_of(store, found.id, int(number))
        if content is None:
            raise NotPlayable(f"{event} has not played a match {number}")
        replay = content
    else:
        raise BadInput(f"{word!r} is neither a replay file nor EVENT/NUMBER, such as cup/17")
    try:
        record = read_replay(replay)
    except BadReplay as error:
        raise NotPlayable(f"{word}: {error}") from None
    complaints = verify(record)
    if complaints:
        raise NotPlayable(f"{word} does not follow the rules: {complaints[0]}")
    return StoredMatch(record, limits)


@contextmanager
def submitted_bot(entrant: Entrant, db: Path) -> Iterator[tuple[Manifest, Lock | None]]:
    """Unpack the version that played, as the league has it."""
    if not entrant.version:
        raise BadInput(f"the match does not say which bot {entrant.name} was: name it with --bot")
    with reading(db) as store:
        try:
            version = find_version(store, f"{entrant.name}@{entrant.version}")
        except UnknownName as error:
            raise UnknownName(f"{error}; or name the bot with --bot") from None
        package = package_of(store, version.id)
    with fresh() as folder:
        unpack(package, folder / "bot", expected=version.hash)
        yield read_manifest(folder / "bot"), Lock.read(version.lock) if version.lock else None
