"""Limits are parsed, bounded and explained."""

from __future__ import annotations

import re
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.submission.limits import (
    LIMIT_NAMES,
    MAXIMUM,
    MINIMUM,
    LimitNotAllowed,
    Limits,
    check_limit,
    effective_limits,
    parse_limits,
)

names = st.sampled_from(LIMIT_NAMES)


def bounds(name: str) -> tuple[int, int]:
    """Return the minimum and the maximum of a limit."""
    return getattr(MINIMUM, name), getattr(MAXIMUM, name)


@pytest.mark.parametrize("name", LIMIT_NAMES)
def test_the_defaults_are_within_the_bounds(name: str) -> None:
    assert check_limit(name, getattr(Limits(), name)) == getattr(Limits(), name)


@given(names, st.integers())
def test_a_limit_is_accepted_exactly_within_its_bounds(name: str, value: int) -> None:
    least, most = bounds(name)
    if least <= value <= most:
        assert check_limit(name, value) == value
    else:
        sentence = f"limit {name} is {value}: it must be from {least} to {most}"
        with pytest.raises(BadInput, match=re.escape(sentence)):
            check_limit(name, value)


@pytest.mark.parametrize("name", LIMIT_NAMES)
def test_the_bounds_themselves_can_be_set(name: str) -> None:
    for value in bounds(name):
        assert parse_limits([f"{name}={value}"]) == {name: value}


@pytest.mark.parametrize("value", [1.5, "512", True, None, [512]])
def test_only_a_whole_number_is_a_limit(value: object) -> None:
    sentence = f"limit memory_mib is {value!r}: it must be a whole number"
    with pytest.raises(BadInput, match=re.escape(sentence)):
        check_limit("memory_mib", value)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("memory", "did you mean memory_mib?"), ("x", "choose from memory_mib, cpu_s, threads,")],
)
def test_an_unknown_limit_gets_a_suggestion(name: str, hint: str) -> None:
    with pytest.raises(BadInput, match=re.escape(f"unknown limit {name!r}: {hint}")):
        check_limit(name, 1)


def valid_limits() -> st.SearchStrategy[dict[str, int]]:
    """Draw valid limits."""
    each = {name: st.integers(*bounds(name)) for name in LIMIT_NAMES}
    return st.fixed_dictionaries({}, optional=each)


@given(valid_limits())
def test_command_line_settings_are_parsed(requested: dict[str, int]) -> None:
    assert parse_limits([f"{name}={value}" for name, value in requested.items()]) == requested


def test_the_last_of_two_settings_applies() -> None:
    assert parse_limits(["files=64", "files=128"]) == {"files": 128}


@pytest.mark.parametrize(
    "word",
    [
        *("", "memory_mib", "memory_mib=", "memory_mib=much", "memory_mib=-5", "memory_mib=5.5"),
        *("=5", "9=x", "memory_mib=²", "memory_mib=٣", f"memory_mib={'9' * 9999}"),
    ],
)
def test_the_message_for_an_invalid_setting_has_an_example(word: str) -> None:
    sentence = f"--limit {word!r} is not NAME=NUMBER (example: memory_mib=1024)"
    with pytest.raises(BadInput, match=re.escape(sentence)):
        parse_limits([word])


def test_a_bot_that_asks_for_nothing_gets_the_defaults() -> None:
    assert effective_limits({}, run_limits={}) == Limits()


def test_the_limits_of_a_run_apply_to_a_bot_that_asks_for_nothing() -> None:
    assert effective_limits({}, run_limits={"threads": 80}) == replace(Limits(), threads=80)


def test_a_bot_that_asks_for_less_gets_less() -> None:
    limits = effective_limits({"memory_mib": 100, "threads": 70}, run_limits={"threads": 80})
    assert limits == replace(Limits(), memory_mib=100, threads=70)


@given(valid_limits(), valid_limits())
def test_no_bot_gets_more_than_is_allowed(
    requested: dict[str, int], run_limits: dict[str, int]
) -> None:
    allowed = asdict(replace(Limits(), **run_limits))
    if any(value > allowed[name] for name, value in requested.items()):
        with pytest.raises(LimitNotAllowed):
            effective_limits(requested, run_limits=run_limits)
    else:
        assert asdict(effective_limits(requested, run_limits=run_limits)) == allowed | requested


@pytest.mark.parametrize(
    ("run_limits", "most"), [({}, 64), ({"threads": 80}, 80)], ids=["usual", "set"]
)
def test_the_message_for_an_excessive_limit_says_who_can_allow_it(
    run_limits: dict[str, int], most: int
) -> None:
    sentence = (
        f"its bot.toml asks for threads = 90, but at most {most} is allowed here: ask for "
        "less, or have the organiser allow more with --limit threads=90 or under [limits] in the "
        "event file"
    )
    with pytest.raises(LimitNotAllowed, match=re.escape(sentence)):
        effective_limits({"threads": 90}, run_limits=run_limits)


def test_a_limit_above_the_maximum_is_reported_as_out_of_range() -> None:
    with pytest.raises(BadInput, match="limit files is 1000000000: it must be from 32 to"):
        effective_limits({"files": 10**9}, run_limits={})
