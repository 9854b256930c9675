"""The public events of Life is Life.

RULES 10: events are the same for every seat. Cards are herds, packed as in `cards.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.games.lifeislife.notation import Herd, Row


class RoundBegan(NamedTuple):
    """Ten cards were dealt to each living player, and four rows laid out."""

    round: int
    starter: int
    rows: tuple[Herd, ...]


class Swapped(NamedTuple):
    """A seat laid cards and took the row of the same size."""

    seat: int
    row: Row
    """0 to 3; the row has one card more than this."""
    laid: Herd
    taken: Herd


class Knocked(NamedTuple):
    """A seat announced the last lap, or passed in it."""

    seat: int


class SuddenDeath(NamedTuple):
    """A seat's swap completed a set: it showed its hand, and the round was over."""

    seat: int
    hand: Herd
    gained: int
    """How many lives the seat gained."""
    lost: tuple[int, ...]
    """How many lives each seat lost."""


class Scored(NamedTuple):
    """All hands were shown and counted."""

    hands: tuple[Herd, ...]
    """The hand of each seat; empty for a seat that was out."""
    totals: tuple[int, ...]
    lost: tuple[int, ...]
    """How many lives each seat lost."""


class WentOut(NamedTuple):
    """A seat lost its last life."""

    seat: int


Event = RoundBegan | Swapped | Knocked | SuddenDeath | Scored | WentOut
