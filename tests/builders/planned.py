"""Planned matches of one pairing."""

from __future__ import annotations

from itertools import chain

from arena.games.randomness import Seed, seed_from
from arena.scheduling.pairing import Pairing, PlannedMatch, generations_of

SECRET = seed_from(1)


def matches_of(
    pairing: Pairing,
    *,
    deals: int,
    sides: tuple[int, ...],
    first: int,
    secret: Seed = SECRET,
) -> list[PlannedMatch]:
    """Return the matches of a pairing, numbered from `first`."""
    planned = generations_of(
        [pairing], deals=deals, sides=lambda seats: sides, first=first, secret=secret
    )
    return list(chain.from_iterable(planned))
