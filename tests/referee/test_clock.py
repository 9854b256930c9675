"""Parsing and printing of clocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.referee.clock import (
    EVENT_CLOCK,
    NO_CLOCK,
    WALL_FACTOR,
    WALL_GRACE_S,
    Clock,
    limited,
    read_clock,
)

seconds = st.integers(0, 10**13 - 1).map(lambda us: us / 10**6)
clocks = st.builds(Clock, seconds.filter(bool), seconds, st.booleans())


@given(clocks)
def test_a_clock_is_read_as_it_is_written(clock: Clock) -> None:
    assert read_clock(str(clock)) == clock


number = r"[0-9]{0,6}[1-9](\.[0-9]{1,6})?"


@given(st.from_regex(rf"(cpu:)?{number}(\+{number})?", fullmatch=True))
def test_a_clock_in_any_form_equals_its_canonical_form(text: str) -> None:
    clock = read_clock(text)
    assert clock.counts_cpu == text.startswith("cpu:")
    assert read_clock(str(clock)) == clock


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("60+0.5", Clock(60, 0.5)),
        (" 10 ", Clock(10)),
        ("cpu:60+0.5", Clock(60, 0.5, counts_cpu=True)),
        ("cpu:0.1", Clock(0.1, counts_cpu=True)),
    ],
)
def test_a_clock_is_parsed(text: str, clock: Clock) -> None:
    assert read_clock(text) == clock


def test_no_clock_is_written_as_none_and_refused_where_bots_are_judged() -> None:
    assert (read_clock("none"), str(NO_CLOCK)) == (NO_CLOCK, "none")
    assert limited(EVENT_CLOCK) == EVENT_CLOCK
    with pytest.raises(BadInput, match="none is only for `arena play`"):
        limited(NO_CLOCK)


@pytest.mark.parametrize(
    "text", ["", "cpu", "cpu:", "cpu:cpu:1", "CPU:1", "wall:1", "cpu:+1", "1e3", "-1", "1+", "soon"]
)
def test_an_invalid_clock_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"is not BANK\+INC in seconds, .* or cpu:60\+0\.5"):
        read_clock(text)


@pytest.mark.parametrize("text", ["0", "0.0+5", "cpu:0+1"])
def test_a_clock_without_a_bank_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="leaves no time to think"):
        read_clock(text)


@given(clocks)
def test_the_wall_clock_of_a_cpu_clock_is_generous(clock: Clock) -> None:
    wall = clock.wall
    assert not wall.counts_cpu
    assert wall.wall is wall
    if clock.counts_cpu:
        assert wall.bank_s == WALL_FACTOR * clock.bank_s + WALL_GRACE_S
        assert wall.increment_s == WALL_FACTOR * clock.increment_s
    else:
        assert wall is clock
