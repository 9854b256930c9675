"""Pairings, byes and the matches of a pairing.

A schedule is a stream of pairings: who sits together, in which round. A pairing plays each of its
deals once in every rotation of the seats, from the same seed. So each entrant of a pairing has each
hand of a deal, and each seat, once. bots/README.md says how much luck this cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, count
from typing import NamedTuple

from arena.games.randomness import Seed, derive
from arena.indices import EntrantIndex
from arena.secret import match_salt


class Pairing(NamedTuple):
    """Entrants that meet at one table."""

    round: int
    """From 1; an entrant has at most one table in a round."""
    number: int
    """The position in the event's schedule, from 0."""
    seating: tuple[EntrantIndex, ...]
    """The entrants, seat 0 first."""


class Bye(NamedTuple):
    """An entrant that sits out a round."""

    round: int
    entrant: EntrantIndex


class PlannedMatch(NamedTuple):
    """One match of a pairing, before it is played."""

    number: int
    """The position in the event's schedule, from 0: ratings are applied in this order."""
    pairing: int
    """The number of its pairing."""
    deal: int
    """Which deal of the pairing, from 0."""
    rotation: int
    """By how many seats the pairing's seating is rotated."""
    seating: tuple[EntrantIndex, ...]
    """The entrants by seat, after the rotation."""
    seed: Seed
    """The seed of its deal, the same for all rotations."""
    salt: bytes
    """Differs for every match."""


def rotations(sides: tuple[int, ...]) -> list[int]:
    """List the rotations, in seats, that keep partners together.

    `sides` has the side of each seat. A rotation is listed if it moves the seats of each side to
    the seats of one side. Without partners, or with partners evenly spaced round the table, that
    is every rotation, so each entrant gets each seat once.
    """
    seats = len(sides)
    return [
        rotation
        for rotation in range(seats)
        if len(set(zip(sides, sides[rotation:] + sides[:rotation], strict=True))) == len(set(sides))
    ]


def generations_of(
    pairings: Sequence[Pairing],
    *,
    deals: int,
    sides: Callable[[int], tuple[int, ...]],
    first: int,
    secret: Seed,
) -> Iterator[list[PlannedMatch]]:
    """Plan the matches of pairings, numbered from `first`: the first rotation of every deal comes
    before the second of any.

    Each list is a generation: it has one match of each deal. `sides` returns the side of each seat
    at a table with this number of seats. Seeds and salts are derived from the event's `secret`.
    """
    turns = [rotations(sides(len(pairing.seating))) for pairing in pairings]
    # Salts are numbered pairing by pairing.
    first_salts = list(accumulate((deals * len(each) for each in turns), initial=first))
    numbers = count(first)
    for turn in range(max(map(len, turns), default=0)):
        generation = []
        for pairing, allowed, first_salt in zip(pairings, turns, first_salts, strict=False):
            for rotation in allowed[turn : turn + 1]:
                seating = pairing.seating[-rotation:] + pairing.seating[:-rotation]
                generation += [
                    PlannedMatch(
                        next(numbers),
                        pairing.number,
                        deal,
                        rotation,
                        seating,
                        derive(secret, f"pairing {pairing.number} deal {deal}"),
                        match_salt(secret, first_salt + deal * len(allowed) + turn),
                    )
                    for deal in range(deals)
                ]
        yield generation
