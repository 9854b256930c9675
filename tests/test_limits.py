"""Are limits read, bounded and explained?"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.limits import LEAST, MOST, NAMES, Limits, check_limit, limits_from, limits_of

names = st.sampled_from(NAMES)


def bounds(name: str) -> tuple[int, int]:
    """Return the least and the most that a limit may be."""
    return getattr(LEAST, name), getattr(MOST, name)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_bot_gets_by_itself_could_also_be_asked_for(name: str) -> None:
    assert check_limit(name, getattr(Limits(), name)) == getattr(Limits(), name)


@given(names, st.integers())
def test_a_limit_is_taken_exactly_within_its_bounds(name: str, value: int) -> None:
    least, most = bounds(name)
    if least <= value <= most:
        assert check_limit(name, value) == value
    else:
        sentence = f"the limit {name} is {value}: it must be from {least} to {most}"
        with pytest.raises(BadInput, match=re.escape(sentence)):
            check_limit(name, value)


@pytest.mark.parametrize("name", NAMES)
def test_the_bounds_themselves_can_be_set(name: str) -> None:
    for value in bounds(name):
        assert limits_from([f"{name}={value}"]) == {name: value}


@pytest.mark.parametrize("value", [1.5, "512", True, None, [512]])
def test_only_a_whole_number_is_a_limit(value: object) -> None:
    sentence = f"the limit memory_mib is {value!r}: it must be a whole number"
    with pytest.raises(BadInput, match=re.escape(sentence)):
        check_limit("memory_mib", value)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("memory", "did you mean memory_mib?"), ("x", "there are memory_mib, cpu_s, processes,")],
)
def test_an_unknown_limit_is_told_what_there_is(name: str, hint: str) -> None:
    with pytest.raises(BadInput, match=re.escape(f"there is no limit {name!r}: {hint}")):
        check_limit(name, 1)


@given(st.dictionaries(names, st.none()).flatmap(lambda found: st.tuples(*map(_setting, found))))
def test_settings_of_a_command_line_are_read(asked: tuple[tuple[str, int], ...]) -> None:
    words = [f"{name}={value}" for name, value in asked]
    assert limits_from(words) == dict(asked)


def _setting(name: str) -> st.SearchStrategy[tuple[str, int]]:
    return st.tuples(st.just(name), st.integers(*bounds(name)))


def test_the_last_of_two_settings_holds() -> None:
    assert limits_from(["files=64", "files=128"]) == {"files": 128}


@pytest.mark.parametrize(
    "word",
    [
        *("", "memory_mib", "memory_mib=", "memory_mib=much", "memory_mib=-5", "memory_mib=5.5"),
        *("=5", "9=x", "memory_mib=²", "memory_mib=٣", f"memory_mib={'9' * 9999}"),
    ],
)
def test_a_setting_that_is_none_is_shown_one(word: str) -> None:
    sentence = f"--limit {word!r} is not NAME=NUMBER, such as memory_mib=1024"
    with pytest.raises(BadInput, match=re.escape(sentence)):
        limits_from([word])


def test_a_bot_that_asks_for_nothing_has_the_usual_limits() -> None:
    assert limits_of({}, set_here={}) == Limits()


def test_a_bot_gets_what_it_asks_for() -> None:
    assert limits_of({"memory_mib": 1024}, set_here={}) == replace(Limits(), memory_mib=1024)


def test_what_a_run_sets_holds_whatever_the_bot_asks_for() -> None:
    limits = limits_of({"memory_mib": 1024, "processes": 4}, set_here={"memory_mib": 128})
    assert limits == replace(Limits(), memory_mib=128, processes=4)


def test_a_bot_that_asks_for_too_much_can_still_be_run_with_less() -> None:
    with pytest.raises(BadInput, match="the limit files is 1000000000: it must be from 32 to"):
        limits_of({"files": 10**9}, set_here={})
    assert limits_of({"files": 10**9}, set_here={"files": 64}).files == 64
