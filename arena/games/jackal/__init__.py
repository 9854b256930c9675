"""Jackal & High, a game of dice that must meet exact sums or go to the vultures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, ClassVar

from arena.games.core import Game, HiddenCards
from arena.games.jackal.actions import ACTIONS, Action
from arena.games.jackal.events import (
    CardsOrdered,
    DiceCollected,
    DicePlaced,
    DiceRolled,
    DieLost,
    DuelRolled,
    Event,
    MatchEnded,
    RoundBegan,
    StackWon,
    ValleyOpened,
    ValleyPaid,
    ValleyRolled,
    ValleyTaken,
)
from arena.games.jackal.notation import action_form, card_form
from arena.games.jackal.parameters import Parameters, seats_for
from arena.games.jackal.setup import new_state
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View, legal_actions, view_of
from arena.games.jackal.world import world
from arena.games.randomness import Chance

if TYPE_CHECKING:
    from random import Random

    from arena.games.explanation import Explanation


class Jackal(Game[Parameters, JackalState, View, Event]):
    """The rules of Jackal & High, as RULES.md numbers them."""

    id = "jackal"
    title = "Jackal & High"
    seat_counts = (2, 3, 4, 5)
    score_word = "paws"
    action_count = ACTIONS
    tie_rates: ClassVar[Mapping[int, float]] = {2: 0.01, 3: 0.01, 4: 0.01, 5: 0.01}
    deal_events = (RoundBegan,)

    variants: Mapping[str, Parameters] = {"standard": Parameters()}
    view_type = View
    event_types: Mapping[str, type[Event]] = {
        "valley": ValleyOpened,
        "round": RoundBegan,
        "rolled": DiceRolled,
        "placed": DicePlaced,
        "lost": DieLost,
        "collected": DiceCollected,
        "duel": DuelRolled,
        "won": StackWon,
        "ordered": CardsOrdered,
        "contest": ValleyRolled,
        "taken": ValleyTaken,
        "paid": ValleyPaid,
        "ended": MatchEnded,
    }
    action_form = action_form

    def seats_for(self, parameters: Parameters) -> tuple[int, ...]:
        """List the player counts: there must be enough cards for the first display."""
        return seats_for(parameters)

    def _start(
        self, seats: int, chance: Chance, parameters: Parameters, *, recording: bool
    ) -> JackalState:
        return new_state(seats, chance, parameters, recording=recording)

    def _view_of(self, state: JackalState, seat: int) -> View:
        return view_of(state, seat)

    def world(self, view: View, rng: Random) -> JackalState:
        """Sample a state that fits the view; all are equally likely."""
        return world(view, rng)

    def legal_actions(self, view: View) -> list[Action]:
        """List what the view's seat may do now."""
        return legal_actions(view)

    def hidden_cards(self, state: JackalState) -> HiddenCards:
        """Return the deck, the next card first."""
        deck = tuple(map(card_form.show, reversed(state.deck)))
        return HiddenCards(((),) * state.seats, deck)

    def narrate(self, event: Event, names: Sequence[str]) -> str:
        """Describe an event in a sentence or two."""
        # Imported here: every bot imports its game, and hardly any narrates it.
        from arena.games.jackal.narration import narrate

        return narrate(event, names)

    def explain(
        self, state: JackalState, names: Sequence[str], last: Set[int] = frozenset()
    ) -> Explanation:
        """Explain who is first, and what the scores consist of."""
        # Imported here for the same reason.
        from arena.games.jackal.explanation import explain

        return explain(state, names, last)


GAME = Jackal()
