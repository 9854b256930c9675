"""Planned matches of one pairing."""

from __future__ import annotations

from itertools import chain

from arena.scheduling.pairing import Pairing, PlannedMatch, generations_of


def matches_of(
    pairing: Pairing, *, deals: int, sides: tuple[int, ...], first: int
) -> list[PlannedMatch]:
    """Return the matches of a pairing, numbered from `first`."""
    planned = generations_of([pairing], deals=deals, sides=lambda seats: sides, first=first)
    return list(chain.from_iterable(planned))
