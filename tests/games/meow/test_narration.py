"""Every event of MEOW is described in a sentence."""

from __future__ import annotations

from typing import get_args

import pytest

from arena.games.meow import GAME
from arena.games.meow.events import Event

NAMES = ("Ann", "Bob")
SENTENCES = {
    "round round=1 leader=1 row=3,-2,fish,vase": "Round 2 is played for 3 -2 fish vase; Bob leads.",
    "played seat=0 card=P4": "Ann plays pink 4.",
    "won seat=1 token=6": "Bob wins the trick and takes a bowl worth 6.",
    "won seat=1 token=-3": "Bob wins the trick and takes a fishbone worth -3.",
    "won seat=0 token=fish": "Ann wins the trick and takes a fish.",
    "won seat=0 token=vase": "Ann wins the trick and takes a broken vase.",
}


@pytest.mark.parametrize(("event", "sentence"), SENTENCES.items(), ids=SENTENCES.values())
def test_an_event_is_a_sentence(event: str, sentence: str) -> None:
    assert GAME.narrate(GAME.event_form.read(event), NAMES) == sentence


def test_no_kind_of_event_is_forgotten() -> None:
    assert {type(GAME.event_form.read(event)) for event in SENTENCES} == set(get_args(Event))
