"""What is hidden in Life is Life, and view functions that leak it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import GUARDS, ONE, animals_in
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.lifeislife.view import View


def _the_next_players_hand(state: LifeIsLifeState, seat: int) -> View:
    return GAME.view_of(state, seat)._replace(hand_herd=state.hands[state.next_seat[seat]])


def _a_hand_as_known_after_its_first_swap(state: LifeIsLifeState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    swapped = view.has_swapped
    known = tuple(
        state.hands[each] if swapped[each] else herd for each, herd in enumerate(view.known_herds)
    )
    return view._replace(known_herds=known)


def _what_hands_truly_lack(state: LifeIsLifeState, seat: int) -> View:
    deadly = state.deadly - (state.deadly >> 4)
    lacking = tuple(
        (state.parameters.pack.herd - hand) & deadly if hand else 0 for hand in state.hands
    )
    return GAME.view_of(state, seat)._replace(lacking_herds=lacking)


def _an_unused_card_in_the_last_row(state: LifeIsLifeState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    low = state.unused & -state.unused
    return view._replace(row_herds=(*view.row_herds[:3], view.row_herds[3] + low))


def _one_card_too_many_as_known(state: LifeIsLifeState, seat: int) -> View:
    view = GAME.view_of(state, seat)
    known = list(view.known_herds)
    other = state.next_seat[seat]
    unknown = animals_in(state.hands[other] - known[other])
    known[other] += sum(ONE[animal] for animal in unknown[-1:])
    return view._replace(known_herds=tuple(known))


LEAKS: dict[str, Callable[[LifeIsLifeState, int], View]] = {
    "the next player's hand": _the_next_players_hand,
    "a whole hand as known after its first swap": _a_hand_as_known_after_its_first_swap,
    "what hands truly lack": _what_hands_truly_lack,
    "an unused card in the last row": _an_unused_card_in_the_last_row,
    "one card too many as known": _one_card_too_many_as_known,
}


def exchange_hidden(state: LifeIsLifeState, rng: Random) -> LifeIsLifeState | None:
    """Exchange two cards of hands or the unused cards, if that fits what the table knows."""
    places = [(seat, animal) for seat in state.players for animal in animals_in(state.hands[seat])]
    places += [(-1, animal) for animal in animals_in(state.unused)]
    (one, first), (other, second) = rng.sample(places, 2)
    new = state.copy()
    for seat, gone, come in ((one, first, second), (other, second, first)):
        change = ONE[come] - ONE[gone]
        if seat < 0:
            new.unused += change
        else:
            new.hands[seat] += change
    return new if all(_fits_knowledge(new, seat) for seat in new.players) else None


def _fits_knowledge(state: LifeIsLifeState, seat: int) -> bool:
    """Return whether a hand has its known cards and lacks what it is known to lack."""
    view = GAME.view_of(state, seat)
    lacking = view.lacking_herds[seat]
    return not (
        (view.hand_herd - view.known_herds[seat]) & GUARDS
        or (view.parameters.pack.herd - view.hand_herd - lacking) & GUARDS
    )
