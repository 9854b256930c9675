"""How the history of each game becomes a tensor: which numbers, and how many at most."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.errors import BadInput
from arena.games import GAME_IDS

if TYPE_CHECKING:
    from arena.games.registry import AnyGame


class Longest(NamedTuple):
    """Upper limits of a game's tree."""

    decisions: int
    """Decisions of all seats in a match."""
    draws: int
    """Cards and dice that chance draws in a match."""
    outcomes: int
    """Different cards or faces in one draw."""


class Recall(ABC):
    """How the history of one game becomes a tensor.

    Numbers are above 0 and at most 1, so the zeros that fill the tensor are never mistaken for
    them. Events, states and parameters differ from game to game: hence Any.
    """

    @abstractmethod
    def size(self, seats: int, parameters: Any) -> int:
        """Return how many numbers the longest history has."""

    @abstractmethod
    def longest(self, seats: int, parameters: Any) -> Longest:
        """Return how long a match can be."""

    @abstractmethod
    def event(self, event: Any, parameters: Any) -> tuple[float, ...]:
        """Write a public event; nothing if it follows from the others."""

    @abstractmethod
    def hand(self, state: Any, seat: int) -> tuple[float, ...]:
        """Write the hand that a seat has just been dealt."""

    def choice(self, action: int) -> tuple[float, ...]:
        """Write an action of the seat's own; nothing if an event says the same."""
        return ()


def recall_of(game: AnyGame) -> Recall:
    """Return what writes histories of a game as tensors."""
    if game.id not in GAME_IDS:
        raise BadInput(f"{game.id} does not write its histories as tensors")
    recall: Recall = import_module(f"arena.learn.recall.{game.id}").RECALL
    return recall
