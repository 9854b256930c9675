"""What is hidden in MEOW, and view functions that leak it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from arena.games.meow import GAME
from arena.games.meow.cards import COLOUR_MASK, COLOUR_OF, DECKS, cards_in
from arena.games.meow.state import MeowState
from arena.games.meow.view import View


def _the_next_seats_hand(state: MeowState, seat: int) -> View:
    return GAME.view_of(state, seat)._replace(hand_mask=state.hands[(seat + 1) % state.seats])


def _another_lowest_card_as_played(state: MeowState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    other = (seat + 1) % state.seats
    low = state.hands[other] & -state.hands[other]
    played = [mask | (low if each == other else 0) for each, mask in enumerate(view.played_masks)]
    return view._replace(played_masks=tuple(played))


def _voids_not_shown(state: MeowState, seat: int) -> View:
    voids = [
        sum(1 << colour for colour in range(3) if not hand & COLOUR_MASK[colour])
        for hand in state.hands
    ]
    return GAME.view_of(state, seat)._replace(voids=tuple(voids))


def _the_next_rows_first_token(state: MeowState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    if not state.later:
        return view
    drawn = state.source.draw(f"tokens {state.round + 1}", state.later, 1)
    return view._replace(later=(*drawn, *view.later[1:]))


def _the_highest_card_left_over(state: MeowState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    seen = 0
    for hand, played in zip(state.hands, state.played, strict=True):
        seen |= hand | played
    unused = [card for card in DECKS[state.seats, state.parameters.expert] if not seen >> card & 1]
    return view._replace(trick=(*view.trick, *unused[-1:]))


LEAKS: dict[str, Callable[[MeowState, int], View]] = {
    "the next seat's hand": _the_next_seats_hand,
    "another's lowest card as if played": _another_lowest_card_as_played,
    "colours that no seat has shown it lacks": _voids_not_shown,
    "the first token of the next row": _the_next_rows_first_token,
    "the highest card left over": _the_highest_card_left_over,
}


def exchange_hidden(state: MeowState, rng: Random) -> MeowState | None:
    """Exchange two cards of two hands, or of a hand and the cards left over, if voids allow it."""
    seen = 0
    for hand, played in zip(state.hands, state.played, strict=True):
        seen |= hand | played
    unused = [card for card in DECKS[state.seats, state.parameters.expert] if not seen >> card & 1]
    places = [(seat, card) for seat, hand in enumerate(state.hands) for card in cards_in(hand)]
    places += [(-1, card) for card in unused]
    if len(places) < 2:
        return None
    (one, first), (other, second) = rng.sample(places, 2)
    new = state.copy()
    for seat, gone, come in ((one, first, second), (other, second, first)):
        if seat >= 0:
            if new.voids[seat] >> COLOUR_OF[come] & 1:
                return None
            new.hands[seat] ^= 1 << gone | 1 << come
    if new.to_act >= 0:
        hand = new.hands[new.to_act]
        new.legal_mask = hand & COLOUR_MASK[new.led] or hand
    return new
