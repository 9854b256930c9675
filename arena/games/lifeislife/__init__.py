"""Life is Life, a game of swaps for the majority of ten animals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from arena.games.core import Game, HiddenCards
from arena.games.lifeislife.cards import ACTIONS, Action, animals_in
from arena.games.lifeislife.events import (
    Event,
    Knocked,
    RoundBegan,
    Scored,
    SuddenDeath,
    Swapped,
    WentOut,
)
from arena.games.lifeislife.notation import action_form
from arena.games.lifeislife.parameters import Parameters, seats_for
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.lifeislife.view import View, legal_actions_of, view_of
from arena.games.lifeislife.world import world
from arena.games.randomness import Chance

if TYPE_CHECKING:
    from random import Random


class LifeIsLife(Game[Parameters, LifeIsLifeState, View, Event]):
    """The rules of Life is Life, as RULES.md numbers them."""

    id = "lifeislife"
    title = "Life is Life"
    seat_counts = (3, 4, 5)
    small_seat_counts = (2,)
    score_word = "lives"
    aim = (
        "Each player has ten animal cards and five lives. A turn swaps one to four "
        "cards for the row of as many cards, or knocks, which announces the last lap. "
        "Then hands are compared: whoever has more of an animal than each of the others "
        "scores its value. The most points cost nothing, the fewest two lives, all "
        "others one. Who completes all cats, rabbits or pigs ends the round at once by "
        "sudden death. The last players alive win."
    )
    action_count = ACTIONS
    tie_rates: ClassVar[Mapping[int, float]] = {3: 0.085, 4: 0.152, 5: 0.278}
    deal_events = (RoundBegan,)

    variants: Mapping[str, Parameters] = {
        "standard": Parameters(),
        "expert": Parameters(expert=True),
    }
    view_type = View
    event_types: Mapping[str, type[Event]] = {
        "round": RoundBegan,
        "swapped": Swapped,
        "knocked": Knocked,
        "sudden": SuddenDeath,
        "scored": Scored,
        "out": WentOut,
    }
    action_form = action_form

    def seats_for(self, parameters: Parameters) -> tuple[int, ...]:
        """List the player counts: there must be a hand for everyone."""
        return seats_for(parameters)

    def _start(
        self, seats: int, chance: Chance, parameters: Parameters, *, recording: bool
    ) -> LifeIsLifeState:
        state = LifeIsLifeState()
        state.seats = seats
        state.events = [] if recording else None
        state.parameters = parameters
        state.source = chance
        state.set_pack(parameters.pack)
        state.lives = [parameters.life_count] * seats
        state.out = [-1] * seats
        state.round = 0
        state.starter = 0
        state.set_players(tuple(range(seats)))
        state.deal()
        return state

    def _view_of(self, state: LifeIsLifeState, seat: int) -> View:
        return view_of(state, seat)

    def world(self, view: View, rng: Random) -> LifeIsLifeState:
        """Sample a state that fits the view; all are equally likely."""
        return world(view, rng)

    def legal_actions(self, view: View) -> list[Action]:
        """List what the view's seat may do now."""
        return legal_actions_of(view)

    def hidden_cards(self, state: LifeIsLifeState) -> HiddenCards:
        """Return the hands and the unused cards, both in the order of `ANIMALS`."""
        return HiddenCards(tuple(map(_herd_texts, state.hands)), _herd_texts(state.unused))


def _herd_texts(herd: int) -> tuple[str, ...]:
    return tuple(map(str, animals_in(herd)))


GAME = LifeIsLife()
