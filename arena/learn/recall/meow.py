"""Histories of MEOW as tensors.

For each round: the tokens of the row (the place of each among the match's tokens, sorted), the
cards of this seat's hand, ascending, and then every card as it is played. A token is divided by the
number of tokens, a card, counted from 1, by 54.
"""

from __future__ import annotations

from arena.games.meow.cards import CARDS, cards_in
from arena.games.meow.events import CardPlayed, Event, RoundBegan
from arena.games.meow.parameters import Parameters
from arena.games.meow.state import MeowState
from arena.learn.recall import Longest, Recall


class MeowRecall(Recall):
    """Writes histories of MEOW as tensors."""

    def size(self, seats: int, parameters: Parameters) -> int:
        """Return the length: every match has the same."""
        return len(parameters.tokens) * (2 + seats)

    def longest(self, seats: int, parameters: Parameters) -> Longest:
        """Return the length: every match has the same, but some draws are certain."""
        cards = len(parameters.tokens) * seats
        return Longest(cards, cards + len(parameters.tokens), CARDS)

    def event(self, event: Event, parameters: Parameters) -> tuple[float, ...]:
        """Write a row or a card; who won a trick follows from its cards."""
        if isinstance(event, CardPlayed):
            return ((event.card + 1) / CARDS,)
        if isinstance(event, RoundBegan):
            tokens = sorted(parameters.tokens)
            return tuple((tokens.index(token) + 1) / len(tokens) for token in event.row)
        return ()

    def hand(self, state: MeowState, seat: int) -> tuple[float, ...]:
        """Write the cards of a hand."""
        return tuple((card + 1) / CARDS for card in cards_in(state.hands[seat]))


RECALL = MeowRecall()
