"""Events end when they know enough, and not before."""

from __future__ import annotations

import pytest

from arena.indices import EntrantIndex, VersionId
from arena.tournament.certainty import describe_known, describe_unknown, doubt, is_known
from arena.tournament.spec import WHOLE_ORDER, Goal, Kind
from arena.tournament.strengths_so_far import GROWTH, StrengthsSoFar
from leaderboard.strength.connections import Bounds
from leaderboard.strength.strengths import Strengths
from tests.indices import versions
from tests.tournament.test_course import add_next_round, course_of, play_round, result


def strengths(*values: float, variance: float = 1.0) -> Strengths:
    """Make up independent strengths of the versions 1, 2 and so on."""
    size = len(values)
    covariance = [[variance * (one == other) for other in range(size)] for one in range(size)]
    return Strengths(
        tuple(versions(*range(1, size + 1))),
        [*values],
        covariance,
        variances=[variance] * size,
        degrees=[9.0] * size,
        bounds=(Bounds(1, has_low=True, has_high=True, is_centre=True),) * size,
    )


def test_the_chances_of_all_pairs_that_could_be_wrong_are_added_up() -> None:
    # The difference of two strengths has a variance of 2, and half a point does not matter.
    close, far = 0.2398, 0.0385
    known = strengths(26, 25.5, 24)
    one = doubt(Goal(1, 0.05), known, known.versions)
    assert one == pytest.approx(close + far, abs=1e-4)
    assert doubt(Goal(2, 0.05), known, known.versions) == pytest.approx(0.0786 + far, abs=1e-4)
    order = doubt(Goal(WHOLE_ORDER, 0.05), known, known.versions)
    assert order == pytest.approx(close + far + 0.0786, abs=1e-4)


def test_the_first_places_are_known_when_no_outsider_is_likely_to_be_stronger() -> None:
    sure, unsure = strengths(30, 25, 24, variance=1), strengths(30, 25, 24, variance=20)
    assert is_known(Goal(1, 0.05), sure, sure.versions)
    assert not is_known(Goal(WHOLE_ORDER, 0.05), sure, sure.versions)
    assert not is_known(Goal(1, 0.05), unsure, unsure.versions)
    assert is_known(Goal(1, 0.5), unsure, unsure.versions)


def test_equals_are_told_apart_only_as_far_as_it_matters() -> None:
    equals = strengths(25, 25, variance=0.02)
    assert is_known(Goal(1, 0.05), equals, equals.versions)


def test_nothing_is_known_of_a_bot_that_has_not_played() -> None:
    sure = strengths(30, 25, 20, variance=0.1)
    assert is_known(Goal(1, 0.05), sure, versions(1, 2, 3))
    assert not is_known(Goal(1, 0.05), sure, versions(1, 2, 3, 4))


def test_nothing_is_in_doubt_if_nobody_is_left_outside() -> None:
    unsure = strengths(30, 29, 20, variance=50)
    assert not is_known(Goal(1, 0.05), unsure, versions(1, 2))
    assert is_known(Goal(2, 0.05), unsure, versions(1, 2))


def test_the_end_is_described_in_words() -> None:
    assert describe_known(Goal(1, 0.05), played=148, planned=634) == (
        "the first place was known after 148 of 634 matches "
        "(error 5 %, to within half a point of strength)"
    )
    assert describe_known(Goal(4, 0.01), played=1480, planned=0) == (
        "the first 4 places were known after 1,480 matches "
        "(error 1 %, to within half a point of strength)"
    )
    assert describe_unknown(Goal(WHOLE_ORDER, 0.05)) == (
        "the order was not known at the end (error 5 %, to within half a point of strength)"
    )


def test_rounds_that_were_planned_ahead_are_dropped() -> None:
    ends = []
    for ahead in (0, 1, 30):
        course = course_of(Kind.ROUND_ROBIN, 4, seats=2, deals=3, rounds=40, until_sure=1)
        for _ in range(ahead):
            add_next_round(course)
        while not course.stopped:
            if course.counted == len(course.rounds.matches):
                add_next_round(course)
            course.add_result(result(course))
        ends.append(
            (course.stopped, course.rounds.number, course.rounds.pairings, course.rounds.matches)
        )
    assert ends[0] == ends[1] == ends[2]


def test_a_suspended_bot_is_not_waited_for() -> None:
    course = course_of(Kind.ROUND_ROBIN, 3, seats=2, deals=6, rounds=30, until_sure=1)
    course.suspend(EntrantIndex(1))
    while not course.stopped:
        play_round(course)
        if not course.stopped:
            add_next_round(course)
    assert course.rounds.number < 30


def test_strengths_are_fitted_again_only_after_enough_matches() -> None:
    course = course_of(Kind.SWISS, 4, seats=4)
    so_far = StrengthsSoFar(lambda seats: tuple(range(seats)))
    while course.counted < len(course.rounds.matches):
        so_far.add(played := result(course))
        course.add_result(played)
    assert so_far.fitted().versions == ()
    assert so_far.end_round(100)
    fitted = so_far.fitted()
    assert set(fitted.versions) == set(versions(100, 101, 102, 103))
    assert not so_far.end_round(100 + int(100 * GROWTH))
    assert so_far.fitted() is fitted
    assert so_far.end_round(101 + int(100 * GROWTH))


def test_a_bot_without_results_is_drawn_from_the_prior() -> None:
    course = course_of(Kind.LADDER, 5, seats=2, rounds=9)
    play_round(course)
    late = course.add_entrant(VersionId(900))
    ((pairings, byes),) = course.next_rounds()
    assert late in [entrant for pairing in pairings for entrant in pairing.seating]
    assert not byes
