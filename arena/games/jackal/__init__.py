"""Jackal & High, a game of dice for exact sums and of what falls to the vultures."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from arena.games.core import Game
from arena.games.jackal import notation
from arena.games.jackal.actions import ACTIONS
from arena.games.jackal.events import Event
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.setup import new_state
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View, legal_actions, view_of
from arena.games.jackal.world import world
from arena.games.randomness import Seed, Source


class Jackal(Game[Parameters, JackalState, View, Event]):
    """The rules of Jackal & High, as RULES.md numbers them."""

    id = "jackal"
    title = "Jackal & High"
    seat_counts = (2, 3, 4, 5)
    score_word = "paws"
    action_count = ACTIONS

    variants: Mapping[str, Parameters] = {"standard": Parameters()}
    parameters_form = notation.parameters_form
    action_form = notation.action_form
    view_form = notation.view_form
    event_form = notation.event_form

    def _start(
        self, seats: int, seed: Seed, parameters: Parameters, *, recording: bool
    ) -> JackalState:
        return new_state(seats, Source(seed), parameters, recording=recording)

    def view_of(self, state: JackalState, seat: int) -> View:
        """Return what this seat may know now."""
        return view_of(state, seat)

    def world(self, view: View, rng: Random) -> JackalState:
        """Draw one truth that fits the view, evenly."""
        return world(view, rng)

    def legal_actions(self, view: View) -> list[int]:
        """List what the view's seat may do now."""
        return legal_actions(view)


GAME = Jackal()
