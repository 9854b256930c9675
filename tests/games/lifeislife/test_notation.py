"""Actions and events of Life is Life are read as a person would type them."""

from __future__ import annotations

import pytest

from arena.errors import BadText
from arena.games.lifeislife import GAME


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
