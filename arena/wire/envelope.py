"""The messages between referee and bot that are the same for all games.

The referee writes them and the SDK reads them, with the codec in use. The .proto files document
them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from typing import NamedTuple

from arena.games.randomness import Seed
from arena.wire.backend import IN_USE, PYTHON, Backend, DecisionCoder
from arena.wire.decisions import Decisions
from arena.wire.fields import ignored, read_varint, write_delimited, write_number
from arena.wire.message import Coder, Message
from arena.wire.schema import Schema
from arena.wire.v1.match_fields import ENUMS, MESSAGES

PROTOCOL = 1
"""The version of the protocol that this package implements."""
SOCKET = "ARENA_SOCKET"
"""The environment variable that gives a bot the path of the referee's socket."""
NOTE_CHARACTERS = 200
"""Maximum length of a note with a decision; the rest is cut."""
SERVICE, METHOD = "arena.wire.v1.Arena", "Play"
"""The service and method that a bot calls there."""


def commitment(seed: Seed, salt: bytes) -> bytes:
    """Return the hash that commits the referee to a match's deal.

    Every match has its own salt, so the hashes of two matches of one deal are unrelated.
    """
    # Imported here: bots import this module, and do not need OpenSSL, which hashlib loads.
    from hashlib import sha256

    return sha256(b"arena deal " + salt + seed).digest()


class WireClock(NamedTuple):
    """How thinking time is counted."""

    bank_s: float
    increment_s: float
    counts_cpu: bool = False
    wall_bank_s: float = 0.0
    wall_increment_s: float = 0.0


class MatchStart(NamedTuple):
    """A match begins."""

    match: int
    game: str
    seats: int
    seat: int
    parameters: bytes
    """A message `Parameters`."""
    clock: WireClock
    bot_seed: bytes
    commitment: bytes


class Request(NamedTuple):
    """A request for a decision."""

    match: int
    number: int
    events: tuple[bytes, ...]
    """Messages `Event`."""
    view: bytes
    """A message `View`."""
    time_left_s: float
    legal_actions: tuple[bytes, ...]
    """Messages `Action`."""
    wall_left_s: float = 0.0
    """0 unless the clock counts processor time."""


class MatchEnd(NamedTuple):
    """A match is over for a bot."""

    match: int
    places: tuple[int, ...]
    events: tuple[bytes, ...]
    """Messages `Event`."""
    scores: tuple[int, ...]
    ending: int
    sentence: str


class Batch(NamedTuple):
    """Everything waiting for a bot, as encoded messages."""

    starts: tuple[bytes, ...]
    requests: tuple[bytes, ...]
    ends: tuple[bytes, ...]
    goodbye: bytes


_schema = Schema(MESSAGES, ENUMS)
_schema.add_number("SeatEnding")
_schema.add_encoded("Action", "Decision", "Decisions", "Event", "Goodbye", "Hello")
_schema.add_encoded("MatchEnd", "MatchStart", "Parameters", "Request", "View")
_clock: Message[WireClock] = Message(WireClock, _schema.fields("Clock"))
_schema.add("Clock", _clock)
_match_start: Message[MatchStart] = Message(MatchStart, _schema.fields("MatchStart"))
_fields = _schema.fields("Request")
_request: Message[Request] = Message(Request, _fields)
_without_events: Message[Request] = Message(
    Request, {**_fields, "events": ignored(_fields["events"])}
)
_match_end: Message[MatchEnd] = Message(MatchEnd, _schema.fields("MatchEnd"))
_batch: Message[Batch] = Message(Batch, _schema.fields("FromReferee"))


def _tag(message: str, name: str) -> int:
    return _schema.fields(message)[name].tag


_decisions = Decisions(
    _tag("FromBot", "decisions"),
    _tag("Decisions", "decisions"),
    _tag("Decision", "match"),
    _tag("Decision", "number"),
    _tag("Decision", "action"),
    _schema.number("Action", "index") << 3,
    _tag("Decision", "note"),
)


class Envelope(NamedTuple):
    """The messages of this module in one codec."""

    clock: Coder[WireClock]
    match_start: Coder[MatchStart]
    request: Coder[Request]
    request_without_events: Callable[[bytes], Request]
    """Read a request without its events, for bots that do not use them."""
    match_end: Coder[MatchEnd]
    batch: Coder[Batch]
    decisions: DecisionCoder


def envelope_in(backend: Backend) -> Envelope:
    """Return the messages in a codec."""
    coder = backend.coder
    return Envelope(
        coder(_clock),
        coder(_match_start),
        coder(_request),
        _request_without_events if backend is PYTHON else coder(_without_events).read,
        coder(_match_end),
        coder(_batch),
        backend.decisions(_decisions),
    )


def hello(name: str, games: Iterable[str]) -> bytes:
    """Write a bot's `Hello`, as the first message of its call."""
    number = _schema.number
    parts = [
        write_number(number("Hello", "protocol"), PROTOCOL),
        write_delimited(number("Hello", "name"), name.encode()),
        *[write_delimited(number("Hello", "games"), game.encode()) for game in games],
    ]
    return write_delimited(number("FromBot", "hello"), b"".join(parts))


def goodbye(sentence: str) -> bytes:
    """Write a message `Goodbye`, which must not be empty: its presence is the message."""
    return write_delimited(_schema.number("Goodbye", "sentence"), sentence.encode())


_MATCH, _NUMBER, _EVENT, _VIEW, _TIME_LEFT, _WALL_LEFT = (
    _fields[name].tag
    for name in ("match", "number", "events", "view", "time_left_s", "wall_left_s")
)
_ONE_TIME = struct.Struct("<d").unpack_from
_TWO_TIMES = struct.Struct("<dxd").unpack_from


def _request_without_events(data: bytes) -> Request:
    try:
        return _read_in_order(data) or _without_events.read(data)
    except IndexError:
        # The fields that come last may be missing.
        return _without_events.read(data)


def _read_in_order(data: bytes) -> Request | None:
    """Read a request fast if its fields are in the order in which the referee writes them."""
    if not data or data[0] != _MATCH:
        return None
    match, at = read_varint(data, 1)
    number = 0
    if data[at] == _NUMBER:
        number, at = read_varint(data, at + 1)
    while data[at] == _EVENT:
        size = data[at + 1]
        at += 2
        if size > 127:
            size, at = read_varint(data, at - 1)
        at += size
    if data[at] != _VIEW:
        return None
    size, at = read_varint(data, at + 1)
    view = data[at : at + size]
    at += size
    end = len(data)
    if end == at + 9 and data[at] == _TIME_LEFT:
        return Request(match, number, (), view, _ONE_TIME(data, at + 1)[0], ())
    if end == at + 18 and data[at] == _TIME_LEFT and data[at + 9] == _WALL_LEFT:
        left_s, wall_left_s = _TWO_TIMES(data, at + 1)
        return Request(match, number, (), view, left_s, (), wall_left_s)
    return None


clock, match_start, request, request_without_events, match_end, batch, decisions = envelope_in(
    IN_USE
)
