"""The history of a Swiss event: results, byes, withdrawals, and the ranking that follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from arena.games.randomness import Seed, derive
from arena.indices import EntrantIndex, Seat
from arena.scheduling.groups import Groups, others_in_group
from arena.scheduling.pairing import Bye, Pairing


class Played(NamedTuple):
    """A pairing with its result."""

    pairing: Pairing
    points: tuple[Fraction, ...]
    """From 0 to 1 for each entrant, in the order of the seating."""


@dataclass(frozen=True, slots=True)
class History:
    """The rounds so far, listed in any order."""

    played: tuple[Played, ...] = ()
    byes: tuple[Bye, ...] = ()
    withdrawn: frozenset[EntrantIndex] = frozenset()
    """Entrants that play no further rounds."""


class Entry(NamedTuple):
    """An entrant to be seated, with its history."""

    entrant: EntrantIndex
    score: Fraction
    byes: int
    met: Counter[EntrantIndex]
    """How often it met each other entrant."""
    seats: list[Seat]
    """Its seats, from the first round on."""
    apart: frozenset[EntrantIndex] = frozenset()
    """Entrants that it must not meet."""


def rank_entrants(
    history: History,
    *,
    entrants: int,
    seed: Seed,
    groups: Groups = (),
) -> list[Entry]:
    """List the entrants that have not withdrawn: by score, then by lot."""
    apart = others_in_group(groups, entrants)
    byes = Counter(bye.entrant for bye in history.byes)
    field = [EntrantIndex(entrant) for entrant in range(entrants)]
    scores = [Fraction(byes[entrant]) for entrant in field]
    met: list[Counter[EntrantIndex]] = [Counter() for _ in field]
    seats: list[list[Seat]] = [[] for _ in field]
    for pairing, points in sorted(history.played):
        for seat, (entrant, gained) in enumerate(zip(pairing.seating, points, strict=True)):
            scores[entrant] += gained
            seats[entrant].append(Seat(seat))
            met[entrant].update(other for other in pairing.seating if other != entrant)

    entries = [
        Entry(
            *(entrant, scores[entrant], byes[entrant], met[entrant], seats[entrant]),
            frozenset(map(EntrantIndex, apart[entrant])),
        )
        for entrant in field
        if entrant not in history.withdrawn
    ]
    return sorted(entries, key=lambda entry: (-entry.score, derive(seed, f"lot {entry.entrant}")))


def whole_scores(entries: Sequence[Entry]) -> tuple[list[int], int]:
    """Return the scores as integers in a common unit, and the size of a point in that unit."""
    point = lcm(*(entry.score.denominator for entry in entries))
    return [int(entry.score * point) for entry in entries], point
