"""Chances are compared with results, match by match."""

from __future__ import annotations

from random import Random

import pytest

from arena.analysis.assessment import Analysis, Assessment, Effort
from arena.analysis.calibration import AnalysedMatch, calibration


def assessment(number: int, seat: int, chances: tuple[float, ...], loss: float = 0.0) -> Assessment:
    """Make an assessment of a decision."""
    return Assessment(number, seat, 1, 2, chances, 1.5, loss, 0.01, 100)


def analysed(chances: list[tuple[float, ...]], places: tuple[int, ...]) -> AnalysedMatch:
    """Make a match in which seat 0 alone decides."""
    made = tuple(assessment(number, 0, each) for number, each in enumerate(chances))
    return AnalysedMatch(Analysis(Effort(), made), places)


def test_a_judge_who_is_right_is_found_right_within_the_interval() -> None:
    rng = Random(1)
    matches = []
    for _ in range(400):
        chance = rng.random()
        won = rng.random() < chance
        matches.append(analysed([(chance, 1 - chance)] * 5, (1, 2) if won else (2, 1)))
    bins = calibration(matches)
    assert len(bins) == 10
    assert sum(one.positions for one in bins) == 400 * 5 * 2
    inside = [abs(one.won - one.called) <= one.reach for one in bins]
    assert inside.count(True) >= 8
    assert all(one.low <= one.called <= one.high for one in bins)


def test_positions_of_one_match_count_as_one_witness() -> None:
    few = [analysed([(0.75, 0.25)], (1, 2) if n % 4 else (2, 1)) for n in range(40)]
    many = [analysed([(0.75, 0.25)] * 50, (1, 2) if n % 4 else (2, 1)) for n in range(40)]
    (_, one), (_, other) = calibration(few), calibration(many)
    assert one.won == other.won == 0.75
    assert one.reach == pytest.approx(other.reach)
    assert 0.1 < one.reach < 0.2


def test_a_shared_first_place_counts_in_part() -> None:
    (shared,) = calibration([analysed([(0.5, 0.5)], (1, 1))])
    assert (shared.won, shared.positions, shared.reach) == (0.5, 2, 1.0)


def test_the_line_of_chances_is_the_mean_of_what_the_seats_last_knew() -> None:
    made = (
        assessment(0, 0, (0.8, 0.2)),
        assessment(1, 1, (0.4, 0.6)),
        assessment(2, 0, (0.6, 0.4)),
    )
    course = Analysis(Effort(), made).course()
    assert [number for number, _ in course] == [0, 1, 2]
    assert [chances[0] for _, chances in course] == pytest.approx([0.8, 0.6, 0.5])


def test_mistakes_and_blunders_are_counted_by_player() -> None:
    losses = ((0, 0.0), (0, 0.3), (1, 0.6), (1, 0.04))
    made = tuple(
        assessment(number, seat, (0.5, 0.5), loss) for number, (seat, loss) in enumerate(losses)
    )
    assert [each.mark for each in made] == ["", "?", "??", ""]
    first, second = Analysis(Effort(), made).accuracy()
    assert (first.decisions, first.good, first.mistakes, first.blunders) == (2, 1, 1, 0)
    assert (second.decisions, second.good, second.mistakes, second.blunders) == (2, 1, 1, 1)
    assert (first.lost, second.lost) == (0.3, 0.64)
