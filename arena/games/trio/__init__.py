"""Trio, a memory game with sorted hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, ClassVar

from arena.games.core import Game, HiddenCards
from arena.games.randomness import Chance
from arena.games.trio.cards import ACTIONS, Action, actions_in
from arena.games.trio.events import CardRevealed, CardsReturned, Event, SwapSettled, TrioTaken
from arena.games.trio.notation import action_form
from arena.games.trio.parameters import Mode, Parameters, seats_for
from arena.games.trio.setup import new_state
from arena.games.trio.state import TrioState
from arena.games.trio.view import View, legal_mask, view_of
from arena.games.trio.world import world

if TYPE_CHECKING:
    from random import Random

    from arena.games.explanation import Explanation


class Trio(Game[Parameters, TrioState, View, Event]):
    """The rules of Trio, as RULES.md numbers them."""

    id = "trio"
    title = "Trio"
    seat_counts = (3, 4, 5, 6)
    small_seat_counts = (2,)
    score_word = "trios"
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
        return new_state(seats, chance, parameters, recording=recording)

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

    def narrate(self, event: Event, names: Sequence[str]) -> str:
        """Describe an event in a sentence or two."""
        # Imported here: every bot imports its game, and hardly any narrates it.
        from arena.games.trio.narration import narrate

        return narrate(event, names)

    def explain(
        self, state: TrioState, names: Sequence[str], last: Set[int] = frozenset()
    ) -> Explanation:
        """Explain who is first, and what the scores consist of."""
        # Imported here for the same reason.
        from arena.games.trio.explanation import explain

        return explain(state, names, last)


GAME = Trio()
