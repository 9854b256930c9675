"""What has happened in an event so far, and what does it say about each entrant's next seat?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from arena.games.randomness import Seed, derive
from arena.scheduling.pairing import Bye, Pairing


class Played(NamedTuple):
    """A pairing with its result."""

    pairing: Pairing
    points: tuple[Fraction, ...]
    """From 0 to 1 for each entrant, in the order of the seating."""


@dataclass(frozen=True, slots=True)
class History:
    """The rounds so far; in which order they are listed does not matter."""

    played: tuple[Played, ...] = ()
    byes: tuple[Bye, ...] = ()
    withdrawn: frozenset[int] = frozenset()
    """Entrants that are not to be seated again."""


class Entry(NamedTuple):
    """An entrant that wants a seat, and its way here."""

    entrant: int
    score: Fraction
    byes: int
    met: Counter[int]
    """How often it met each other entrant."""
    seats: list[int]
    """Where it sat, from the first round on."""


def ranked(
    history: History, *, entrants: int, seed: Seed, ratings: Sequence[float] | None
) -> list[Entry]:
    """List who has not withdrawn: by score, then by rating, then by lot."""
    byes = Counter(bye.entrant for bye in history.byes)
    scores = [Fraction(byes[entrant]) for entrant in range(entrants)]
    met: list[Counter[int]] = [Counter() for _ in range(entrants)]
    seats: list[list[int]] = [[] for _ in range(entrants)]
    for pairing, points in sorted(history.played):
        for seat, (entrant, gained) in enumerate(zip(pairing.seating, points, strict=True)):
            scores[entrant] += gained
            seats[entrant].append(seat)
            met[entrant].update(other for other in pairing.seating if other != entrant)

    def rank(entry: Entry) -> tuple[Fraction, float, Seed]:
        rating = ratings[entry.entrant] if ratings else 0.0
        return -entry.score, -rating, derive(seed, f"lot {entry.entrant}")

    entries = [
        Entry(entrant, scores[entrant], byes[entrant], met[entrant], seats[entrant])
        for entrant in range(entrants)
        if entrant not in history.withdrawn
    ]
    return sorted(entries, key=rank)


def whole_scores(entries: Sequence[Entry]) -> tuple[list[int], int]:
    """Return the scores in a unit that makes them whole, and how many of it are a point."""
    point = lcm(*(entry.score.denominator for entry in entries))
    return [int(entry.score * point) for entry in entries], point
