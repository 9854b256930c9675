"""Simulate Swiss events."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

from arena.games.outcome import places_by
from arena.games.randomness import Seed, derive, seed_from
from arena.indices import EntrantIndex
from arena.scheduling.groups import Groups
from arena.scheduling.pairing import Pairing
from arena.scheduling.points import points_of
from arena.scheduling.swiss import History, Played, Round, swiss_round
from tests.indices import entrants_in

ANY_SIZE = range(2, 7)


def by_lot(entrants: int, seed: Seed) -> list[EntrantIndex]:
    """Return the entrants in the order of their lots, which decides among equals."""
    return sorted(entrants_in(range(entrants)), key=lambda one: derive(seed, f"lot {one}"))


def draw_result(pairing: Pairing, rng: Random, *, levels: int) -> Played:
    """Draw a result: low numbers win more often, and few levels make many ties."""
    merits = [round(rng.gauss(-entrant / 8, 1) * levels) for entrant in pairing.seating]
    return Played(pairing, points_of(places_by(merits)))


def rounds_of(
    entrants: int,
    seats: int,
    rounds: int,
    *,
    seed: int,
    allowed: Collection[int] = ANY_SIZE,
    levels: int = 100,
    leaving: float = 0.0,
    groups: Groups = (),
) -> Iterator[tuple[History, Round]]:
    """Simulate an event; yield each round with the history before it.

    `leaving` is the probability that an entrant withdraws after a round.
    """
    rng = Random(seed)
    history = History()
    for _ in range(rounds):
        next_round = swiss_round(
            history,
            entrants=entrants,
            seats=seats,
            allowed_sizes=allowed,
            seed=seed_from(seed),
            groups=groups,
        )
        yield history, next_round
        withdrawn = {each for each in entrants_in(range(entrants)) if rng.random() < leaving}
        history = History(
            history.played + tuple(draw_result(p, rng, levels=levels) for p in next_round.pairings),
            history.byes + next_round.byes,
            history.withdrawn | withdrawn,
        )


def meetings(history: History) -> Counter[frozenset[int]]:
    """Count how often each pair has met."""
    return Counter(
        frozenset(pair)
        for pairing, _ in history.played
        for pair in combinations(pairing.seating, 2)
    )


def scores(history: History) -> defaultdict[int, Fraction]:
    """Add up the points of each entrant."""
    totals: defaultdict[int, Fraction] = defaultdict(Fraction)
    for bye in history.byes:
        totals[bye.entrant] += 1
    for pairing, points in history.played:
        for entrant, gained in zip(pairing.seating, points, strict=True):
            totals[entrant] += gained
    return totals
