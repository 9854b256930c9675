"""MEOW, a trick-taking game for a row of prizes."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from arena.games.core import Game
from arena.games.meow import notation
from arena.games.meow.cards import CARDS, cards_in
from arena.games.meow.events import Event
from arena.games.meow.parameters import Parameters
from arena.games.meow.setup import new_state
from arena.games.meow.state import MeowState
from arena.games.meow.view import View, legal_mask, view_of
from arena.games.meow.world import world
from arena.games.randomness import Seed, Source


class Meow(Game[Parameters, MeowState, View, Event]):
    """The rules of MEOW, as RULES.md numbers them."""

    id = "meow"
    title = "MEOW"
    seat_counts = (2, 3, 4, 5, 6)
    score_word = "points"
    action_count = CARDS

    variants: Mapping[str, Parameters] = {
        "standard": Parameters(),
        "expert": Parameters(expert=True),
    }
    parameters_form = notation.parameters_form
    action_form = notation.card_form
    view_form = notation.view_form
    event_form = notation.event_form

    def _start(
        self, seats: int, seed: Seed, parameters: Parameters, *, recording: bool
    ) -> MeowState:
        return new_state(seats, Source(seed), parameters, recording=recording)

    def view_of(self, state: MeowState, seat: int) -> View:
        """Return what this seat may know now."""
        return view_of(state, seat)

    def world(self, view: View, rng: Random) -> MeowState:
        """Draw one truth that fits the view, evenly."""
        return world(view, rng)

    def legal_actions(self, view: View) -> list[int]:
        """List the cards that the view's seat may play now."""
        return list(cards_in(legal_mask(view)))


GAME = Meow()
