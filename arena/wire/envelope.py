"""The messages between referee and bot that are the same for all games.

The referee writes them and the SDK reads them, both with `fields`. The .proto files document them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from arena.games.randomness import Seed
from arena.wire.fields import cached, read_varint, write_delimited, write_number
from arena.wire.message import Message
from arena.wire.schema import Schema
from arena.wire.v1.match_fields import ENUMS, MESSAGES

PROTOCOL = 1
"""The version of the protocol that this package implements."""
SOCKET = "ARENA_SOCKET"
"""The environment variable that gives a bot the path of the referee's socket."""
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

clock: Message[WireClock] = Message(WireClock, _schema.fields("Clock"))
_schema.add("Clock", clock)
match_start: Message[MatchStart] = Message(MatchStart, _schema.fields("MatchStart"))
request_fields = _schema.fields("Request")
request: Message[Request] = Message(Request, request_fields)
match_end: Message[MatchEnd] = Message(MatchEnd, _schema.fields("MatchEnd"))
batch: Message[Batch] = Message(Batch, _schema.fields("FromReferee"))


_DECISION = _schema.fields("Decision")
_match, _number = _DECISION["match"], _DECISION["number"]
_ACTION, _INDEX = _schema.number("Decision", "action"), _schema.number("Action", "index")
_DECISIONS, _EACH = _schema.number("FromBot", "decisions"), _schema.number("Decisions", "decisions")
_action: Callable[[int], bytes] = cached(
    lambda action: write_delimited(_ACTION, write_number(_INDEX, action))
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


def decisions(requests: Sequence[Request], actions: Sequence[int]) -> bytes:
    """Write a bot's answers, one action for each request, as indices of the action space."""
    answers = [
        write_delimited(
            _EACH, _match.put(asked.match) + _number.put(asked.number) + _action(action)
        )
        for asked, action in zip(requests, actions, strict=True)
    ]
    return write_delimited(_DECISIONS, b"".join(answers))


def goodbye(sentence: str) -> bytes:
    """Write a message `Goodbye`, which must not be empty: its presence is the message."""
    return write_delimited(_schema.number("Goodbye", "sentence"), sentence.encode())


_MATCH, _NUMBER, _EVENT, _VIEW, _TIME_LEFT, _WALL_LEFT = (
    request_fields[name].tag
    for name in ("match", "number", "events", "view", "time_left_s", "wall_left_s")
)
_ONE_TIME = struct.Struct("<d").unpack_from
_TWO_TIMES = struct.Struct("<dxd").unpack_from


def request_without_events(data: bytes) -> Request:
    """Read a request without its events, for bots that do not use them.

    This is fast if the fields are in the order in which the referee writes them. Otherwise the
    request is read field by field, events included.
    """
    if not data or data[0] != _MATCH:
        return request.read(data)
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
        return request.read(data)
    size, at = read_varint(data, at + 1)
    view = data[at : at + size]
    at += size
    end = len(data)
    if end == at + 9 and data[at] == _TIME_LEFT:
        return Request(match, number, (), view, _ONE_TIME(data, at + 1)[0], ())
    if end == at + 18 and data[at] == _TIME_LEFT and data[at + 9] == _WALL_LEFT:
        left_s, wall_left_s = _TWO_TIMES(data, at + 1)
        return Request(match, number, (), view, left_s, (), wall_left_s)
    return request.read(data)
