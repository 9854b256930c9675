"""The public events of MEOW."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.meow.cards import Card, Token


class RoundBegan(NamedTuple):
    """A row of tokens was laid out and nine cards dealt to each seat."""

    round: int
    leader: int
    row: tuple[Token, ...]


class CardPlayed(NamedTuple):
    """A seat played a card into the trick."""

    seat: int
    card: Card


class TrickWon(NamedTuple):
    """A seat won the trick and took the leftmost token."""

    seat: int
    token: Token


Event = RoundBegan | CardPlayed | TrickWon
