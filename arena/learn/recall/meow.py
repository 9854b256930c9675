"""Histories of MEOW as tensors.

For each round: the tokens of the row (the place of each among the match's tokens, sorted), the
cards of this seat's hand, ascending, and then every card as it is played. A token is divided by the
number of tokens, a card, counted from 1, by 54.
"""

from __future__ import annotations

from arena.games.meow.cards import CARDS, cards_in
from arena.games.meow.events import CardPlayed, RoundBegan
from arena.games.meow.parameters import Parameters
from arena.learn.recall import Longest, Recall


def _longest(seats: int, parameters: Parameters) -> Longest:
    """Return the length: every match has the same, but some draws are certain."""
    cards = len(parameters.tokens) * seats
    return Longest(cards, cards + len(parameters.tokens), CARDS)


def _row(event: RoundBegan, parameters: Parameters) -> tuple[float, ...]:
    tokens = sorted(parameters.tokens)
    return tuple((tokens.index(token) + 1) / len(tokens) for token in event.row)


RECALL = Recall(
    lambda seats, parameters: len(parameters.tokens) * (2 + seats),
    _longest,
    {CardPlayed: lambda event, _: ((event.card + 1) / CARDS,), RoundBegan: _row},
    hand=lambda state, seat: tuple((card + 1) / CARDS for card in cards_in(state.hands[seat])),
)
