"""The messages between referee and bot that are the same for all games.

The referee writes them and the SDK reads them, with the codec in use. The .proto files document
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from arena.games.randomness import Seed
from arena.wire.backend import IN_USE, Backend, DecisionCoder
from arena.wire.decisions import Decisions
from arena.wire.fields import (
    Field,
    double,
    flag,
    ignored,
    raw,
    raws,
    sints,
    text,
    uint,
    uints,
    write_delimited,
    write_number,
)
from arena.wire.message import Coder, Message, nested

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
    """0 unless the clock counts CPU time."""


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


_clock = Message(WireClock, [double(1), double(2), flag(3), double(4), double(5)])
_match_start = Message(
    MatchStart,
    [uint(1), text(2), uint(3), uint(4), raw(5), nested(6, _clock), raw(7), raw(8)],
)
_events = raws(3)
_request_fields: list[Field[Any]] = [
    uint(1),
    uint(2),
    _events,
    raw(4),
    double(5),
    raws(6),
    double(7),
]
_request = Message(Request, _request_fields)
_without_events = Message(
    Request, [ignored(each) if each is _events else each for each in _request_fields]
)
_match_end = Message(MatchEnd, [uint(1), uints(2), raws(3), sints(4), uint(6), text(7)])
_batch = Message(Batch, [raws(1), raws(2), raws(3), raw(4)])
INDEX = 1
"""The field of the message `Action` for an action's number."""
_decisions = Decisions(
    decisions=raw(2).tag,
    each=raw(1).tag,
    match=uint(1).tag,
    number=uint(2).tag,
    action=raw(3).tag,
    index=uint(INDEX).tag,
    note=text(4).tag,
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
        coder(_without_events).read,
        coder(_match_end),
        coder(_batch),
        backend.decisions(_decisions),
    )


def hello(name: str, games: Iterable[str]) -> bytes:
    """Write a bot's `Hello`, as the first message of its call."""
    parts = [
        write_number(1, PROTOCOL),
        write_delimited(2, name.encode()),
        *[write_delimited(3, game.encode()) for game in games],
    ]
    return write_delimited(1, b"".join(parts))


def goodbye(sentence: str) -> bytes:
    """Write a message `Goodbye`, which must not be empty: its presence is the message."""
    return write_delimited(1, sentence.encode())


clock, match_start, request, request_without_events, match_end, batch, decisions = envelope_in(
    IN_USE
)
