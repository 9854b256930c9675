"""The points that a seat can expect from the animals in a hand, by what it knows of the others."""

from __future__ import annotations

from functools import cache
from math import comb
from operator import mul

from arena.games.lifeislife.cards import ANIMALS, VALUES, count_of, size_of
from arena.games.lifeislife.view import View


def points_of(view: View) -> list[list[float]]:
    """Return the expected points for zero, one, two and more cards of each animal."""
    rivals = [seat for seat in view.players if seat != view.seat]
    # With two players, a single card is not a majority.
    least = 2 if len(rivals) == 1 else 1
    unseen_herd = view.unseen_herd
    unseen = [count_of(unseen_herd, kind) for kind in range(len(ANIMALS))]
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


@cache
def chance_of_fewer(total: int, marked: int, size: int) -> list[float]:
    """Return, for each n from 0 to 9, the probability that a hand has fewer than n marked cards.

    The hand is `size` of `total` cards, some of them marked.
    """
    ways = [comb(marked, count) * comb(total - marked, size - count) for count in range(size + 1)]
    return [sum(ways[:count]) / comb(total, size) for count in range(max(VALUES) + 1)]
