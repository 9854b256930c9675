"""The table knows exactly what it has seen (clause 12), and what is left of that after swaps."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.randomness import seed_from
from arena.games.trio import GAME
from arena.games.trio.cards import FIRST_HAND, SEAT_OF, low
from arena.games.trio.events import CardRevealed, Event, TrioTaken
from arena.games.trio.knowledge import (
    Earlier,
    Known,
    KnownToPartner,
    earlier_after_swap,
    earlier_after_trio,
    merge,
    partner_after_swap,
)
from tests.games.trio.positions import events_of, hungry_action, misfits, play, position

VARIANTS = [(name, seats) for name, p in GAME.variants.items() for seats in GAME.seats_for(p)]


@pytest.mark.rules(12)
def test_cards_turned_up_stay_known_after_they_went_back() -> None:
    state = play(position("1 2 3 4 5", "4 5 6", "7 8 9", centre="3 11"), "low 0, centre 1")
    play(state, "high 0, high 1")
    for seat in range(3):
        view = GAME.view_of(state, seat)
        assert view.known[0] == Known(5, (1,), (5,), 1, 5)
        assert view.known[1] == Known(3, (), (6,), 1, 6)
        assert view.centre == (0, 11)


@pytest.mark.rules(12)
def test_deeper_cards_add_to_what_is_known() -> None:
    state = play(position("2 2 5 6 8 9", "4 5 6", "7 8 9"), "low 0, low 0, low 0")
    assert state.known[0] == Known(6, (2, 2, 5), (), 5, 12)


@pytest.mark.rules(12)
def test_when_both_ends_meet_the_whole_hand_is_known() -> None:
    state = play(position("2 2 9", "4 5 6", "7 8 9"), "low 0, low 0, high 1")
    play(state, "high 0, low 1")
    assert state.known[0] == Known(3, (2, 2, 9), (), 0, 0)
    play(state, "high 0, low 1")
    assert state.known[0] == Known(3, (2, 2, 9), (), 0, 0)


@pytest.mark.rules(12)
def test_a_taken_trio_leaves_bounds_behind() -> None:
    state = position("3 3 6 8", "2 3", "1 8", centre="4 8 8 1")
    play(state, "low 0, low 0, high 1")
    assert state.known[0] == Known(2, (), (), 4, 12)
    assert state.known[1] == Known(1, (), (), 1, 2)
    play(state, "high 0, centre 1, centre 2")
    assert state.known[0] == Known(1, (), (), 4, 7)
    assert state.seen == [0, -1, -1, 0]


@pytest.mark.rules(12)
def test_the_number_face_up_is_in_the_view() -> None:
    for first in ("low 0", "high 1", "centre 0", "high 2"):
        state = position("4 5 6", "3 4", "4", centre="4")
        state.hands[2].append(4)
        state.open_mask |= 1 << GAME.parse_action("high 2")
        state.legal_mask = state.open_mask
        view = GAME.view_of(play(state, first), 1)
        assert view.number == 4
        assert view.shown == (GAME.parse_action(first),)


@given(st.sampled_from(VARIANTS), st.integers(0, 10**9))
def test_whatever_is_known_is_true(setting: tuple[str, int], number: int) -> None:
    name, seats = setting
    state = GAME.start(seats, seed_from(number), GAME.variants[name])
    rng = Random(number)
    for _ in range(250):
        if state.is_over:
            break
        state.apply(hungry_action(state, rng))
        assert misfits(state) == []


class Observer:
    """Reconstructs public knowledge from the events alone."""

    def __init__(self, sizes: tuple[int, ...], slots: int) -> None:
        self.rows: list[list[int | None]] = [[None] * size for size in sizes]
        self.centre: list[int] = [0] * slots
        self.face_up: list[tuple[int, int]] = []
        self.asked: list[int] = []

    def observe(self, event: Event) -> None:
        if isinstance(event, CardRevealed):
            depth = self.asked.count(event.place)
            self.asked.append(event.place)
            if event.place < FIRST_HAND:
                self.centre[event.place] = event.number
                return
            seat = SEAT_OF[event.place]
            at = depth if event.place == low(seat) else len(self.rows[seat]) - 1 - depth
            self.rows[seat][at] = event.number
            self.face_up.append((seat, at))
            return
        if isinstance(event, TrioTaken):
            for seat, at in sorted(self.face_up, reverse=True):
                del self.rows[seat][at]
            for place in self.asked:
                if place < FIRST_HAND:
                    self.centre[place] = -1
        self.face_up.clear()
        self.asked.clear()

    def ends(self, seat: int) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
        row = self.rows[seat]
        if None not in row:
            return tuple(row), ()
        return tuple(row[: row.index(None)]), tuple(row[len(row) - row[::-1].index(None) :])


@given(st.integers(3, 6), st.integers(0, 10**9))
def test_the_events_contain_everything_known_in_the_views(seats: int, number: int) -> None:
    state = GAME.start(seats, seed_from(number), recording=True)
    observer = Observer(tuple(map(len, state.hands)), len(state.centre))
    rng = Random(number)
    for _ in range(150):
        if state.is_over:
            break
        observed = len(events_of(state))
        state.apply(hungry_action(state, rng))
        for event in events_of(state)[observed:]:
            observer.observe(event)
    for seat in range(seats):
        view = GAME.view_of(state, seat)
        assert [(each.low, each.high) for each in view.known] == [
            observer.ends(owner) for owner in range(seats)
        ]
        assert list(view.centre) == observer.centre


def test_a_swap_turns_knowledge_into_earlier_knowledge() -> None:
    before = Known(5, (1, 2), (9,), 2, 9)
    once = earlier_after_swap((), before)
    assert once == (Earlier((1, 2, 9), 2, 9, 1, 1),)
    assert earlier_after_swap(once, Known(5, (), (), 1, 12)) == (Earlier((1, 2, 9), 2, 9, 2, 2),)
    assert earlier_after_swap((), Known(5, (), (), 1, 12)) == ()


def test_a_trio_uses_up_allowance_where_all_saw_that_cards_had_moved() -> None:
    layers = (Earlier((1, 2, 9), 2, 9, 1, 1),)
    assert earlier_after_trio(layers, 9, count=1, size=4) == (Earlier((1, 2), 2, 9, 1, 1),)
    assert earlier_after_trio(layers, 9, count=0, size=5) == (Earlier((1, 2), 2, 9, 0, 1),)
    assert earlier_after_trio(layers, 12, count=1, size=4) == (Earlier((1, 2, 9), 2, 9, 1, 0),)
    assert earlier_after_trio((Earlier((1,), 1, 12, 1, 1),), 2, count=0, size=4) == ()


def test_a_partner_knows_what_it_gave_until_it_is_gone() -> None:
    knows = merge(KnownToPartner((), 1, 12), Known(4, (2,), (11,), 2, 11))
    knows = partner_after_swap(knows, came=7, left=2)
    assert knows == KnownToPartner((7, 11), 2, 11)
    assert merge(knows, Known(4, (5,), (), 5, 12)) == KnownToPartner((5, 7, 11), 5, 11)
    assert merge(knows, Known(2, (), (11,), 1, 11)) == KnownToPartner((7, 11), 0, 0)
