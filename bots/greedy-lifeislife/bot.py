"""Strategy: make the swap that leaves the best hand, and knock once the hand is good enough.

Majorities: an animal counts its value times the probability that no other hand has as many of it.
Cards that a player took from a row are known to be in that hand; all others may be any that this
seat cannot see.

Sudden death: a complete set counts more than a hand's majorities. An incomplete set counts a part
of that, less for each card it lacks, and nothing if another hand is known to have such a card or if
the last lap leaves no time for it.

When to knock: the majorities estimate how many points the hand would score. Above a threshold that
depends on the number of players, it is probably the highest, and waiting would only help the
others. In the last lap, swap only if it gains something.
"""

from __future__ import annotations

from functools import cache
from math import comb
from operator import mul

from arena.games.lifeislife.cards import (
    ANIMALS,
    KNOCK,
    LAID,
    ROW_OF,
    ROWS,
    VALUES,
    count_of,
    size_of,
)
from arena.games.lifeislife.view import View
from arena.sdk import Bot, run

SUDDEN_DEATH = 40.0
"""The worth of a complete set, in points."""
MISSING_FACTOR = 0.2
"""The factor for each card that a set lacks."""
ENOUGH = {2: 28.0, 3: 23.0, 4: 20.0, 5: 18.0}
"""The points that are enough to knock, by the number of players, in a match of the usual size."""

KINDS = range(len(ANIMALS))
MOST = max(VALUES)
COUNTS = ROWS + 1
LAID_CARDS = tuple(
    tuple(COUNTS * kind + count_of(herd, kind) for kind in KINDS if count_of(herd, kind))
    for herd in LAID
)
"""The animals that each action lays: for each, its kind times `COUNTS`, plus how many."""


class GreedyLifeIsLife(Bot):
    """Adds up what the animals in a hand are worth."""

    name = "greedy-lifeislife"
    games = ("lifeislife",)

    def choose(self, view: View) -> int:
        """Swap for the best hand, or knock."""
        points = points_of(view)
        worths = [with_sets(kind, points[kind], view) for kind in KINDS]
        hand = [count_of(view.hand_herd, kind) for kind in KINDS]
        now = sum([points[kind][hand[kind]] for kind in KINDS])
        merits = swap_merits(view, worths, hand, self.legal_actions(view))
        best = max(merits, key=merits.__getitem__)
        if not view.may_knock or merits[best] >= SUDDEN_DEATH:
            return best
        if view.knocker < 0:
            share = sum(view.parameters.pack.values) / sum(VALUES)
            return KNOCK if now >= share * ENOUGH[len(view.players)] else best
        return best if merits[best] > now else KNOCK


def swap_merits(
    view: View, worths: list[list[float]], hand: list[int], legal: list[int]
) -> dict[int, float]:
    """Return the worth of the hand after each legal swap."""
    full = []
    losses = []
    for most_laid, row in enumerate(view.row_herds, start=1):
        held = [count + count_of(row, kind) for kind, count in enumerate(hand)]
        full.append(sum([worths[kind][held[kind]] for kind in KINDS]))
        # The cost of laying one, two or more of an animal, looked up for hundreds of swaps.
        loss = [0.0] * (COUNTS * len(KINDS))
        for kind, worth in enumerate(worths):
            for laid in range(1, min(hand[kind], most_laid) + 1):
                loss[COUNTS * kind + laid] = worth[held[kind]] - worth[held[kind] - laid]
        losses.append(loss)
    merits = {}
    for action in legal:
        if action != KNOCK:
            row_at = ROW_OF[action]
            loss = losses[row_at]
            merits[action] = full[row_at] - sum([loss[laid] for laid in LAID_CARDS[action]])
    return merits


def points_of(view: View) -> list[list[float]]:
    """Return the expected points for zero, one, two and more cards of each animal."""
    rivals = [seat for seat in view.players if seat != view.seat]
    # With two players, a single card is not a majority.
    least = 2 if len(rivals) == 1 else 1
    unseen_herd = view.unseen_herd
    unseen = [count_of(unseen_herd, kind) for kind in KINDS]
    total = sum(unseen)
    points = []
    for kind, value in enumerate(view.parameters.pack.values):
        chances = [0.0] * least + [1.0] * (value + 1 - least)
        for seat in rivals:
            known = view.known_herds[seat]
            held = count_of(known, kind)
            odds = chance_of_fewer(total, unseen[kind], view.parameters.hand_size - size_of(known))
            # Up to as many as the rival is known to have, none of its other cards may be one.
            odds = odds[:1] * held + odds
            chances = list(map(mul, chances, odds))
        points.append([value * chance for chance in chances])
    return points


def with_sets(kind: int, points: list[float], view: View) -> list[float]:
    """Add the worth of complete and incomplete sets to an animal's points."""
    pack = view.parameters.pack
    if kind not in pack.sets:
        return points
    complete = pack.values[kind]
    worths = [*points[:complete], SUDDEN_DEATH]
    known = [count_of(herd, kind) for herd in view.known_herds]
    if sum(known) == known[view.seat] and view.knocker < 0:
        for count in range(complete):
            worths[count] += SUDDEN_DEATH * MISSING_FACTOR ** (complete - count)
    return worths


@cache
def chance_of_fewer(total: int, marked: int, size: int) -> list[float]:
    """Return, for each n from 0 to 9, the probability that a hand has fewer than n marked cards.

    The hand is `size` of `total` cards, some of them marked.
    """
    ways = [comb(marked, count) * comb(total - marked, size - count) for count in range(size + 1)]
    return [sum(ways[:count]) / comb(total, size) for count in range(MOST + 1)]


if __name__ == "__main__":
    run(GreedyLifeIsLife)
