"""What is hidden in Jackal & High, and view functions that leak it.

Hidden are the order of the deck and the dice to come.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from arena.games.jackal import GAME
from arena.games.jackal.cards import LUCKY8
from arena.games.jackal.dice import DICE_OF_ROUND
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View


def _the_deck_as_it_lies(state: JackalState, seat: int) -> View:
    return GAME.view_of(state, seat)._replace(unseen=tuple(state.deck))


def _all_but_the_next_card_sorted(state: JackalState, seat: int) -> View:
    unseen = (*sorted(state.deck[:-1]), *state.deck[-1:])
    return GAME.view_of(state, seat)._replace(unseen=unseen)


def _the_next_card_in_the_valley(state: JackalState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    return view._replace(valley=view.valley or (*state.deck[-1:], 0)[0])


def _a_lucky8_as_gone_before_it_is_drawn(state: JackalState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    return view._replace(gone=view.gone + state.deck[-1:].count(LUCKY8))


def _a_stack_too_many(state: JackalState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    return view._replace(cards=(*view.cards, *state.deck[-1:]), under=(*view.under, 0))


def _the_dice_that_the_seat_will_roll(state: JackalState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    if not view.rolled or seat == state.to_act:
        return view
    at = DICE_OF_ROUND * seat + 3 * state.turn
    return view._replace(rolled=tuple(sorted(state.dice[at : at + len(view.rolled)])))


LEAKS: dict[str, Callable[[JackalState, int], View]] = {
    "the deck as it lies": _the_deck_as_it_lies,
    "the deck sorted but for the next card": _all_but_the_next_card_sorted,
    "the next card in an empty valley": _the_next_card_in_the_valley,
    "a Lucky8 as gone before it is drawn": _a_lucky8_as_gone_before_it_is_drawn,
    "a stack too many": _a_stack_too_many,
    "the dice that the seat will roll": _the_dice_that_the_seat_will_roll,
}


def exchange_hidden(state: JackalState, rng: Random) -> JackalState | None:
    """Exchange two cards of the deck."""
    if len(state.deck) < 2:
        return None
    one, other = rng.sample(range(len(state.deck)), 2)
    new = state.copy()
    new.deck[one], new.deck[other] = new.deck[other], new.deck[one]
    return new
