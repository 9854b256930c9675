"""The messages between referee and bot that are the same for all games, in the codec in use.

The .proto files document them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from arena.games.randomness import Seed
from arena.wire.backend import IN_USE, Backend
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
)
from arena.wire.message import Coder, Message, SingleField, nested, optional, repeated

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


class WireHello(NamedTuple):
    """The name and the abilities of a bot."""

    protocol: int
    name: str
    games: tuple[bytes, ...]
    """Their ids as bytes, which may be anything."""
    wants_legal_actions: bool = False


class WireDecision(NamedTuple):
    """The answer to a request."""

    match: int
    number: int
    action: bytes
    """A message `Action`."""
    note: str = ""


class FromBot(NamedTuple):
    """A message of a bot, which has one of these."""

    hello: WireHello | None
    decisions: tuple[WireDecision, ...] | None


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
_hello = Message(WireHello, [uint(1), text(2), raws(3), flag(4)])
_decision = Message(WireDecision, [uint(1), uint(2), raw(3), text(4)])
_from_bot = Message(
    FromBot, [optional(1, _hello), optional(2, SingleField(repeated(1, _decision)))]
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
    from_bot: Coder[FromBot]


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
        coder(_from_bot),
    )


def goodbye(sentence: str) -> bytes:
    """Write a message `Goodbye`, which must not be empty: its presence is the message."""
    return write_delimited(1, sentence.encode())


clock, match_start, request, request_without_events, match_end, batch, from_bot = envelope_in(
    IN_USE
)
