"""Which stored match is meant?"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError, BadInput, BadReplay
from arena.records import Record
from arena.replays.format import read_replay
from arena.replays.story import plain
from arena.replays.verify import verify

_FILE_LIMIT = 64 << 20
"""More bytes than any replay has: evidence is limited, and so are matches."""
_IN_LEAGUE = re.compile(r"(.+)/([0-9]{1,18})")


class NoSuchMatch(ArenaError):
    """The league has no such match, or one that is not true."""


class StoredMatch(NamedTuple):
    """A match, and under which limits its bots ran."""

    record: Record
    limits: dict[str, int]


def stored_match(word: str, db: Path) -> StoredMatch:
    """Find a match whose record is true: a replay file, or EVENT/NUMBER in the league."""
    # The function of os.path, because that of Path fails for a word that is too long.
    if os.path.isfile(word):
        return StoredMatch(true_record(Path(word)), {})
    in_league = _IN_LEAGUE.fullmatch(word)
    if in_league:
        return _match_of_league(in_league[1], int(in_league[2]), db)
    raise BadInput(f"{word!r} is neither a replay file nor EVENT/NUMBER, such as cup/17")


def check_seat(word: str, record: Record, seat: int | None) -> None:
    """Refuse a seat that a match does not have."""
    seats = len(record.entrants)
    if seat is not None and seat >= seats:
        raise BadInput(f"{word} has no seat {seat}: its seats are 0 to {seats - 1}")


def true_record(path: Path) -> Record:
    """Read a replay that tells the truth: a lie could be neither shown nor exported as one."""
    try:
        return _true(file_record(path))
    except BadReplay as error:
        raise BadReplay(f"{path}: {error}") from None


def file_record(path: Path) -> Record:
    """Read a replay, which may be a lie."""
    try:
        with path.open("rb") as file:
            data = file.read(_FILE_LIMIT + 1)
    except OSError as error:
        raise BadReplay(f"it cannot be read: {error.strerror}") from None
    if len(data) > _FILE_LIMIT:
        raise BadReplay(f"it has more than {_FILE_LIMIT} bytes, and no replay does")
    return read_replay(data)


def _true(record: Record) -> Record:
    complaints = verify(record)
    if complaints:
        raise BadReplay(f"it does not follow the rules: {plain(complaints[0])}")
    return record


def _match_of_league(event: str, number: int, db: Path) -> StoredMatch:
    # Imported late: a file needs none of it, and is to be shown at once.
    from arena.cli.db import reading
    from arena.events.holding import spec_of
    from leaderboard.events import event_named
    from leaderboard.matches import replay_of

    with reading(db) as store:
        found = event_named(store, event)
        limits = dict(spec_of(found).limits)
        replay = replay_of(store, found.id, number)
    if replay is None:
        raise NoSuchMatch(f"{event} has not played a match {number}")
    try:
        return StoredMatch(_true(read_replay(replay)), limits)
    except BadReplay as error:
        raise NoSuchMatch(f"{event}/{number}: {error}") from None
