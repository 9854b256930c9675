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

from arena.games.lifeislife.cards import (
    ANIMALS,
    KNOCK,
    LAID,
    ROW_OF,
    ROWS,
    VALUES,
    count_of,
)
from arena.games.lifeislife.odds import points_of
from arena.games.lifeislife.view import View
from arena.sdk import Bot, run

SUDDEN_DEATH = 40.0
"""The worth of a complete set, in points."""
MISSING_FACTOR = 0.2
"""The factor for each card that a set lacks."""
ENOUGH = {2: 28.0, 3: 23.0, 4: 20.0, 5: 18.0}
"""The points that are enough to knock, by the number of players, in a match of the usual size."""

KINDS = range(len(ANIMALS))
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


if __name__ == "__main__":
    run(GreedyLifeIsLife)
