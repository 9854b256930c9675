"""How the history of each game becomes a tensor: which numbers, and how many at most."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.errors import BadInput
from arena.games import GAME_IDS

if TYPE_CHECKING:
    from arena.games.registry import AnyGame

Numbers = tuple[float, ...]


class Longest(NamedTuple):
    """Upper limits of a game's tree."""

    decisions: int
    """Decisions of all seats in a match."""
    draws: int
    """Cards and dice that chance draws in a match."""
    outcomes: int
    """Different cards or faces in one draw."""


class Recall(NamedTuple):
    """How the history of one game becomes a tensor.

    Numbers are above 0 and at most 1, so the zeros that fill the tensor are never mistaken for
    them. Events, states and parameters differ from game to game: hence Any.
    """

    size: Callable[[int, Any], int]
    """Return how many numbers the longest history has, for seats and parameters."""
    longest: Callable[[int, Any], Longest]
    """Return how long a match can be."""
    events: Mapping[type[Any], Callable[[Any, Any], Numbers]]
    """Write each kind of event, in a match with parameters; those that follow from others are
    missing."""
    hand: Callable[[Any, int], Numbers] = lambda state, seat: ()
    """Write the hand that a seat has just been dealt."""
    choice: Callable[[int], Numbers] = lambda action: ()
    """Write an action of the seat's own; nothing if an event says the same."""

    def event(self, event: Any, parameters: Any) -> Numbers:
        """Write a public event."""
        write = self.events.get(type(event))
        return write(event, parameters) if write else ()


def recall_of(game: AnyGame) -> Recall:
    """Return what writes histories of a game as tensors."""
    if game.id not in GAME_IDS:
        raise BadInput(f"{game.id} does not write its histories as tensors")
    recall: Recall = import_module(f"arena.learn.recall.{game.id}").RECALL
    return recall
