"""Histories of Life is Life as tensors.

For each round: the animals of the rows, the first row first, and of this seat's hand (each animal,
counted from 1, / 10), then every turn (the action, counted from 1, / 1,001), and at its end the
hands that are shown, in the order of seats.
"""

from __future__ import annotations

from arena.games.lifeislife.cards import ACTION_OF, ACTIONS, ANIMALS, KNOCK, animals_in
from arena.games.lifeislife.events import (
    Event,
    Knocked,
    RoundBegan,
    Scored,
    SuddenDeath,
    Swapped,
)
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.state import LifeIsLifeState
from arena.learn.recall import Longest, Recall


class LifeIsLifeRecall(Recall):
    """Writes histories of Life is Life as tensors."""

    def size(self, seats: int, parameters: Parameters) -> int:
        """Return the length when every round lasts until the cap, and is knocked in the end."""
        turns = (parameters.turn_cap + 1) * seats
        hands = (1 + seats) * parameters.hand_size
        return parameters.round_cap * (parameters.cards_in_rows + turns + hands)

    def longest(self, seats: int, parameters: Parameters) -> Longest:
        """Return the length when every round lasts until the cap, and is knocked in the end."""
        rounds = parameters.round_cap
        turns = (parameters.turn_cap + 1) * seats
        cards = parameters.cards_in_rows + parameters.hand_size * seats
        return Longest(rounds * turns, rounds * cards, len(ANIMALS))

    def event(self, event: Event, parameters: Parameters) -> tuple[float, ...]:
        """Write rows, a turn, or hands that are shown; lives follow from these."""
        if isinstance(event, Swapped):
            return ((ACTION_OF[event.laid] + 1) / ACTIONS,)
        if isinstance(event, Knocked):
            return ((KNOCK + 1) / ACTIONS,)
        if isinstance(event, RoundBegan):
            return _herds(event.rows)
        if isinstance(event, Scored):
            return _herds(event.hands)
        if isinstance(event, SuddenDeath):
            return _herds((event.hand,))
        return ()

    def hand(self, state: LifeIsLifeState, seat: int) -> tuple[float, ...]:
        """Write the animals of a hand."""
        return _herds((state.hands[seat],))


def _herds(herds: tuple[int, ...]) -> tuple[float, ...]:
    return tuple((animal + 1) / len(ANIMALS) for herd in herds for animal in animals_in(herd))


RECALL = LifeIsLifeRecall()
