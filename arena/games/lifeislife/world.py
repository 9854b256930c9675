"""Sample a state that fits a seat's view.

All deals of the unseen cards that fit are equally likely, with the cards of an animal counted as
different cards. A deal fits if every other hand has its known cards and lacks what it is known to
lack (`knowledge.py`). Later rounds are dealt again. Hints in the other players' choices are
ignored.

A deal that does not fit is discarded and redrawn, so fitting deals stay equally likely. In random
play this happens to one deal in 400. At worst, one in C(21, 3) = 1,330 fits: a seat is only ever
barred from holding all the unseen copies of an animal, it has at most six unknown cards if that is
a single copy, and cards may be unused unless there are five players; so three single copies may
have to be the three unknown cards of one player, with three others barred.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.errors import BadInput
from arena.games.lifeislife.cards import COUNT, ONE, SHIFTS, size_of
from arena.games.lifeislife.knowledge import Knowledge
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.lifeislife.view import View
from arena.games.randomness import SEED_BYTES, Source

if TYPE_CHECKING:
    from random import Random

_MAX_ATTEMPTS = 100_000
"""Deals to try before concluding that none fits."""


def world(view: View, rng: Random) -> LifeIsLifeState:
    """Sample a state that fits the view; all are equally likely."""
    state = LifeIsLifeState()
    state.events = None
    state.seats = view.seats
    state.to_act = view.to_act
    state.parameters = view.parameters
    state.source = Source(rng.randbytes(SEED_BYTES))
    state.set_pack(view.parameters.pack)
    state.lives = list(view.lives)
    state.out = list(view.out)
    state.round = view.round
    state.starter = view.starter
    state.turn = view.turn
    state.last_turn = view.last_turn
    state.knocker = view.knocker
    state.rows = list(view.row_herds)
    state.set_players(view.players)
    state.knowledge = Knowledge(
        state.deadly,
        state.next_seat,
        list(view.known_herds),
        list(view.lacking_herds),
        list(view.row_herds),
        view.to_act,
    )
    _deal(state, view, rng)
    return state


def _deal(state: LifeIsLifeState, view: View, rng: Random) -> None:
    """Deal the unseen cards to the hands; the rest are unused."""
    random = rng.random
    known = view.known_herds
    unseen = view.unseen_herd
    hand_size = view.parameters.hand_size
    unknown = [
        (seat, hand_size - size_of(known[seat]))
        for seat in state.players
        if seat != view.seat and size_of(known[seat]) < hand_size
    ]
    cards = [
        one for one, shift in zip(ONE, SHIFTS, strict=True) for _ in range(unseen >> shift & COUNT)
    ]
    deadly = state.deadly
    # Added to a hand plus what it lacks, this sets the guard bit of an animal with too many copies.
    too_many = state.to_complete - (deadly >> 4)
    for _ in range(_MAX_ATTEMPTS):
        hands = list(known)
        hands[view.seat] = view.hand_herd
        left = len(cards)
        unused = unseen
        for seat, count in unknown:
            drawn = 0
            for _ in range(count):
                at = int(random() * left)
                left -= 1
                card = cards[at]
                drawn += card
                cards[at] = cards[left]
                cards[left] = card
            hands[seat] += drawn
            unused -= drawn
            # RULES 13
            if (hands[seat] + view.lacking_herds[seat] + too_many) & deadly:
                break
        else:
            state.hands = hands
            state.unused = unused
            return
    raise BadInput("no state fits this view: it is not the view of any match")
