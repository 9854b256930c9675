"""Everyone has some cards of 1 to 40, and plays one in turn; the highest card wins the trick."""

from collections.abc import Mapping
from random import Random
from typing import Annotated, NamedTuple

from arena.games import NOBODY, Chance, Ending, Game, Outcome, State
from arena.games.notation import Private, UpTo
from arena.games.outcome import places_by
from arena.games.parameters import BaseParameters
from arena.games.refusals import illegal

Cards = Annotated[tuple[int, ...], UpTo(40)]


class Parameters(BaseParameters):
    """How many cards everyone gets."""

    cards: int = 5


class View(NamedTuple):
    """What one seat may know."""

    parameters: Parameters
    seats: int
    seat: int
    to_act: int
    hand: Private[Cards]
    played: Cards


class Played(NamedTuple):
    """A card was played."""

    seat: int
    card: int


class HighCardState(State):
    """All hands, and the cards played so far."""

    def __init__(self, parameters: Parameters, hands: list[Cards], played: Cards = ()) -> None:
        self.parameters, self.hands, self.played = parameters, hands, played
        self.seats, self.events = len(hands), None
        self.to_act = len(played) % self.seats if any(hands) else NOBODY

    def legal_actions(self) -> list[int]:
        return [] if self.is_over else list(self.hands[self.to_act])

    def apply(self, action: int) -> None:
        if not self.is_legal(action):
            raise illegal(self, action)
        seat = self.to_act
        if self.events is not None:
            self.events.append(Played(seat, action))
        self.hands[seat] = tuple(card for card in self.hands[seat] if card != action)
        self.played += (action,)
        self.to_act = (seat + 1) % self.seats if any(self.hands) else NOBODY

    def outcome(self) -> Outcome:
        ends = range(self.seats, len(self.played) + 1, self.seats)
        tricks = [self.played[end - self.seats : end] for end in ends]
        winners = [trick.index(max(trick)) for trick in tricks]
        scores = tuple(map(winners.count, range(self.seats)))
        return Outcome(places_by(scores), scores, Ending.PLAYED_OUT)


class HighCard(Game[Parameters, HighCardState, View, Played]):
    """The rules."""

    id, title, score_word = "highcard", "High Card", "tricks"
    seat_counts, action_count = (2, 3, 4), 41
    variants: Mapping[str, Parameters] = {"standard": Parameters(), "short": Parameters(cards=2)}
    view_type = View
    event_types: Mapping[str, type[Played]] = {"played": Played}

    def _start(
        self, seats: int, chance: Chance, parameters: Parameters, *, recording: bool
    ) -> HighCardState:
        cards = chance.draw("cards", range(1, 41), seats * parameters.cards)
        hands = [tuple(sorted(cards[seat::seats])) for seat in range(seats)]
        state = HighCardState(parameters, hands)
        state.events = [] if recording else None
        return state

    def _view_of(self, state: HighCardState, seat: int) -> View:
        table = (state.parameters, state.seats, seat, state.to_act)
        return View(*table, state.hands[seat], state.played)

    def world(self, view: View, rng: Random) -> HighCardState:
        unseen = sorted(set(range(1, 41)) - {*view.hand, *view.played})
        rng.shuffle(unseen)
        hands = []
        for seat in range(view.seats):
            left = view.parameters.cards - len(view.played[seat :: view.seats])
            dealt = tuple(sorted(unseen.pop() for _ in range(left)))
            hands.append(view.hand if seat == view.seat else dealt)
        return HighCardState(view.parameters, hands, view.played)


GAME = HighCard()
