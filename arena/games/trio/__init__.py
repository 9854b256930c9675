"""Trio, a memory game with sorted hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from arena.games.core import NOBODY, Game, HiddenCards
from arena.games.randomness import Chance
from arena.games.trio.cards import (
    ACTIONS,
    DECK,
    FIRST_GIVE,
    HAND_BITS,
    UNSEEN,
    Action,
    actions_in,
)
from arena.games.trio.events import CardRevealed, CardsReturned, Event, SwapSettled, TrioTaken
from arena.games.trio.knowledge import unknown_hand
from arena.games.trio.notation import action_form
from arena.games.trio.parameters import Mode, Parameters, hand_size, seats_for
from arena.games.trio.state import TrioState
from arena.games.trio.swaps import Swaps
from arena.games.trio.view import View, legal_mask, view_of
from arena.games.trio.world import world

if TYPE_CHECKING:
    from random import Random


class Trio(Game[Parameters, TrioState, View, Event]):
    """The rules of Trio, as RULES.md numbers them."""

    id = "trio"
    title = "Trio"
    seat_counts = (3, 4, 5, 6)
    small_seat_counts = (2,)
    score_word = "trios"
    aim = (
        "There are three cards of each number from 1 to 12, in sorted hands and face "
        "down in the centre. In a turn, a player turns up any card of the centre, or "
        "the lowest or highest card of any hand, until two numbers differ or three are "
        "equal. Three equal cards are a trio, which the player takes. Three trios win, "
        "and so does the trio of sevens at once; in the spicy variant, two trios win "
        "whose numbers add up to 7 or differ by 7."
    )
    action_count = ACTIONS
    tie_rates: ClassVar[Mapping[int, float]] = {3: 0.171, 4: 0.314, 5: 0.415, 6: 0.514}
    team_tie_rates: ClassVar[Mapping[int, float]] = {4: 0.01, 6: 0.169}
    deal_events = (SwapSettled,)

    variants: Mapping[str, Parameters] = {
        "simple": Parameters(),
        "spicy": Parameters(mode=Mode.SPICY),
        "simple-teams": Parameters(teams=True),
        "spicy-teams": Parameters(mode=Mode.SPICY, teams=True),
    }
    view_type = View
    event_types: Mapping[str, type[Event]] = {
        "revealed": CardRevealed,
        "returned": CardsReturned,
        "taken": TrioTaken,
        "settled": SwapSettled,
    }
    action_form = action_form

    def seats_for(self, parameters: Parameters) -> tuple[int, ...]:
        """List the player counts: teams of two need four or six, and all cards a place."""
        return seats_for(parameters)

    def sides(self, seats: int, parameters: Parameters) -> tuple[int, ...]:
        """Return the team of each seat; partners sit opposite each other."""
        teams = seats // 2 if parameters.teams else seats
        return tuple(seat % teams for seat in range(seats))

    def tie_rate(self, seats: int, parameters: Parameters) -> float:
        """Return the probability that two neighbouring players or teams tie."""
        rates = self.team_tie_rates if parameters.teams else self.tie_rates
        # Two can play a small match, for which nothing was measured.
        return rates.get(seats, rates[min(rates)])

    def _start(
        self, seats: int, chance: Chance, parameters: Parameters, *, recording: bool
    ) -> TrioState:
        state = TrioState()
        state.seats = seats
        state.events = [] if recording else None
        state.parameters = parameters
        state.turn = 0
        state.turn_limit = parameters.turn_cap * seats
        size = hand_size(seats, parameters)
        count = parameters.deck_size
        sets = (size,) * seats + (1,) * (count - seats * size)
        cards = chance.draw("deal", DECK[:count], count, sets)
        state.hands = [sorted(cards[seat * size : (seat + 1) * size]) for seat in range(seats)]
        state.centre = cards[seats * size :]
        state.piles = [()] * (seats // 2 if parameters.teams else seats)
        state.shown = []
        state.number = 0
        state.known = [unknown_hand(size)] * seats
        state.depths = [0] * FIRST_GIVE
        state.seen = [UNSEEN] * len(state.centre)
        state.open_mask = (1 << len(state.centre)) - 1
        for seat in range(seats):
            state.open_mask |= HAND_BITS[seat][size]
        state.swaps = Swaps(seats) if parameters.teams else None
        state.to_act = 0
        state.legal_mask = state.open_mask
        if state.swaps is not None:
            # RULES 9: before the first turn every team may swap.
            state.offer_swaps(state.swaps, except_team=NOBODY)
        return state

    def _view_of(self, state: TrioState, seat: int) -> View:
        return view_of(state, seat)

    def world(self, view: View, rng: Random) -> TrioState:
        """Sample a state that fits the view; `arena.games.trio.world` documents the weights."""
        return world(view, rng)

    def legal_actions(self, view: View) -> list[Action]:
        """List what the view's seat may do now."""
        return actions_in(legal_mask(view))

    def hidden_cards(self, state: TrioState) -> HiddenCards:
        """Return the hands, and the centre slot by slot, with x for a card that was taken."""
        hands = tuple(tuple(map(str, hand)) for hand in state.hands)
        return HiddenCards(hands, tuple(str(number or "x") for number in state.centre))


GAME = Trio()
