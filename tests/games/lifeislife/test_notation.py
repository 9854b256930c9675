"""Actions and events of Life is Life are read as a person would type them."""

from __future__ import annotations

import pytest

from arena.errors import BadText
from arena.games.lifeislife import GAME
from arena.games.lifeislife.events import (
    Event,
    Knocked,
    RoundBegan,
    Scored,
    SuddenDeath,
    Swapped,
    WentOut,
)
from tests.games.lifeislife.positions import THREE, knock_out, play, position


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("  3   CAT dog  Cat ", "3 dog cat cat"),
        ("2 mol go", "2 mole goat"),
        ("4 r p c b", "4 bear rabbit pig cat"),
        ("KNOCK", "knock"),
    ],
)
def test_actions_are_read_in_any_order_case_and_spacing(typed: str, meant: str) -> None:
    assert GAME.action_text(GAME.parse_action(typed)) == meant


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "is not an action: the row from 1 to 4"),
        ("5 cat", "is not an action: the row from 1 to 4"),
        ("knock knock", "is not an action"),
        ("2 cat", "does not lay 2 for row 2"),
        ("1 cat cat", "does not lay 1 for row 1"),
        ("1 cow", "'cow' is not an animal"),
        ("1 mo", "'mo' could be mole or mouse"),
        ("4 " + "cat " * 100_000, "does not lay 4 for row 4"),
    ],
)
def test_text_that_is_not_an_action_is_refused_with_a_reason(typed: str, complaint: str) -> None:
    with pytest.raises(BadText, match=complaint):
        GAME.parse_action(typed)


def test_events_of_every_kind_read_back() -> None:
    hands = ("4 pig, 3 giraffe, 3 bear", THREE[1], THREE[2])
    rows = ("pig", "mole, goat", "3 dog", "4 mole")
    state = knock_out(position(*THREE, lives=(5, 2, 3)))
    other = play(position(*hands, rows=rows, lives=(1, 1, 1)), "1 bear")
    events = [*(state.events or []), *(other.events or [])]
    kinds = {RoundBegan, Swapped, Knocked, SuddenDeath, Scored, WentOut}
    assert {type(event) for event in events} == kinds
    for event in events:
        assert isinstance(event, Event)
        assert GAME.event_form.read(GAME.event_form.show(event)) == event
