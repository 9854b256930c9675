"""Every event of Life is Life is described in a sentence."""

from __future__ import annotations

import pytest

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
from tests.games.lifeislife.positions import herd

NAMES = ("Ann", "Bob", "Cy")


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            RoundBegan(1, 2, tuple(map(herd, ("mouse", "2 mouse", "3 sheep", "dog, 3 cat")))),
            "Round 2: mouse; 2 mice; 3 sheep; dog, 3 cats. Cy starts.",
        ),
        (
            Swapped(0, 2, herd("2 cat, dog"), herd("3 pig")),
            "Ann lays dog, 2 cats and takes row 3: 3 pigs.",
        ),
        (Knocked(1), "Bob knocks."),
        (
            SuddenDeath(1, herd("5 pig, 5 dog"), 0, (1, 0, 1)),
            "Sudden death: Bob shows 5 dogs, 5 pigs; Ann and Cy each lose a life.",
        ),
        (
            SuddenDeath(1, herd("5 pig, 5 dog"), 1, (1, 0, 0)),
            "Sudden death: Bob shows 5 dogs, 5 pigs and gains a life; Ann loses a life.",
        ),
        (
            Scored((herd("9 giraffe, bear"), herd("7 bear, 3 mole"), 0), (9, 15, 0), (2, 0, 0)),
            "The round is scored.\n"
            "  Ann has 9 points and loses 2 lives, with\n    9 giraffes, bear.\n"
            "  Bob has 15 points and loses nothing, with\n    7 bears, 3 moles.",
        ),
        (WentOut(2), "Cy is out."),
    ],
)
def test_every_event_is_a_sentence(event: Event, sentence: str) -> None:
    assert GAME.narrate(event, NAMES) == sentence
