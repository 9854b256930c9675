"""The valley of Jackal & High: clause 12."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from arena.games.jackal.cards import NO_CARD
from arena.games.jackal.events import Question, ValleyPaid, ValleyRolled, ValleyTaken
from arena.games.jackal.settling import settle_valley
from arena.games.jackal.state import JackalState
from tests.games.jackal.positions import Rolls, events_of, position, settle_round

rules = pytest.mark.rules

PILES = ("11", "3 12", "13", "14", "15")


def valley(
    *rolls: tuple[int, ...],
    again: Mapping[str, Rolls] | None = None,
    card: str = "9",
    piles: tuple[str, ...] = PILES,
    starter: int = 0,
) -> JackalState:
    """Play for the valley with each seat's roll there (empty without dice) and the rerolls."""
    seats = len(rolls)
    state = position(
        " ".join(["21"] * (seats + 1)),
        *["-"] * seats,
        starter=starter,
        valley=card,
        piles=piles[:seats],
        valley_rolls=dict(enumerate(rolls)),
        contests={f"valley {starter} {question}": each for question, each in (again or {}).items()},
    )
    settle_valley(state, [len(roll) for roll in rolls])
    return state


def highest_and_lowest(state: JackalState) -> tuple[int, int]:
    """Return the seats that won and lost, according to the events."""
    return events_of(state, ValleyTaken)[0].seat, events_of(state, ValleyPaid)[0].seat


def rerolls(state: JackalState) -> list[tuple[Question, int]]:
    """List who rolled again and for what."""
    rolls = [(event.question, event.seat) for event in events_of(state, ValleyRolled)]
    return [roll for roll in rolls if roll[0] is not Question.BOTH]


@rules(12)
def test_a_seat_alone_takes_the_card_without_a_roll() -> None:
    state = valley((), (2, 3))
    assert state.piles == [(11,), (3, 12, 9)]
    assert state.valley == NO_CARD
    assert events_of(state, ValleyRolled) == []


@rules(12)
def test_a_seat_alone_with_no_card_there_pays_its_top_card() -> None:
    state = valley((), (2, 3), card="none")
    assert (state.piles[1], state.valley) == ((3,), 12)


@rules(12)
def test_a_seat_alone_with_nothing_to_pay_pays_nothing() -> None:
    state = valley((1,), (), card="none", piles=("", "12"))
    assert state.valley == NO_CARD
    assert events_of(state, ValleyPaid) == [(0, NO_CARD)]


@rules(12)
def test_with_no_dice_in_the_valley_nothing_happens() -> None:
    state = valley((), ())
    assert (state.piles, state.valley) == ([(11,), (3, 12)], 9)


@rules(12)
def test_the_highest_takes_the_card_and_then_the_lowest_pays_its_top_card() -> None:
    state = valley((8, 7), (1, 1), (5,))
    assert state.piles == [(11, 9), (3,), (13,)]
    assert state.valley == 12
    assert events_of(state, ValleyTaken) == [(0, 9)]
    assert events_of(state, ValleyPaid) == [(1, 12)]


@rules(12)
def test_the_sheets_valley_takes_the_six_that_was_just_won() -> None:
    state = settle_round(
        "6 21 21", "1:6 2:1+1", "1:1+1+1", valley="4", valley_rolls={0: (1, 2), 1: (3, 3, 3)}
    )
    assert state.piles == [(), (4,)]
    assert state.valley == 6


@rules(12)
def test_the_valley_stays_empty_if_the_lowest_has_no_card() -> None:
    state = valley((8,), (1,), piles=("11", ""))
    assert (state.piles, state.valley) == ([(11, 9), ()], NO_CARD)


@rules(12)
def test_every_seat_in_the_valley_rolls_once_clockwise_from_the_starter() -> None:
    state = valley((8,), (), (1, 2), (3, 3), starter=2)
    assert events_of(state, ValleyRolled) == [
        (Question.BOTH, 2, (1, 2)),
        (Question.BOTH, 3, (3, 3)),
        (Question.BOTH, 0, (8,)),
    ]


