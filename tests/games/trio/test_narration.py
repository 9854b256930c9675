"""Every event of Trio is described in a sentence."""

from __future__ import annotations

from typing import get_args

import pytest

from arena.games.trio import GAME
from arena.games.trio.events import Event

NAMES = ("Ann", "Bob", "Cleo", "Dan")


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ("revealed seat=0 place=centre-3 number=5", "Ann turns up slot 3: 5."),
        ("revealed seat=0 place=high-1 number=5", "Ann asks Bob for the highest card: 5."),
        ("revealed seat=1 place=low-1 number=2", "Bob shows its own lowest card: 2."),
        ("returned seat=2", "The cards go back, and Cleo's turn is over."),
        ("taken seat=0 number=7", "Ann takes the trio of 7s."),
        ("settled seat=0 partner=2 swapped=yes", "Ann and Cleo swap a card."),
        ("settled seat=1 partner=3 swapped=no", "Bob and Dan do not swap."),
    ],
)
def test_every_kind_of_event_is_a_sentence(event: str, sentence: str) -> None:
    assert GAME.narrate(GAME.event_form.read(event), NAMES) == sentence


def test_no_kind_of_event_is_left_out_above() -> None:
    assert {kind.__name__ for kind in get_args(Event)} == {
        "CardRevealed",
        "CardsReturned",
        "TrioTaken",
        "SwapSettled",
    }
