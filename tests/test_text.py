"""Names, counts, percentages and durations as text."""

from __future__ import annotations

import pytest

from arena.text import clock_time, percent, plain, quantity, short_duration


def test_characters_that_control_a_terminal_are_replaced() -> None:
    assert plain("ann\x1b[2J\n\u202e🐈é") == "ann�[2J��🐈é"


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 dice"), (1, "1 die"), (2, "2 dice"), (2000, "2,000 dice")]
)
def test_a_noun_agrees_with_its_number(number: int, text: str) -> None:
    assert quantity(number, "die", "dice") == text
    assert quantity(number, "deal") == text.replace("die", "deal").replace("dice", "deals")


@pytest.mark.parametrize(
    ("share", "text"), [(0.95, "95 %"), (0.999, "99.9 %"), (0.9999, "100 %"), (0, "0 %")]
)
def test_a_share_is_a_percentage(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("time_us", "text"),
    [(0, "0 µs"), (999, "999 µs"), (1_000, "1.0 ms"), (1_500_000, "1.5 s")],
)
def test_a_short_duration_has_a_fitting_unit(time_us: int, text: str) -> None:
    assert short_duration(time_us) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0:00"), (59.6, "1:00"), (3599, "59:59"), (3725, "1:02:05")]
)
def test_a_time_is_written_as_on_a_clock(seconds: float, text: str) -> None:
    assert clock_time(seconds) == text
