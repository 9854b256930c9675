"""Rule of thumb: make the swap after which the hand is worth the most, and knock once it is enough.

Majorities: an animal counts its value times the chance that no other hand has as many of it. Cards
that somebody took in the open are known to be there; the rest may be any that this seat cannot see.

Sudden death: a complete set counts more than a hand's majorities do. An incomplete one has a part
of that worth, less with each card that it lacks, and none if another hand is known to have such a
card or if the last lap leaves no time for it.

The right moment: the majorities tell about how many points the hand would score. From a certain
number on, by how many play, that is likely the highest, and to wait would only help the others. In
the last lap a swap is made only if it gains something.
"""

from __future__ import annotations

from functools import cache
from math import comb

from arena.games.lifeislife.cards import (
    ANIMALS,
    CAT,
    HAND,
    KNOCK,
    LAID,
    PIG,
    RABBIT,
    ROW_OF,
    ROWS,
    VALUES,
    count_of,
    size_of,
)
from arena.games.lifeislife.view import View
from arena.sdk import Bot, run

SUDDEN_DEATH = 40.0
"""What a complete set is worth, in points."""
MISSING = 0.2
"""What part of that remains for each card that a set lacks."""
ENOUGH = {2: 28.0, 3: 23.0, 4: 20.0, 5: 18.0}
"""By the number of players: how many points are enough to knock."""

KINDS = range(len(ANIMALS))
MOST = max(VALUES)
LAID_CARDS = tuple(
    tuple((kind, count_of(herd, kind)) for kind in KINDS if count_of(herd, kind)) for herd in LAID
)
"""For each action how many of which animals it lays."""


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
        merits = swaps(view, worths, hand, self.legal_actions(view))
        best = max(merits, key=merits.__getitem__)
        if not view.may_knock or merits[best] >= SUDDEN_DEATH:
            return best
        if view.knocker < 0:
            return KNOCK if now >= ENOUGH[len(view.players)] else best
        return best if merits[best] > now else KNOCK


def swaps(
    view: View, worths: list[list[float]], hand: list[int], legal: list[int]
) -> dict[int, float]:
    """Tell for each legal swap what the hand is worth after it."""
    full = []
    losses = []
    for row in view.row_herds:
        held = [count + count_of(row, kind) for kind, count in enumerate(hand)]
        full.append(sum([worths[kind][held[kind]] for kind in KINDS]))
        # What laying so many of an animal costs, looked up for hundreds of swaps.
        losses.append(
            [
                [worth[count] - worth[count - laid] for laid in range(min(count, ROWS) + 1)]
                for worth, count in zip(worths, held, strict=True)
            ]
        )
    merits = {}
    for action in legal:
        if action != KNOCK:
            row_at = ROW_OF[action]
            loss = losses[row_at]
            merits[action] = full[row_at] - sum([loss[kind][n] for kind, n in LAID_CARDS[action]])
    return merits


def points_of(view: View) -> list[list[float]]:
    """Tell for each animal how many points none, one, two and more cards of it will score."""
    rivals = [seat for seat in view.players if seat != view.seat]
    # Between two players a single card is no majority.
    least = 2 if len(rivals) == 1 else 1
    unseen = [count_of(view.unseen_herd, kind) for kind in KINDS]
    total = sum(unseen)
    points = []
    for kind, value in enumerate(VALUES):
        chances = [0.0] * least + [1.0] * (value + 1 - least)
        for seat in rivals:
            known = view.known_herds[seat]
            held = count_of(known, kind)
            odds = fewer(total, unseen[kind], HAND - size_of(known))
            for count in range(value + 1):
                chances[count] *= odds[max(count - held, 0)]
        points.append([value * chance for chance in chances])
    return points


def with_sets(kind: int, points: list[float], view: View) -> list[float]:
    """Add to an animal's points what its complete set is worth, and the hope for it."""
    if kind not in (RABBIT, PIG, CAT) or (kind == CAT and view.parameters.expert):
        return points
    complete = VALUES[kind]
    worths = [*points[:complete], SUDDEN_DEATH]
    known = [count_of(herd, kind) for herd in view.known_herds]
    if sum(known) == known[view.seat] and view.knocker < 0:
        for count in range(complete):
            worths[count] += SUDDEN_DEATH * MISSING ** (complete - count)
    return worths


@cache
def fewer(total: int, marked: int, size: int) -> list[float]:
    """Tell how likely a hand of this size, of so many cards, has fewer marked ones than 0 to 9."""
    ways = [comb(marked, count) * comb(total - marked, size - count) for count in range(size + 1)]
    return [sum(ways[:count]) / comb(total, size) for count in range(MOST + 1)]


if __name__ == "__main__":
    run(GreedyLifeIsLife)
