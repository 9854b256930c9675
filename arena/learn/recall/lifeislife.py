"""Histories of Life is Life as tensors.

For each round: the animals of the rows, the first row first, and of this seat's hand (each animal,
counted from 1, / 10), then every turn (the action, counted from 1, / 1,001), and at its end the
hands that are shown, in the order of seats.
"""

from __future__ import annotations

from arena.games.lifeislife.cards import ACTION_OF, ACTIONS, ANIMALS, KNOCK, animals_in
from arena.games.lifeislife.events import Knocked, RoundBegan, Scored, SuddenDeath, Swapped
from arena.games.lifeislife.parameters import Parameters
from arena.learn.recall import Longest, Recall


def _size(seats: int, parameters: Parameters) -> int:
    """Return the length when every round lasts until the cap, and is knocked in the end."""
    turns = (parameters.turn_cap + 1) * seats
    hands = (1 + seats) * parameters.hand_size
    return parameters.round_cap * (parameters.cards_in_rows + turns + hands)


def _longest(seats: int, parameters: Parameters) -> Longest:
    """Return the length when every round lasts until the cap, and is knocked in the end."""
    rounds = parameters.round_cap
    turns = (parameters.turn_cap + 1) * seats
    cards = parameters.cards_in_rows + parameters.hand_size * seats
    return Longest(rounds * turns, rounds * cards, len(ANIMALS))


def _herds(herds: tuple[int, ...]) -> tuple[float, ...]:
    return tuple((animal + 1) / len(ANIMALS) for herd in herds for animal in animals_in(herd))


RECALL = Recall(
    _size,
    _longest,
    {
        Swapped: lambda event, _: ((ACTION_OF[event.laid] + 1) / ACTIONS,),
        Knocked: lambda event, _: ((KNOCK + 1) / ACTIONS,),
        RoundBegan: lambda event, _: _herds(event.rows),
        Scored: lambda event, _: _herds(event.hands),
        SuddenDeath: lambda event, _: _herds((event.hand,)),
    },
    hand=lambda state, seat: _herds((state.hands[seat],)),
)
