"""Are limits read, bounded and explained?"""

from __future__ import annotations

import re
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.limits import (
    LEAST,
    MOST,
    NAMES,
    AsksTooMuch,
    Limits,
    check_limit,
    limits_from,
    limits_of,
)

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


def _some_limits() -> st.SearchStrategy[dict[str, int]]:
    """Draw limits that can be set."""
    each = {name: st.integers(*bounds(name)) for name in NAMES}
    return st.fixed_dictionaries({}, optional=each)


@given(_some_limits())
def test_settings_of_a_command_line_are_read(asked: dict[str, int]) -> None:
    assert limits_from([f"{name}={value}" for name, value in asked.items()]) == asked


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


def test_what_a_run_sets_holds_for_a_bot_that_asks_for_nothing() -> None:
    assert limits_of({}, set_here={"processes": 4}) == replace(Limits(), processes=4)


def test_a_bot_that_asks_for_less_gets_less() -> None:
    limits = limits_of({"memory_mib": 100, "processes": 1}, set_here={"processes": 4})
    assert limits == replace(Limits(), memory_mib=100, processes=1)


@given(_some_limits(), _some_limits())
def test_no_bot_gets_more_than_it_is_allowed(
    asked: dict[str, int], set_here: dict[str, int]
) -> None:
    allowed = asdict(replace(Limits(), **set_here))
    if any(value > allowed[name] for name, value in asked.items()):
        with pytest.raises(AsksTooMuch):
            limits_of(asked, set_here=set_here)
    else:
        assert asdict(limits_of(asked, set_here=set_here)) == allowed | asked


@pytest.mark.parametrize(
    ("set_here", "most"), [({}, 0), ({"processes": 1}, 1)], ids=["usual", "set"]
)
def test_a_bot_that_asks_for_too_much_is_told_who_may_allow_it(
    set_here: dict[str, int], most: int
) -> None:
    sentence = (
        f"its bot.toml asks for processes = 2, but at most {most} is allowed here: ask for less; "
        "an organiser allows more with --limit processes=2, or under [limits] in an event's file"
    )
    with pytest.raises(AsksTooMuch, match=re.escape(sentence)):
        limits_of({"processes": 2}, set_here=set_here)


def test_what_nobody_can_have_is_not_told_to_be_allowed() -> None:
    with pytest.raises(BadInput, match="the limit files is 1000000000: it must be from 32 to"):
        limits_of({"files": 10**9}, set_here={})
