"""A bot for Jackal & High: hit the numbers on display exactly, those with many paws first.

The three lines to change first are marked.
"""

from __future__ import annotations

from arena.games.jackal import GAME
from arena.games.jackal.actions import Action
from arena.games.jackal.cards import LUCKY8
from arena.games.jackal.dice import FACES
from arena.games.jackal.scoring import paws
from arena.games.jackal.view import View
from arena.sdk import Bot, run


class MyBot(Bot):
    """Adds up the paws that its dice on the display may win."""

    games = ("jackal",)

    def choose(self, view: View) -> int:
        """Return how to place the dice, or how to order won cards."""
        legal = GAME.legal_actions(view)
        if view.spoils[view.seat]:
            return legal[0]  # 1 change me: the top card of the pile is lost first
        return max(legal, key=lambda action: merit(action, view))


def merit(action: Action, view: View) -> float:
    """Estimate how many paws an action wins."""
    if action.kind == "again":
        return 0.5  # 2 change me: what is another roll of the last die worth?
    in_hand = view.in_hand[view.seat] - sum(stack > 0 for stack in action.stacks)
    placed = view.on_display[view.seat]
    total = 0.0
    for at, card in enumerate(view.cards):
        rolled = [
            die for die, stack in zip(view.rolled, action.stacks, strict=False) if stack == at + 1
        ]
        missing = card - sum(placed[at]) - sum(rolled)
        if not missing:
            total += worth(card, view)
        elif missing < card and missing <= FACES * in_hand:
            total += worth(card, view) / 4  # 3 change me: how likely are the next dice to hit it?
    return total


def worth(card: int, view: View) -> float:
    """Count the paws of a card; the Lucky8 has none, but wins the cards left over."""
    return 3.0 if card == LUCKY8 else paws((card,), 0, view.parameters)


if __name__ == "__main__":
    run(MyBot)
