"""What does a schedule consist of, and which matches does one pairing come to?

A schedule is a stream of pairings: who sits together, in which round. Luck is cancelled, not
averaged: a pairing plays one or more deals, and each deal once in every rotation of the seats, from
the same seed. So each entrant of a pairing holds each hand of a deal, and sits in each seat, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.errors import BadInput
from arena.games.randomness import Seed, derive


class Pairing(NamedTuple):
    """Entrants that meet at one table."""

    round: int
    """From 1; nobody sits twice in a round."""
    number: int
    """The place in the event's schedule, from 0."""
    seating: tuple[int, ...]
    """The entrants, as indices of the event's field, seat 0 first."""


class Bye(NamedTuple):
    """An entrant that sits out a round."""

    round: int
    entrant: int


class PlannedMatch(NamedTuple):
    """One match of a pairing."""

    number: int
    """The place in the event's schedule, from 0: ratings are applied in this order."""
    pairing: int
    """The number of its pairing."""
    deal: int
    """Which deal of the pairing, from 0."""
    rotation: int
    """How many seats on everybody has moved from the pairing's seating."""
    seating: tuple[int, ...]
    """The entrants by seat, after the rotation."""


def rotations(sides: tuple[int, ...]) -> list[int]:
    """List by how many seats everybody can move on so that partners stay partners.

    `sides` tells for each seat the side it plays for. A rotation counts if it moves the seats of
    each side to the seats of one side. Where nobody has a partner, or partners sit evenly round
    the table, that is every rotation; then each entrant comes to each seat once.
    """
    seats = len(sides)
    return [
        rotation
        for rotation in range(seats)
        if len(set(zip(sides, sides[rotation:] + sides[:rotation], strict=True))) == len(set(sides))
    ]


def matches_of(
    pairing: Pairing, *, deals: int, sides: tuple[int, ...], first: int
) -> Iterator[PlannedMatch]:
    """Plan the matches of a pairing, numbered from `first`, all rotations of a deal together.

    `sides` is the game's, for as many seats as the pairing has.
    """
    seating = pairing.seating
    if len(sides) != len(seating):
        raise BadInput(f"pairing {pairing.number} has {len(seating)} seats, not {len(sides)}")
    turns = rotations(sides)
    for deal in range(deals):
        for place, rotation in enumerate(turns):
            yield PlannedMatch(
                number=first + deal * len(turns) + place,
                pairing=pairing.number,
                deal=deal,
                rotation=rotation,
                seating=seating[-rotation:] + seating[:-rotation],
            )


def deal_seed(event_seed: Seed, pairing: Pairing, deal: int) -> Seed:
    """Make the seed of one deal of a pairing, the same for all its rotations."""
    return derive(event_seed, f"pairing {pairing.number} deal {deal}")
