"""A bot for Life is Life: collect many cards of few animals, and knock with a good hand.

The three lines to change first are marked.
"""

from __future__ import annotations

from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import KNOCK, LAID, Action, Animal, count_of
from arena.games.lifeislife.view import View
from arena.sdk import Bot, run

ENOUGH = 18.0  # 1 change me: how good must a hand be to knock?


class MyBot(Bot):
    """Looks only at its own hand."""

    games = ("lifeislife",)

    def choose(self, view: View) -> int:
        """Return the swap that gives the best hand, or knock."""
        if view.may_knock and worth(view.hand_herd) >= ENOUGH:
            return KNOCK
        swaps = [action for action in GAME.legal_actions(view) if not action.is_knock]
        best = max(swaps, key=lambda action: worth(hand_after(action, view)))
        if view.knocker >= 0 and worth(hand_after(best, view)) <= worth(view.hand_herd):
            return KNOCK  # 2 change me: in the last lap this passes the turn
        return best


def hand_after(swap: Action, view: View) -> int:
    """Return the hand after a swap: take a row, and lay down the same number of cards."""
    return view.hand_herd + view.row_herds[swap.row] - LAID[swap]


def worth(herd: int) -> float:
    """Estimate how many points a hand will score."""
    total = 0.0
    for animal in Animal:
        share = count_of(herd, animal) / animal.worth
        total += animal.worth * min(1, 2 * share) ** 2  # 3 change me: half of the cards win it
    return total


if __name__ == "__main__":
    run(MyBot)
