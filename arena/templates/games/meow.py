"""A bot for MEOW: win good prizes with high cards, and discard high cards on bad ones.

The three lines to change first are marked.
"""

from __future__ import annotations

from arena.games.meow import GAME
from arena.games.meow.cards import GREEN, Card
from arena.games.meow.state import winning_card
from arena.games.meow.view import View
from arena.sdk import Bot, run


class MyBot(Bot):
    """Decides for one trick at a time."""

    games = ("meow",)

    def choose(self, view: View) -> int:
        """Return the legal card to play."""
        cards = sorted(GAME.legal_actions(view), key=strength)
        winners = [card for card in cards if would_win(card, view)]
        losers = [card for card in cards if card not in winners]
        if view.row[0].kind in ("bowl", "fish"):  # 1 change me: is the prize good?
            return winners[-1] if winners else cards[0]  # 2 change me: how high to play for it?
        return losers[-1] if losers else cards[0]  # 3 change me: what to play against a bad one?


def strength(card: Card) -> int:
    """Rank cards of all colours, the weakest first: any green beats any other."""
    return card.rank + (100 if card.colour == GREEN else 0)


def would_win(card: Card, view: View) -> bool:
    """Check whether a card would win the trick so far."""
    trick = [*view.trick, card]
    return winning_card(trick, trick[0].colour) == card


if __name__ == "__main__":
    run(MyBot)
