"""Players who watch: a person at the table sees every move as it is made.

A bot learns what happened when it has to decide. A person follows the match meanwhile, and learns
nothing more by it: an observation has the seat's own view and the public events, never the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.records import Decision


class Observation(NamedTuple):
    """What one seat may know after the deal, or after a decision."""

    view: Any
    """The seat's view; its type is the game's own, hence Any."""
    events: Sequence[Any]
    """The public events since the last observation."""
    actor: Seat | None
    """The seat that decided; None after the deal."""
    decision: Decision | None
    """The decision, if the seat made it itself: another seat's choice may be secret."""


Observer = Callable[[Observation], None]


class Observers:
    """The observers of one match, by seat."""

    def __init__(self, game: AnyGame, state: Any, observers: Mapping[Seat, Observer]) -> None:
        """Observe a state, which is of the game's own type, from its deal on."""
        self._game = game
        self._state = state
        self._observers = observers
        self._decisions = -1
        """Number of decisions observed; the deal comes first."""
        self._events = 0

    def update(self, decisions: Sequence[Decision]) -> None:
        """Tell all observers what they may know now, unless nothing was decided."""
        if len(decisions) == self._decisions:
            return
        self._decisions = len(decisions)
        events = self._state.events[self._events :]
        self._events = len(self._state.events)
        decision = decisions[-1] if decisions else None
        actor = decision.seat if decision else None
        for seat, observe in self._observers.items():
            view = self._game.view_of(self._state, seat)
            own = decision if actor == seat else None
            observe(Observation(view, events, actor, own))
