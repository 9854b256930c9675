"""How are the referee's own messages written?

Those that travel often are put together from bytes, see `fields`; the rest are read and written
with the generated classes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from hashlib import sha256

from arena.games.randomness import Seed
from arena.wire.fields import Bytes, delimited, sints, uint, uints

PROTOCOL = 1
"""The version of the protocol that this package speaks."""

_match = uint(1)
_number = uint(2)
_seats = uint(3)
_seat = uint(4)
_places = uints(2)
_scores = sints(4)
_ending = uint(6)
_TIME_LEFT = bytes((5 << 3 | 1,))
_DOUBLE = struct.Struct("<d")


def commitment(seed: Seed) -> Bytes:
    """Return the hash by which the referee binds itself to a seed before it reveals it."""
    return sha256(b"arena deal " + seed).digest()


def _double(number: int, value: float) -> Bytes:
    return bytes((number << 3 | 1,)) + _DOUBLE.pack(value) if value else b""


def match_start(
    *,
    match: int,
    game_id: str,
    seats: int,
    seat: int,
    parameters: Bytes,
    clock: tuple[float, float],
    bot_seed: Bytes,
    commitment: Bytes,
) -> Bytes:
    """Write a match start, as a field of the batch."""
    bank_s, increment_s = clock
    return delimited(
        1,
        _match.put(match)
        + delimited(2, game_id.encode())
        + _seats.put(seats)
        + _seat.put(seat)
        + delimited(5, parameters)
        + delimited(6, _double(1, bank_s) + _double(2, increment_s))
        + delimited(7, bot_seed)
        + delimited(8, commitment),
    )


def event_field(event: Bytes) -> Bytes:
    """Write an event as a field of a request or of a match end."""
    return delimited(3, event)


def request(
    *,
    match: int,
    number: int,
    events: Iterable[Bytes],
    view: Bytes,
    time_left_s: float,
    legal_actions: Sequence[Bytes] = (),
) -> Bytes:
    """Write a request, as a field of the batch; `events` are fields already."""
    parts = [_match.put(match), _number.put(number), *events, delimited(4, view)]
    parts += (_TIME_LEFT, _DOUBLE.pack(time_left_s))
    parts += [delimited(6, action) for action in legal_actions]
    return delimited(2, b"".join(parts))


def match_end(
    *,
    match: int,
    events: Iterable[Bytes],
    places: Sequence[int],
    scores: Sequence[int],
    seed: Seed,
    ending: int,
    sentence: str,
) -> Bytes:
    """Write a match end, as a field of the batch; `events` are fields already."""
    parts = [_match.put(match), *events, _places.put(tuple(places)), _scores.put(tuple(scores))]
    if seed:
        parts.append(delimited(5, seed))
    parts.append(_ending.put(ending))
    parts.append(delimited(7, sentence.encode()))
    return delimited(3, b"".join(parts))


def goodbye(sentence: str) -> Bytes:
    """Write a goodbye, as a field of the batch."""
    return delimited(4, delimited(1, sentence.encode()))
