"""A bot for MEOW: win good prizes with high cards, and discard high cards on bad ones.

The three lines to change first are marked.
"""

from __future__ import annotations

from arena.games.meow.cards import COLOUR_OF, GREEN, rank_of
from arena.games.meow.state import winning_card
from arena.games.meow.view import View
from arena.sdk import Bot, run


class MyBot(Bot):
    """Decides for one trick at a time."""

    games = ("meow",)

    def choose(self, view: View) -> int:
        """Return the legal card to play."""
        cards = sorted(self.legal_actions(view), key=strength)
        winners = [card for card in cards if would_win(card, view)]
        losers = [card for card in cards if card not in winners]
        if view.row[0] > 0:  # 1 change me: is the prize good? A fish is 100, a vase is -100
            return winners[-1] if winners else cards[0]  # 2 change me: how high to play for it?
        return losers[-1] if losers else cards[0]  # 3 change me: what to play against a bad one?


def strength(card: int) -> int:
    """Rank cards of all colours, the weakest first: any green beats any other."""
    return rank_of(card) + (100 if COLOUR_OF[card] == GREEN else 0)


def would_win(card: int, view: View) -> bool:
    """Check whether a card would win the trick so far."""
    trick = [*view.trick, card]
    return winning_card(trick, COLOUR_OF[trick[0]]) == card


if __name__ == "__main__":
    run(MyBot)
