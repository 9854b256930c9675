"""What do the referee's own messages look like?

Written by the referee and read by the SDK, both with `fields`. The .proto files say what they mean.
"""

from __future__ import annotations

import struct
from hashlib import sha256
from typing import NamedTuple

from arena.games.randomness import Seed
from arena.wire.composite import Message, nested
from arena.wire.fields import (
    delimited,
    double,
    flag,
    raw,
    raws,
    read_varint,
    sints,
    text,
    uint,
    uints,
)

PROTOCOL = 1
"""The version of the protocol that this package speaks."""
SOCKET = "ARENA_SOCKET"
"""The environment variable that names the referee's socket to a bot."""
SERVICE, METHOD = "arena.wire.v1.Arena", "Play"
"""What a bot calls there."""


def commitment(seed: Seed, salt: bytes) -> bytes:
    """Return the hash by which the referee binds itself to a match's deal.

    The salt belongs to the match alone, so two matches of one deal have nothing in common.
    """
    return sha256(b"arena deal " + salt + seed).digest()


class Clock(NamedTuple):
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
    clock: Clock
    bot_seed: bytes
    commitment: bytes


class Request(NamedTuple):
    """A decision is wanted."""

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
    """0 with a clock that counts no processor time."""


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
    """Everything that waits for a bot, each as a message of its own."""

    starts: tuple[bytes, ...]
    requests: tuple[bytes, ...]
    ends: tuple[bytes, ...]
    goodbye: bytes


clock: Message[Clock] = Message(
    Clock,
    {
        "bank_s": double(1),
        "increment_s": double(2),
        "counts_cpu": flag(3),
        "wall_bank_s": double(4),
        "wall_increment_s": double(5),
    },
)

match_start: Message[MatchStart] = Message(
    MatchStart,
    {
        "match": uint(1),
        "game": text(2),
        "seats": uint(3),
        "seat": uint(4),
        "parameters": raw(5),
        "clock": nested(6, clock),
        "bot_seed": raw(7),
        "commitment": raw(8),
    },
)

request: Message[Request] = Message(
    Request,
    {
        "match": uint(1),
        "number": uint(2),
        "events": raws(3),
        "view": raw(4),
        "time_left_s": double(5),
        "legal_actions": raws(6),
        "wall_left_s": double(7),
    },
)

match_end: Message[MatchEnd] = Message(
    MatchEnd,
    {
        "match": uint(1),
        "places": uints(2),
        "events": raws(3),
        "scores": sints(4),
        "ending": uint(6),
        "sentence": text(7),
    },
)

batch: Message[Batch] = Message(
    Batch, {"starts": raws(1), "requests": raws(2), "ends": raws(3), "goodbye": raw(4)}
)


def goodbye(sentence: str) -> bytes:
    """Write a message `Goodbye`; it is never empty, so that it is there."""
    return delimited(1, sentence.encode())


_ONE_TIME = struct.Struct("<d").unpack_from
_TWO_TIMES = struct.Struct("<dxd").unpack_from


def request_without_events(data: bytes) -> Request:
    """Read a request for somebody who does not listen to events.

    It is read in the order in which the referee writes it; any other is read field by field.
    """
    if data[:1] != b"\x08":
        return request.read(data)
    match, at = read_varint(data, 1)
    number = 0
    if data[at] == 0x10:
        number, at = read_varint(data, at + 1)
    while data[at] == 0x1A:
        size = data[at + 1]
        at += 2
        if size > 127:
            size, at = read_varint(data, at - 1)
        at += size
    if data[at] != 0x22:
        return request.read(data)
    size, at = read_varint(data, at + 1)
    view = data[at : at + size]
    at += size
    end = len(data)
    if end == at + 9 and data[at] == 0x29:
        return Request(match, number, (), view, _ONE_TIME(data, at + 1)[0], ())
    if end == at + 18 and data[at] == 0x29 and data[at + 9] == 0x39:
        left_s, wall_left_s = _TWO_TIMES(data, at + 1)
        return Request(match, number, (), view, left_s, (), wall_left_s)
    return request.read(data)
