"""The public events of Trio."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.trio.notation import Place


class CardRevealed(NamedTuple):
    """A seat turned up a card for all to see."""

    seat: int
    place: Place
    """The action: a centre slot, or an end of a seat's hand."""
    number: int


class CardsReturned(NamedTuple):
    """A seat turned up two different numbers: its cards went back and its turn is over."""

    seat: int


class TrioTaken(NamedTuple):
    """A seat turned up all three of a number and took them: its turn is over."""

    seat: int
    number: int


class SwapSettled(NamedTuple):
    """Two partners swapped a card, or did not."""

    seat: int
    partner: int
    swapped: bool


Event = CardRevealed | CardsReturned | TrioTaken | SwapSettled
