"""MEOW, a trick-taking game for a row of prizes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from arena.games.core import Game, HiddenCards
from arena.games.meow.cards import CARDS, Card, cards_in, deck_mask
from arena.games.meow.events import CardPlayed, Event, RoundBegan, TrickWon
from arena.games.meow.parameters import Parameters
from arena.games.meow.state import MeowState
from arena.games.meow.view import View, legal_mask, view_of
from arena.games.meow.world import world
from arena.games.randomness import Chance

if TYPE_CHECKING:
    from random import Random


class Meow(Game[Parameters, MeowState, View, Event]):
    """The rules of MEOW, as RULES.md numbers them."""

    id = "meow"
    title = "MEOW"
    seat_counts = (2, 3, 4, 5, 6)
    score_word = "points"
    aim = (
        "Each player has nine cards a round, and there are nine tricks. Whoever can "
        "must play the colour that was led. The highest green card wins the trick, "
        "without green the highest card of the colour led; where the 1 and the 18 of a "
        "colour meet, the 1 is its highest. The winner must take the leftmost token of "
        "the row: bowls are good, fishbones bad, a fish removes a fishbone, and two "
        "broken vases cost 20 points. After three rounds, most points win."
    )
    action_count = CARDS
    tie_rates: ClassVar[Mapping[int, float]] = {2: 0.016, 3: 0.02, 4: 0.034, 5: 0.054, 6: 0.072}
    deal_events = (RoundBegan,)

    variants: Mapping[str, Parameters] = {
        "standard": Parameters(),
        "expert": Parameters(expert=True),
    }
    view_type = View
    event_types: Mapping[str, type[Event]] = {
        "round": RoundBegan,
        "played": CardPlayed,
        "won": TrickWon,
    }
    action_form = Card.form()

    def seats_for(self, parameters: Parameters) -> tuple[int, ...]:
        """List the player counts: there must be a hand for everyone."""
        if not parameters.ranks:
            return self.seat_counts
        most = 3 * parameters.ranks // parameters.hand_size
        return tuple(seats for seats in self.seat_counts if seats <= most)

    def _start(
        self, seats: int, chance: Chance, parameters: Parameters, *, recording: bool
    ) -> MeowState:
        state = MeowState()
        state.seats = seats
        state.events = [] if recording else None
        state.parameters = parameters
        state.source = chance
        state.round = 0
        state.later = tuple(sorted(parameters.tokens))
        state.won = [()] * seats
        state.trick = []
        state.deal()
        return state

    def _view_of(self, state: MeowState, seat: int) -> View:
        return view_of(state, seat)

    def world(self, view: View, rng: Random) -> MeowState:
        """Sample a state that fits the view; all are equally likely."""
        return world(view, rng)

    def legal_actions(self, view: View) -> list[Card]:
        """List the cards that the view's seat may play now."""
        return list(cards_in(legal_mask(view)))

    def hidden_cards(self, state: MeowState) -> HiddenCards:
        """Return the hands, and the cards left out of the deal, ascending."""
        parameters = state.parameters
        left = deck_mask(state.seats, expert=parameters.expert, ranks=parameters.ranks)
        for held, played in zip(state.hands, state.played, strict=True):
            left &= ~(held | played)
        return HiddenCards(tuple(map(_card_texts, state.hands)), _card_texts(left))


@lru_cache(maxsize=4096)
def _card_texts(mask: int) -> tuple[str, ...]:
    return tuple(map(str, cards_in(mask)))


GAME = Meow()
