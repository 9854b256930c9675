"""A confidence sequence keeps its error rate, and stops as soon as it can."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.comparison.confidence import ConfidenceSequence, Verdict

Draw = Callable[[Random], float]

EVEN: dict[str, Draw] = {
    "all or nothing": lambda rng: rng.choice((-1, 1)),
    "sums of places": lambda rng: sum(rng.randint(-4, 4) for _ in range(3)) / 12,
    "mostly zero": lambda rng: rng.choice((-0.5, 0.5, *[0] * 18)),
    "rarely far above": lambda rng: 1.0 if rng.random() < 1 / 21 else -0.05,
    "rarely far below": lambda rng: -1.0 if rng.random() < 1 / 21 else 0.05,
    "no two alike": lambda rng: rng.random() ** 2 - 1 / 3,
    "little spread, rarely far below": lambda rng: (
        -1.0 if rng.random() < 1 / 13 else rng.uniform(0.0, 1 / 6)
    ),
    "wide or narrow": lambda rng: rng.choice((0.01, 0.01, 0.01, 1.0)) * rng.choice((-1, 1)),
    "one large loss for two gains": lambda rng: rng.choice((-1, 0.5, 0.5)),
}
"""Ways to draw values between -1 and 1 whose mean is zero, most of them nasty."""

ERROR = 0.1
"""Larger than usual, so that fewer runs are needed to detect a violation."""


def verdict_of(draw: Draw, rng: Random, most: int) -> Verdict:
    """Check the verdict after every value, and stop as soon as there is one."""
    sequence = ConfidenceSequence(error=ERROR, margin=0.001)
    for _ in range(most):
        sequence.add(draw(rng))
        if sequence.verdict is not Verdict.UNKNOWN:
            break
    return sequence.verdict


def check_errors(draw: Draw, *, runs: int, most: int) -> None:
    """Assert that neither wrong verdict is more frequent than allowed."""
    rng = Random(1)
    verdicts = [verdict_of(draw, rng, most) for _ in range(runs)]
    assert verdicts.count(Verdict.BETTER) <= runs * ERROR / 2
    assert verdicts.count(Verdict.WORSE) <= runs * ERROR / 2


@pytest.mark.parametrize("draw", EVEN.values(), ids=EVEN)
def test_without_a_difference_it_rarely_reports_one(draw: Draw) -> None:
    check_errors(draw, runs=200, most=60)


@pytest.mark.slow
@pytest.mark.parametrize("draw", EVEN.values(), ids=EVEN)
def test_without_a_difference_it_rarely_reports_one_in_long_runs_either(draw: Draw) -> None:
    check_errors(draw, runs=1000, most=400)


def test_a_clear_difference_is_found_nearly_as_soon_as_any_test_could() -> None:
    """A test that allows for rare values of -1 cannot gain more than log(1 + mean) a value."""
    rng = Random(1)
    for mean in (0.05, 0.2, 0.5):
        sequence = ConfidenceSequence(error=0.05, margin=0.02)
        while sequence.verdict is Verdict.UNKNOWN:
            sequence.add(mean + rng.uniform(-0.02, 0.02))
        assert sequence.verdict is Verdict.BETTER
        assert sequence.number <= 1.3 * log(2 / 0.05) / log(1 + mean) + 1


def test_the_interval_rarely_misses_the_mean_at_any_time() -> None:
    rng = Random(2)
    missed = 0
    for _ in range(60):
        sequence = ConfidenceSequence(error=ERROR, margin=0.02)
        misses = 0
        for number in range(1, 201):
            sequence.add(rng.choice((-0.25, 0, 0.5)))
            if number % 10 == 0:
                low, high = sequence.interval()
                misses += not low <= 0.25 / 3 <= high
        missed += misses > 0
    assert missed <= 60 * ERROR


@pytest.mark.parametrize(
    ("mean", "verdict"),
    [
        (0.1, Verdict.BETTER),
        (-0.1, Verdict.WORSE),
        (0.0, Verdict.NO_DIFFERENCE),
    ],
)
def test_it_reaches_the_true_verdict(mean: float, verdict: Verdict) -> None:
    rng = Random(3)
    for _ in range(10):
        sequence = ConfidenceSequence(error=0.01, margin=0.05)
        while sequence.verdict is Verdict.UNKNOWN:
            sequence.add(0.5 if rng.random() < 0.5 + mean else -0.5)
            assert sequence.number < 5000
        assert sequence.verdict is verdict


values = st.lists(st.integers(-24, 24).map(lambda n: n / 24), max_size=60)


def sequence_of(numbers: list[float]) -> ConfidenceSequence:
    """Return the sequence after these values."""
    sequence = ConfidenceSequence(error=0.05, margin=0.02)
    for number in numbers:
        sequence.add(number)
    return sequence


@given(values)
def test_the_mean_so_far_is_in_the_interval(numbers: list[float]) -> None:
    sequence = sequence_of(numbers)
    low, high = sequence.interval()
    assert -1 <= low <= sequence.mean <= high <= 1


@given(values.flatmap(lambda numbers: st.tuples(st.just(numbers), st.permutations(numbers))))
def test_the_order_does_not_matter(two: tuple[list[float], list[float]]) -> None:
    one, other = map(sequence_of, two)
    assert one.interval() == pytest.approx(other.interval(), abs=1e-6)


@given(values)
def test_negated_values_give_the_negated_interval(numbers: list[float]) -> None:
    low, high = sequence_of(numbers).interval()
    assert sequence_of([-number for number in numbers]).interval() == pytest.approx((-high, -low))


@given(st.lists(st.sampled_from((-0.5, 0.0, 0.25, 1.0)), max_size=300))
def test_verdict_and_interval_agree(numbers: list[float]) -> None:
    sequence = sequence_of(numbers)
    low, high = sequence.interval()
    assert (sequence.verdict is Verdict.BETTER) == (low > 0)
    assert (sequence.verdict is Verdict.WORSE) == (high < 0)


def test_values_of_zero_give_no_difference_after_a_few_hundred() -> None:
    sequence = ConfidenceSequence(error=0.05, margin=0.02)
    while sequence.verdict is Verdict.UNKNOWN:
        sequence.add(0.0)
    assert sequence.verdict is Verdict.NO_DIFFERENCE
    assert 100 < sequence.number < 400
    low, high = sequence.interval()
    assert -0.02 <= low < high <= 0.02


def test_without_values_infinitely_many_are_expected() -> None:
    assert ConfidenceSequence(error=0.05, margin=0.02).expected_more() == inf


def test_the_expected_number_is_about_right_if_values_go_on_alike() -> None:
    sequence = ConfidenceSequence(error=0.05, margin=0.02)
    guesses = []
    while sequence.verdict is Verdict.UNKNOWN:
        sequence.add((0.5, -0.5, 0.5, 0.0)[sequence.number % 4])
        guesses.append(sequence.number + sequence.expected_more())
    assert guesses[-1] == sequence.number
    for guess in guesses[40:]:
        assert guess == pytest.approx(sequence.number, rel=0.4)


def test_the_mean_is_the_usual_one() -> None:
    assert sequence_of([0.0, 0.5, 1.0, 0.5]).mean == 0.5