@rules(12)
def test_among_equal_highest_sums_fewer_dice_win() -> None:
    assert highest_and_lowest(valley((3, 4), (7,), (1,))) == (1, 2)


@rules(12)
def test_among_equal_lowest_sums_more_dice_lose() -> None:
    assert highest_and_lowest(valley((8,), (4,), (2, 2))) == (0, 2)


@rules(12)
def test_only_those_tied_for_highest_roll_again_and_only_for_that() -> None:
    again = {"highest 1": {0: (1,), 2: (1,)}, "highest 2": {0: (1,), 2: (6,)}}
    state = valley((7,), (3,), (7,), (4,), again=again)
    assert highest_and_lowest(state) == (2, 1)
    assert rerolls(state) == [(Question.HIGHEST, seat) for seat in (0, 2, 0, 2)]


@rules(12)
def test_only_those_tied_for_lowest_roll_again_and_only_for_that() -> None:
    again = {"lowest 1": {1: (8,), 2: (7,)}}
    state = valley((5,), (3,), (3,), again=again)
    assert highest_and_lowest(state) == (0, 2)
    assert rerolls(state) == [(Question.LOWEST, 1), (Question.LOWEST, 2)]


@rules(12)
def test_the_highest_is_decided_before_the_lowest() -> None:
    again = {"highest 1": {0: (1,), 1: (2,)}, "lowest 1": {2: (1,), 3: (2,)}}
    state = valley((5,), (5,), (3,), (3,), again=again)
    assert highest_and_lowest(state) == (1, 2)
    assert [question for question, _ in rerolls(state)] == [Question.HIGHEST] * 2 + [
        Question.LOWEST
    ] * 2


@rules(12)
def test_with_all_equal_the_lowest_is_decided_among_the_others() -> None:
    again = {"highest 1": {0: (1,), 1: (2,), 2: (8,)}, "lowest 1": {0: (6,), 1: (5,)}}
    state = valley((5,), (5,), (5,), again=again)
    assert highest_and_lowest(state) == (2, 1)


@rules(12)
def test_rolls_for_the_highest_do_not_count_for_the_lowest() -> None:
    again = {"highest 1": {0: (1,), 1: (8,)}}
    state = valley((4,), (4,), (2, 2), again=again)
    # Seat 0 rolled a 1 to become highest; for the lowest its 4 stands, with fewer dice than seat 2.
    assert highest_and_lowest(state) == (1, 2)


@rules(12)
def test_with_two_seats_one_roll_settles_both_questions() -> None:
    again = {"highest 1": {0: (3,), 1: (3,)}, "highest 2": {0: (3,), 1: (5,)}}
    state = valley((4,), (4,), again=again)
    assert highest_and_lowest(state) == (1, 0)
    assert {question for question, _ in rerolls(state)} == {Question.HIGHEST}


@rules(12)
def test_with_two_seats_and_equal_sums_fewer_dice_settle_both_questions() -> None:
    state = valley((2, 2), (4,))
    assert highest_and_lowest(state) == (1, 0)
    assert rerolls(state) == []


@rules(12)
def test_both_questions_are_decided_even_if_no_card_can_change_hands() -> None:
    again = {"highest 1": {0: (1,), 1: (2,)}, "lowest 1": {2: (1,), 3: (2,)}}
    state = valley((5,), (5,), (3,), (3,), again=again, card="none", piles=("",) * 4)
    assert len(rerolls(state)) == 4
    assert (events_of(state, ValleyTaken), events_of(state, ValleyPaid)) == ([(1, 0)], [(2, 0)])


@rules(12)
def test_without_a_card_in_the_valley_the_highest_gets_none_and_the_lowest_still_pays() -> None:
    state = valley((8,), (1,), card="none")
    assert (state.piles, state.valley) == ([(11,), (3,)], 12)
