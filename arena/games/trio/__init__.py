"""Trio, a memory game with sorted hands."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from arena.games.core import Game
from arena.games.randomness import Seed, Source
from arena.games.trio import notation
from arena.games.trio.cards import ACTIONS, actions_in
from arena.games.trio.events import Event
from arena.games.trio.parameters import Mode, Parameters
from arena.games.trio.setup import new_state
from arena.games.trio.state import TrioState
from arena.games.trio.view import View, legal_mask, view_of
from arena.games.trio.world import world


class Trio(Game[Parameters, TrioState, View, Event]):
    """The rules of Trio, as RULES.md numbers them."""

    id = "trio"
    title = "Trio"
    seat_counts = (3, 4, 5, 6)
    score_word = "trios"
    action_count = ACTIONS

    variants: Mapping[str, Parameters] = {
        "simple": Parameters(),
        "spicy": Parameters(mode=Mode.SPICY),
        "simple-teams": Parameters(teams=True),
        "spicy-teams": Parameters(mode=Mode.SPICY, teams=True),
    }
    parameters_form = notation.parameters_form
    action_form = notation.action_form
    view_form = notation.view_form
    event_form = notation.event_form

    def seats_for(self, parameters: Parameters) -> tuple[int, ...]:
        """List the player counts: teams of two need four or six."""
        return (4, 6) if parameters.teams else self.seat_counts

    def sides(self, seats: int, parameters: Parameters) -> tuple[int, ...]:
        """Tell for each seat its team; partners sit opposite one another."""
        teams = seats // 2 if parameters.teams else seats
        return tuple(seat % teams for seat in range(seats))

    def _start(
        self, seats: int, seed: Seed, parameters: Parameters, *, recording: bool
    ) -> TrioState:
        return new_state(seats, Source(seed), parameters, recording=recording)

    def view_of(self, state: TrioState, seat: int) -> View:
        """Return what this seat may know now."""
        return view_of(state, seat)

    def world(self, view: View, rng: Random) -> TrioState:
        """Draw one truth that fits the view; how evenly, `arena.games.trio.world` says."""
        return world(view, rng)

    def legal_actions(self, view: View) -> list[int]:
        """List what the view's seat may do now."""
        return actions_in(legal_mask(view))


GAME = Trio()
