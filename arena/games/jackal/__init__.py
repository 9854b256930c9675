"""Jackal & High, a game of dice that must meet exact sums or go to the vultures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from arena.games.core import Game, HiddenCards
from arena.games.jackal.actions import ACTIONS, Action
from arena.games.jackal.cards import without
from arena.games.jackal.dice import ABSENT
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
from arena.games.jackal.rounds import begin_round
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View, legal_actions, view_of
from arena.games.jackal.world import world
from arena.games.randomness import Chance

if TYPE_CHECKING:
    from random import Random


class Jackal(Game[Parameters, JackalState, View, Event]):
    """The rules of Jackal & High, as RULES.md numbers them."""

    id = "jackal"
    title = "Jackal & High"
    seat_counts = (2, 3, 4, 5)
    score_word = "paws"
    aim = (
        "Players roll eight-sided dice and lay them on stacks of cards, over up to "
        "three turns. Only dice whose sum is exactly the number of the card may win it; "
        "all others go to the vulture valley, where the highest roll takes a card and "
        "the lowest pays one. The Lucky8 brings all stacks that nobody else has won. "
        "When the deck is empty, most paws on the cards win."
    )
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
        state = JackalState()
        state.seats = seats
        state.events = [] if recording else None
        state.parameters = parameters
        state.source = chance
        # RULES 1
        pack = parameters.pack
        (state.valley,) = chance.draw("valley", pack, 1)
        state.deck = chance.deck("deck", without(pack, state.valley) + parameters.special_cards)
        state.absent = ABSENT[parameters.dice_count]
        state.cards = state.under = ()
        state.piles = [()] * seats
        state.take2s = [0] * seats
        state.spoils = [()] * seats
        state.gone = 0
        if state.events is not None:
            state.events.append(ValleyOpened(state.valley))
        begin_round(state, 0)
        return state

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


GAME = Jackal()
