"""Search says where a match was lost, knowing what the deciding seat knew."""

from __future__ import annotations

from random import Random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.analysis.assessment import Analysis, Assessment, Effort
from arena.analysis.engine import Task, analyse, first_chances, tasks_of
from arena.games.meow import GAME as MEOW
from arena.games.randomness import seed_from
from arena.pages.match_data import match_data
from arena.records import How, Record, replay_record
from tests.bots.inprocess import bot_class
from tests.pages.replays import SHORT

EFFORT = Effort(playouts=16)


@pytest.fixture(scope="module")
def record() -> Record:
    """Return a match between a greedy bot and a random one."""
    rng = Random(seed_from(2))

    def choose(view: Any) -> int:
        actions = MEOW.legal_actions(view)
        return actions[int(rng.random() * len(actions))]

    return arena.play_match(MEOW, [bot_class("greedy-meow"), choose], seed=3).record


@pytest.fixture(scope="module")
def analysis(record: Record) -> Analysis:
    """Return what search thinks of it."""
    return analyse(record, EFFORT)


def test_every_decision_that_was_a_choice_is_assessed(record: Record, analysis: Analysis) -> None:
    chosen = [
        (number, decision.seat, decision.action)
        for number, decision in enumerate(record.decisions)
        if decision.how is How.CHOSEN
    ]
    assert [(each.number, each.seat, each.played) for each in analysis.assessments] == chosen
    for each in analysis.assessments:
        assert sum(each.chances) == pytest.approx(1, abs=0.001)
        assert 1 <= each.place <= 2
        assert each.loss >= 0
        assert each.loss or each.best == each.played


def test_a_random_player_loses_more_by_its_decisions_than_a_greedy_one(analysis: Analysis) -> None:
    greedy, random = (
        fmean(each.loss for each in analysis.of_seat(seat).assessments) for seat in (0, 1)
    )
    assert random > 2 * greedy
    assert analysis.worst(5)[0].seat == 1


def test_with_a_number_of_playouts_the_result_is_always_the_same(
    record: Record, analysis: Analysis
) -> None:
    again = analyse(record, EFFORT, seat=1, cores=1)
    assert again == analysis.of_seat(1)


def test_the_chances_end_where_the_match_ends(record: Record, analysis: Analysis) -> None:
    last = analysis.assessments[-1]
    assert last.chances[record.places.index(1)] > 0.9


def test_search_gets_nothing_but_the_view_of_the_seat_that_decides() -> None:
    record = SHORT["meow"]
    rng = Random(1)
    tasks = {task.number: task for task in tasks_of(record, EFFORT)}
    assert Task.__annotations__.keys() == {
        *("number", "game_id", "view", "played", "sides", "seed", "effort")
    }
    for number, (_, state) in enumerate(replay_record(record)):
        if number in tasks:
            other = MEOW.redeal(state, state.to_act, rng)
            assert tasks[number].view == MEOW.view_of(other, state.to_act)


def test_partners_share_their_chance_and_all_games_are_analysed() -> None:
    for name in ("trio in teams", "jackal", "lifeislife"):
        short = SHORT[name]
        found = analyse(short, Effort(playouts=2), seat=1)
        assert {each.seat for each in found.assessments} == {1}
        for each in found.assessments:
            assert min(each.chances) >= 0
            if name == "trio in teams":
                assert each.chances[:2] == each.chances[2:]
                assert sum(each.chances) == pytest.approx(2, abs=0.001)


class Position:
    """A state that is not over."""

    to_act = 0


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_chances_add_up_to_one_and_follow_the_rewards(rewards: list[float]) -> None:
    chances = first_chances(Position(), rewards, range(len(rewards)))
    assert sum(chances) == pytest.approx(1)
    for one, more in zip(rewards, chances, strict=True):
        for other, less in zip(rewards, chances, strict=True):
            assert one <= other or more >= less


def _assessment(number: int, loss: float, error: float) -> Assessment:
    return Assessment(number, number % 2, 1, 2, (0.5, 0.5), 1.5, loss, error, 50)


def test_a_mistake_is_large_and_surely_no_luck() -> None:
    listed = [_assessment(0, 0.19, 0.0), _assessment(1, 0.2, 0.1), _assessment(2, 0.9, 0.5)]
    assert [each.is_mistake for each in listed] == [False, True, False]
    found = Analysis(Effort(), (*listed, _assessment(3, 0.0, 0.0)))
    assert [each.number for each in found.worst(2)] == [1, 2]
    assert [each.number for each in found.worst(9)] == [1, 2, 0]


def test_a_page_for_one_seat_has_only_the_analysis_of_its_own_decisions(
    record: Record, analysis: Analysis
) -> None:
    data: dict[str, Any] = match_data(record, 0, analysis)
    assert {each["seat"] for each in data["analysis"]["decisions"]} == {0}
    everything: dict[str, Any] = match_data(record, None, analysis)
    assert len(everything["analysis"]["decisions"]) == len(analysis.assessments)
    assert match_data(record)["analysis"] is None


def test_the_course_ends_with_the_scores_of_the_match(record: Record) -> None:
    for each in (record, *SHORT.values()):
        course = match_data(each)["course"]
        assert course[0][0] == 0
        assert course[-1][1] == each.outcome.scores
        assert [frame for frame, _ in course] == sorted({frame for frame, _ in course})
