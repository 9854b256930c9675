"""Sample a state that fits a seat's view.

Only the order of the deck is hidden, and all orders are equally likely: nothing that happens at the
table reveals anything about it. Dice on the table and dice just rolled stay as they are; later dice
are drawn again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.jackal.dice import ABSENT, DICE_OF_ROUND, NO_ROLL, room_of
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View
from arena.games.randomness import SEED_BYTES, Source

if TYPE_CHECKING:
    from random import Random


def world(view: View, rng: Random) -> JackalState:
    """Sample a state that fits the view; all are equally likely."""
    state = JackalState()
    state.events = None
    state.seats = view.seats
    state.to_act = view.to_act
    state.parameters = view.parameters
    state.source = source = Source(rng.randbytes(SEED_BYTES))
    state.round = view.round
    state.starter = view.starter
    state.turn = view.turn
    state.deck = _shuffled(view.unseen, rng)
    state.cards = view.cards
    state.under = view.under
    state.valley = view.valley
    state.piles = list(view.piles)
    state.take2s = list(view.take2s)
    state.spoils = list(view.spoils)
    state.gone = view.gone
    state.laid = list(view.laid)
    state.room = room_of(view.cards, view.parameters.dice_count)
    a, b, c = view.rolled + NO_ROLL[len(view.rolled) :]
    state.rolled = (a, b, c)
    state.rolls_left = view.rolls_left
    faces = view.parameters.face_count
    state.dice = source.dice(f"dice {view.round}", DICE_OF_ROUND * view.seats, faces)
    state.absent = ABSENT[view.parameters.dice_count]
    return state


def _shuffled(cards: tuple[int, ...], rng: Random) -> list[int]:
    random = rng.random
    deck = list(cards)
    for left in range(len(deck), 1, -1):
        at = int(random() * left)
        deck[at], deck[left - 1] = deck[left - 1], deck[at]
    return deck
