"""A table asks the right seat, rejects illegal actions, and finishes matches with faults."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.conformance import Setting
from arena.games.outcome import Ending, Outcome
from arena.games.randomness import seed_from
from arena.games.registry import game_named
from arena.indices import Seat
from arena.records import (
    Entrant,
    Fault,
    How,
    Record,
    SeatEnding,
    places_after_faults,
)
from arena.referee.table import Answer, DecisionRequest, table
from tests.builders.records import drive
from tests.builders.settings import every_setting

Choice = Callable[[DecisionRequest], Answer | Fault]


def play(
    setting: Setting, seed: int, choose: Choice
) -> tuple[Record, list[DecisionRequest | Fault]]:
    """Play a match with this chooser in every seat; also return what the table yielded."""
    entrants = [Entrant(f"bot-{seat}") for seat in range(setting.seats)]
    match = table(setting.game, seed_from(seed), setting.parameters, entrants)
    finished, asked = drive(match, choose)
    return finished.record, asked


def random_choice(setting: Setting, seed: int) -> Choice:
    """Choose uniformly among the legal actions of the view."""
    rng = Random(seed)

    def choose(request: DecisionRequest) -> Answer:
        return Answer(rng.choice(setting.game.legal_actions(request.view)))

    return choose


@every_setting
def test_a_seat_without_a_choice_is_not_asked(setting: Setting) -> None:
    record, asked = play(setting, 2, random_choice(setting, 2))
    assert all(
        len(setting.game.legal_actions(r.view)) > 1 for r in asked if isinstance(r, DecisionRequest)
    )
    chosen = sum(decision.how is How.CHOSEN for decision in record.decisions)
    assert chosen == len(asked)


@every_setting
def test_an_illegal_answer_loses_the_match_and_the_others_play_on(
    setting: Setting,
) -> None:
    honest = random_choice(setting, 4)

    def choose(request: DecisionRequest) -> Answer | Fault:
        if request.seat == 0 and request.number == 1:
            return Answer(setting.game.action_count + 5, request=b"asked", reply=b"said")
        return honest(request)

    record, asked = play(setting, 4, choose)
    (fault,) = record.faults
    assert fault in asked
    assert (fault.ending, fault.request, fault.reply) == (
        SeatEnding.ILLEGAL_ACTION,
        b"asked",
        b"said",
    )
    assert fault.sentence.startswith("seat 0 may not ")
    assert "\n" not in fault.sentence
    sides = setting.game.sides(setting.seats, setting.parameters)
    last = max(record.places)
    assert {sides[s] for s in range(setting.seats) if record.places[s] == last} == {sides[0]}
    chosen = [d.seat for d in record.decisions if d.how is How.CHOSEN]
    assert chosen.count(Seat(0)) == 1, "after its fault a seat chooses nothing"
    assert len(chosen) > 5


def test_the_stand_in_depends_only_on_the_seed() -> None:
    setting = Setting(game_named("meow"), 4, "standard", game_named("meow").default_parameters)

    def choose(request: DecisionRequest) -> Answer | Fault:
        if request.seat == 2:
            return Fault(Seat(2), SeatEnding.CRASHED, "it crashed")
        return Answer(setting.game.legal_actions(request.view)[0])

    first, second = play(setting, 5, choose)[0], play(setting, 5, choose)[0]
    assert first == second
    assert first.ending_of(2) is SeatEnding.CRASHED
    assert first.ending_of(1) is SeatEnding.PLAYED
    by_stand_in = [decision for decision in first.decisions if decision.how is How.STAND_IN]
    assert len(by_stand_in) > 10
    assert {decision.seat for decision in by_stand_in} == {2}


def test_a_match_still_ends_if_every_seat_faults() -> None:
    setting = Setting(game_named("meow"), 3, "standard", game_named("meow").default_parameters)
    record, _ = play(setting, 6, lambda r: Fault(r.seat, SeatEnding.HUNG_UP, "it hung up"))
    assert record.places == (1, 1, 1)
    assert len(record.faults) == 3


@pytest.mark.parametrize(
    ("places", "sides", "faulted", "expected"),
    [
        ((1, 2, 3, 4), (0, 1, 2, 3), set(), (1, 2, 3, 4)),
        ((1, 2, 3, 4), (0, 1, 2, 3), {0}, (4, 1, 2, 3)),
        ((1, 2, 2, 4), (0, 1, 2, 3), {3}, (1, 2, 2, 4)),
        ((1, 2, 2, 4), (0, 1, 2, 3), {0, 1}, (3, 3, 1, 2)),
        ((1, 2, 1, 2), (0, 1, 0, 1), {2}, (2, 1, 2, 1)),
        ((1, 2, 3, 1, 2, 3), (0, 1, 2, 0, 1, 2), {1}, (1, 3, 2, 1, 3, 2)),
    ],
)
def test_seats_that_fault_are_last(
    places: tuple[int, ...], sides: tuple[int, ...], faulted: set[int], expected: tuple[int, ...]
) -> None:
    outcome = Outcome(places, places, Ending.PLAYED_OUT)
    assert places_after_faults(outcome, sides, faulted) == expected


@given(st.permutations([1, 2, 3, 4]), st.sets(st.integers(0, 3)))
def test_honest_seats_keep_their_order(places: list[int], faulted: set[int]) -> None:
    outcome = Outcome(tuple(places), tuple(places), Ending.PLAYED_OUT)
    result = places_after_faults(outcome, (0, 1, 2, 3), faulted)
    honest = [seat for seat in range(4) if seat not in faulted]
    assert sorted(honest, key=lambda s: result[s]) == sorted(honest, key=lambda s: places[s])
    assert all(result[bad] > result[good] for bad in faulted for good in honest)
