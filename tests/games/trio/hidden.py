"""What is hidden in Trio, and view functions that leak it.

Hidden are the cards of the other hands between the ends that have been seen, the slots not turned
up yet, and in team games the choices and swaps of others.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from arena.games.trio import GAME
from arena.games.trio.cards import give_mask
from arena.games.trio.knowledge import Known
from arena.games.trio.state import TrioState
from arena.games.trio.view import View
from tests.games.trio.positions import misfits


def _after(state: TrioState, seat: int) -> int:
    return (seat + 1) % state.seats


def _the_next_players_hand(state: TrioState, seat: int) -> View:
    return GAME.view_of(state, seat)._replace(hand=tuple(state.hands[_after(state, seat)]))


def _one_card_deeper_than_seen(state: TrioState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    known = [
        each._replace(low=tuple(hand[: len(each.low) + 1])) if each.least else each
        for each, hand in zip(view.known, state.hands, strict=True)
    ]
    return view._replace(known=tuple(known))


def _bounds_from_the_cards_themselves(state: TrioState, seat: int) -> View:
    def tight(known: Known, hand: list[int]) -> Known:
        between = hand[len(known.low) : len(hand) - len(known.high)]
        return known._replace(most=between[-1]) if known.least else known

    view = GAME.view_of(state, seat)
    return view._replace(known=tuple(map(tight, view.known, state.hands)))


def _the_first_unseen_slot(state: TrioState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    centre = list(view.centre)
    if 0 in centre:
        slot = centre.index(0)
        centre[slot] = state.centre[slot]
    return view._replace(centre=tuple(centre))


def _a_choice_of_another_seat(state: TrioState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    if state.swaps is None:
        return view
    return view._replace(chosen=state.swaps.chosen[(seat + len(state.piles)) % state.seats])


def _the_swaps_of_another_team(state: TrioState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    if state.swaps is None:
        return view
    return view._replace(log=state.swaps.logs[_after(state, seat)])


def _what_other_partners_know(state: TrioState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    if state.swaps is None:
        return view
    return view._replace(partner=state.swaps.private[_after(state, seat)])


LEAKS: dict[str, Callable[[TrioState, int], View]] = {
    "the next player's hand": _the_next_players_hand,
    "one card deeper than seen": _one_card_deeper_than_seen,
    "bounds from the cards themselves": _bounds_from_the_cards_themselves,
    "the first unseen slot": _the_first_unseen_slot,
    "a choice of another seat": _a_choice_of_another_seat,
    "the swaps of another team": _the_swaps_of_another_team,
    "what other partners know": _what_other_partners_know,
}


def exchange_hidden(state: TrioState, rng: Random) -> TrioState | None:
    """Exchange two cards in hands or the centre; None if that contradicts what is known.

    Knowledge is stored separately from the cards, so the view alone would not show the
    contradiction.
    """
    new = state.copy()
    rows = [*new.hands, new.centre]
    places = [(row, at) for row in rows for at, number in enumerate(row) if number]
    if len(places) < 2:
        return None
    (row, at), (other, other_at) = rng.sample(places, 2)
    row[at], other[other_at] = other[other_at], row[at]
    for hand in new.hands:
        hand.sort()
    if new.swaps is not None and new.swaps.phase:
        new.legal_mask = give_mask(new.hands[new.to_act])
    return None if misfits(new) else new
