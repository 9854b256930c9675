"""Find the stored match that a word names: a replay file, or EVENT/NUMBER in the league.

Where a command takes several matches, the name of an event stands for all of its matches.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError, BadInput, BadReplay
from arena.records import Record
from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.text import plain

_FILE_LIMIT = 64 << 20
"""No replay is larger: the evidence in it is limited, and so is the length of a match."""
_IN_LEAGUE = re.compile(r"(.+)/([0-9]{1,18})")


class NoSuchMatch(ArenaError):
    """The league has no such match, or its replay does not verify."""


class VerifiedMatch(NamedTuple):
    """A match, and the limits of its bots."""

    record: Record
    limits: dict[str, int]


def stored_match(word: str, db: Path) -> VerifiedMatch:
    """Find a match and verify it; `word` is a replay file, or EVENT/NUMBER in the league."""
    # Not Path.is_file, which raises an error if the word is too long.
    if os.path.isfile(word):
        return VerifiedMatch(verified_record(Path(word)), {})
    in_league = _IN_LEAGUE.fullmatch(word)
    if in_league:
        return _match_in_league(in_league[1], int(in_league[2]), db)
    raise BadInput(f"{word!r} is neither a replay file nor EVENT/NUMBER, such as cup/17")


class StoredReplay(NamedTuple):
    """A replay that is not verified yet, with its name for messages."""

    name: str
    """The file, or EVENT/NUMBER."""
    number: int | None
    """The number of the match in its event; None for a file."""
    data: bytes
    unreadable: str = ""
    """Why the file cannot be read; empty if it can."""

    def read(self) -> Record:
        """Decode it without verifying it."""
        if self.unreadable:
            raise BadReplay(self.unreadable)
        return read_replay(self.data)

    def verified(self) -> Record:
        """Decode and verify it: a forged match cannot be exported."""
        try:
            return _verify_record(self.read())
        except BadReplay as error:
            raise BadReplay(f"{self.name}: {error}") from None


def is_event(word: str) -> bool:
    """Tell whether a word is written like the name of an event, not of one match."""
    return not os.path.isfile(word) and not _IN_LEAGUE.fullmatch(word)


def stored_replays(word: str, db: Path) -> Iterator[StoredReplay]:
    """Yield the replay that `word` names, or all replays of an event that it names."""
    if os.path.isfile(word):
        try:
            yield StoredReplay(word, None, _read_file(Path(word)))
        except BadReplay as error:
            yield StoredReplay(word, None, b"", str(error))
        return
    in_league = _IN_LEAGUE.fullmatch(word)
    if in_league:
        yield _replay_in_league(in_league[1], int(in_league[2]), db)[0]
        return
    if not db.exists():
        raise BadInput(
            f"{word!r} is neither a replay file nor EVENT/NUMBER, such as cup/17, nor an event: "
            f"there is no league {db}"
        )
    yield from _replays_of_event(word, db)


def _replays_of_event(name: str, db: Path) -> Iterator[StoredReplay]:
    from arena.cli.options.league import reading
    from leaderboard.events import find_event
    from leaderboard.matches import numbered_replays

    with reading(db) as store:
        event = find_event(store, name)
        for number, data in numbered_replays(store, event.id):
            yield StoredReplay(f"{name}/{number}", number, data)


def check_seat(word: str, record: Record, seat: int | None) -> None:
    """Raise an error if the match does not have this seat."""
    seats = len(record.entrants)
    if seat is not None and seat >= seats:
        raise BadInput(f"{word} has no seat {seat}: its seats are 0 to {seats - 1}")


def verified_record(path: Path) -> Record:
    """Read a replay and verify it: a forged one cannot be shown or exported."""
    try:
        return _verify_record(read_replay(_read_file(path)))
    except BadReplay as error:
        raise BadReplay(f"{path}: {error}") from None


def _read_file(path: Path) -> bytes:
    """Read a file that may be a replay."""
    try:
        with path.open("rb") as file:
            data = file.read(_FILE_LIMIT + 1)
    except OSError as error:
        raise BadReplay(f"cannot read it: {error.strerror}") from None
    if len(data) > _FILE_LIMIT:
        raise BadReplay(f"it has more than {_FILE_LIMIT} bytes, too many for a replay")
    return data


def _verify_record(record: Record) -> Record:
    complaints = verify(record)
    if complaints:
        raise BadReplay(f"it does not follow the rules: {plain(complaints[0])}")
    return record


def _match_in_league(event: str, number: int, db: Path) -> VerifiedMatch:
    replay, limits = _replay_in_league(event, number, db)
    try:
        return VerifiedMatch(_verify_record(replay.read()), limits)
    except BadReplay as error:
        raise NoSuchMatch(f"{event}/{number}: {error}") from None


def _replay_in_league(event: str, number: int, db: Path) -> tuple[StoredReplay, dict[str, int]]:
    """Return the replay of a match, and the limits of its event."""
    # Imported late: a replay file needs no league, and should appear at once.
    from arena.cli.options.league import reading
    from arena.tournament.setup import spec_of
    from leaderboard.events import find_event
    from leaderboard.matches import replay_of

    with reading(db) as store:
        stored_event = find_event(store, event)
        limits = dict(spec_of(stored_event).limits)
        data = replay_of(store, stored_event.id, number)
    if data is None:
        yet = "" if stored_event.status == "finished" else " yet"
        raise NoSuchMatch(f"event {event} has no match {number}{yet}")
    return StoredReplay(f"{event}/{number}", number, data), limits
