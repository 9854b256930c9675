"""The public events of Jackal & High.

Everything but the order of the deck is public. Stacks are counted from 1, leftmost first, as in
actions.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from arena.games.jackal.notation import Card, HowEnded


class Question(Enum):
    """What a roll in the valley decides."""

    BOTH = "both"
    """The one roll that every seat in the valley makes."""
    HIGHEST = "highest"
    """Only among those tied for taking the card."""
    LOWEST = "lowest"
    """Only among those tied for paying one."""


class ValleyOpened(NamedTuple):
    """The match began: a pack card was laid into the valley."""

    card: Card


class RoundBegan(NamedTuple):
    """The display was completed and every seat took its dice back."""

    round: int
    starter: int
    drawn: tuple[Card, ...]
    """The cards drawn for it, in this order, including Lucky8 cards that left the game."""
    cards: tuple[Card, ...]
    under: tuple[int, ...]


class DiceRolled(NamedTuple):
    """A seat rolled the dice it has not placed."""

    seat: int
    dice: tuple[int, ...]
    rolls_left: int


class DicePlaced(NamedTuple):
    """A seat placed dice of its roll."""

    seat: int
    dice: tuple[int, ...]
    stacks: tuple[int, ...]
    """The stack of each die of the roll, or 0 for the hand."""


class DieLost(NamedTuple):
    """None of a seat's dice fit, and one went to the valley."""

    seat: int


class DiceCollected(NamedTuple):
    """The turns are over: dice that miss their card's number went to the valley."""

    valley: tuple[int, ...]
    """How many dice of each seat lie there now."""


class DuelRolled(NamedTuple):
    """A seat rolled for a stack whose number several seats have met."""

    stack: int
    seat: int
    dice: tuple[int, ...]


class StackWon(NamedTuple):
    """A seat won a stack and its Take2 cards."""

    seat: int
    stack: int
    card: Card
    take2s: int
    lucky: bool
    """Whether the seat got it by winning the Lucky8."""


class CardsOrdered(NamedTuple):
    """A seat put the cards it won on its pile, the last of them on top."""

    seat: int
    cards: tuple[Card, ...]


class ValleyRolled(NamedTuple):
    """A seat rolled its dice in the valley."""

    question: Question
    seat: int
    dice: tuple[int, ...]


class ValleyTaken(NamedTuple):
    """A seat was highest in the valley, or alone with a card there; `card` may be no card."""

    seat: int
    card: Card


class ValleyPaid(NamedTuple):
    """A seat was lowest in the valley, or alone with no card there; it may have no card to pay."""

    seat: int
    card: Card


class MatchEnded(NamedTuple):
    """The deck could not complete the display, or the last round was over."""

    ending: HowEnded
    drawn: tuple[Card, ...]
    """The cards drawn without completing the display."""


Event = (
    ValleyOpened
    | RoundBegan
    | DiceRolled
    | DicePlaced
    | DieLost
    | DiceCollected
    | DuelRolled
    | StackWon
    | CardsOrdered
    | ValleyRolled
    | ValleyTaken
    | ValleyPaid
    | MatchEnded
)
