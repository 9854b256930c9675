"""Everyone has some cards of 1 to 40, and plays one in turn; the highest card wins the trick."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from arena.games import NOBODY, Chance, Ending, Game, Outcome, State
from arena.games.forms import integer, lines, pairs, several, tagged
from arena.games.outcome import places_by
from arena.games.parameters import BaseParameters
from arena.games.refusals import illegal

Cards = tuple[int, ...]


class Parameters(BaseParameters):
    """How many cards everyone gets."""

    cards: int = 5


class View(NamedTuple):
    """What one seat may know."""

    parameters: Parameters
    seats: int
    seat: int
    to_act: int
    hand: Cards
    played: Cards
    tricks: Cards


class Played(NamedTuple):
    """A card was played."""

    seat: int
    card: int


class HighCardState(State):
    """All hands, and the cards played so far."""

    def __init__(self, parameters: Parameters, hands: Sequence[Cards], played: Cards = ()) -> None:
        """Begin a match, or continue one."""
        self.parameters, self.hands, self.played = parameters, list(hands), played
        self.seats, self.events = len(hands), None
        whole = range(self.seats, len(played) + 1, self.seats)
        winners = [_winner(played[end - self.seats : end]) for end in whole]
        self.tricks = tuple(winners.count(seat) for seat in range(self.seats))
        is_over = len(winners) == parameters.cards
        self.to_act = NOBODY if is_over else len(played) % self.seats

    def legal_actions(self) -> list[int]:
        """Any card of the hand may be played."""
        return [] if self.is_over else sorted(self.hands[self.to_act])

    def apply(self, action: int) -> None:
        """Play a card."""
        if not self.is_legal(action):
            raise illegal(GAME, self, action, lambda view, card: "not in its hand", verb="play")
        events = self.events
        if events is not None:
            events.append(Played(self.to_act, action))
        mine = self.hands[self.to_act]
        self.hands[self.to_act] = tuple(card for card in mine if card != action)
        self.__init__(self.parameters, self.hands, (*self.played, action))  # type: ignore[misc]
        self.events = events

    def copy(self) -> "HighCardState":
        """Return an independent state."""
        return HighCardState(self.parameters, self.hands, self.played)

    def truth(self) -> tuple[object, ...]:
        """Return everything."""
        return (*self.hands, self.played)

    def outcome(self) -> Outcome:
        """Whoever won most tricks is first."""
        return Outcome(places_by(list(self.tricks)), self.tricks, Ending.PLAYED_OUT)


def _winner(trick: Cards) -> int:
    return trick.index(max(trick))


class HighCard(Game[Parameters, HighCardState, View, Played]):
    """The rules."""

    id, title, score_word = "highcard", "High Card", "tricks"
    seat_counts = (2, 3, 4)
    action_count = 41
    variants: Mapping[str, Parameters] = {"standard": Parameters(), "short": Parameters(cards=2)}
    parameters_form = pairs("a match of highcard", Parameters, cards=integer)
    action_form = integer
    view_form = lines(
        "a view",
        View,
        parameters=parameters_form,
        **dict.fromkeys(("seats", "seat", "to_act"), integer),
        **dict.fromkeys(("hand", "played", "tricks"), several(integer)),
    )
    event_form = tagged("an event", played=(Played, {"seat": integer, "card": integer}))

    def _start(
        self, seats: int, chance: Chance, parameters: Parameters, *, recording: bool
    ) -> HighCardState:
        cards = chance.draw("cards", range(1, 41), 40)
        hands = [tuple(cards[seat::seats][: parameters.cards]) for seat in range(seats)]
        state = HighCardState(parameters, hands)
        state.events = [] if recording else None
        return state

    def _view_of(self, state: HighCardState, seat: int) -> View:
        hand = tuple(sorted(state.hands[seat]))
        table = (state.parameters, state.seats, seat, state.to_act)
        return View(*table, hand, state.played, state.tricks)

    def world(self, view: View, rng: Random) -> HighCardState:
        """Deal the others any cards that the seat has not seen."""
        unseen = sorted(set(range(1, 41)) - {*view.hand, *view.played})
        rng.shuffle(unseen)
        hands = []
        for seat in range(view.seats):
            left = view.parameters.cards - len(view.played[seat :: view.seats])
            dealt = tuple(unseen.pop() for _ in range(left))
            hands.append(view.hand if seat == view.seat else dealt)
        return HighCardState(view.parameters, hands, view.played)

    def legal_actions(self, view: View) -> list[int]:
        """Any card of the hand may be played."""
        return list(view.hand) if view.seat == view.to_act else []


GAME = HighCard()
