"""How does a simulated Swiss event go?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

from arena.games.core import places_by
from arena.games.randomness import seed_from
from arena.scheduling.pairing import Pairing
from arena.scheduling.points import points_of
from arena.scheduling.swiss import History, Played, Round, swiss_round

ANY_SIZE = range(2, 7)


def played(pairing: Pairing, rng: Random, *, levels: int) -> Played:
    """Let those with low numbers win more often; few levels make many ties."""
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
) -> Iterator[tuple[History, Round]]:
    """Simulate an event; yield each round with all that was known before it.

    `leaving` is the chance that somebody withdraws after a round.
    """
    rng = Random(seed)
    history = History()
    for _ in range(rounds):
        this = swiss_round(
            history, entrants=entrants, seats=seats, allowed_sizes=allowed, seed=seed_from(seed)
        )
        yield history, this
        gone = {entrant for entrant in range(entrants) if rng.random() < leaving}
        history = History(
            history.played + tuple(played(p, rng, levels=levels) for p in this.pairings),
            history.byes + this.byes,
            history.withdrawn | gone,
        )


def meetings(history: History) -> Counter[frozenset[int]]:
    """Count how often each two have met."""
    return Counter(
        frozenset(pair)
        for pairing, _ in history.played
        for pair in combinations(pairing.seating, 2)
    )


def scores(history: History) -> defaultdict[int, Fraction]:
    """Add up what everybody has."""
    totals: defaultdict[int, Fraction] = defaultdict(Fraction)
    for bye in history.byes:
        totals[bye.entrant] += 1
    for pairing, points in history.played:
        for entrant, gained in zip(pairing.seating, points, strict=True):
            totals[entrant] += gained
    return totals
