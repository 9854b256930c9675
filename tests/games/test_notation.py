"""Forms read what they write, and refuse the rest with a clear message."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ArenaError, BadText
from arena.games.notation import (
    Form,
    choice,
    integer,
    lines,
    optional,
    pairs,
    several,
    tagged,
    yes_no,
)
from arena.games.outcome import Ending, Outcome, outcome_form, places_by
from arena.games.parameters import BaseParameters
from arena.games.registry import AnyGame, all_games


class Pair(NamedTuple):
    """A record for these tests."""

    number: int
    flag: bool = False


colour = choice("a colour", {"red": 1, "Blue": 2})
pair = pairs("a pair", Pair)
page = lines("a page", Pair)
event = tagged("an event", sum=Pair)


class Suit(Enum):
    """A record's enum."""

    RED = "red"
    BLUE = "blue"


class Settings(BaseParameters):
    """A record's parameters."""

    limits: tuple[int, ...] = (1, 2)
    is_open: bool = False


class Page(NamedTuple):
    """A record whose forms follow from its annotations."""

    settings: Settings
    suit: Suit
    rows: tuple[tuple[int, ...], ...]


def test_forms_follow_from_annotations() -> None:
    form = lines("a page", Page)
    page = Page(Settings(limits=(3, 4), is_open=True), Suit.BLUE, ((1, 2), (3,)))
    text = "settings: limits=3,4 is_open=yes\nsuit: blue\nrows: 1 2 | 3"
    assert form.show(page) == text
    assert form.read(text) == page
    with pytest.raises(BadText, match="suit: 'green' is not a suit: one of red, blue"):
        form.read(text.replace("blue", "green"))


def test_a_field_that_has_no_form_is_named() -> None:
    class Odd(NamedTuple):
        weight: float

    with pytest.raises(TypeError, match="weight: there is no form for <class 'float'>"):
        lines("an odd one", Odd)


@given(st.lists(st.lists(st.one_of(st.none(), st.integers(-999, 999))).map(tuple)).map(tuple))
def test_nested_lists_read_back(value: tuple[tuple[int | None, ...], ...]) -> None:
    form = several(several(optional(integer), ","), " | ")
    # An empty list and a list of one missing value have the same text; no record has the latter.
    if not any(inner == (None,) for inner in value) and value != ((),):
        assert form.read(form.show(value)) == value


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=6), st.sampled_from(Ending))
def test_outcomes_read_back(scores: list[int], ending: Ending) -> None:
    outcome = Outcome(places_by(scores), tuple(scores), ending)
    assert outcome_form.read(outcome_form.show(outcome)) == outcome


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_a_place_is_one_more_than_the_number_of_better_seats(merits: list[int]) -> None:
    expected = [1 + sum(other > merit for other in merits) for merit in merits]
    assert list(places_by(merits)) == expected


@pytest.mark.parametrize(
    ("form", "text", "complaint"),
    [
        (integer, "x", "'x' is not a whole number"),
        (integer, "１", "is not a whole number"),
        (integer, "-", "'-' is not a whole number"),
        (integer, "9" * 5000, "999' has too many digits"),
        (yes_no, "maybe", "'maybe' is neither yes nor no"),
        (colour, "green", "'green' is not a colour: one of red, Blue"),
        (pair, "flag=yes", "'flag=yes' is not a pair: something is missing"),
        (pair, "number=1 number=2", "a pair has 'number' twice"),
        (pair, "weight=1", "a pair has no 'weight': only number, flag"),
        (pair, "number=one", "number: 'one' is not a whole number"),
        (page, "number: 1", "a page lacks flag"),
        (page, "", "a page has no ''"),
        (event, "product number=1", "'product' is not an event: one of sum"),
    ],
)
def test_bad_text_is_refused_with_a_sentence(form: Form[Any], text: str, complaint: str) -> None:
    with pytest.raises(BadText, match=complaint):
        form.read(text)


def test_letter_case_does_not_matter() -> None:
    assert colour.read("RED") == 1
    assert colour.read("blue") == 2
    assert yes_no.read("Yes") is True


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
@given(text=st.one_of(st.text(max_size=60), st.from_regex(r"[a-z0-9 =:,|-]{0,60}")))
def test_any_text_is_read_or_refused(game: AnyGame, text: str) -> None:
    for form in (game.action_form, game.view_form, game.event_form, game.parameters_form):
        with suppress(ArenaError):
            form.read(text)
