"""Values for JSON follow from the annotations of a record's fields."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games.jackal.events import MatchEnded, RoundBegan, StackWon
from arena.games.lifeislife.cards import Animal, herd_of
from arena.games.lifeislife.events import Swapped
from arena.games.meow.cards import DECK, FISH, Token
from arena.games.meow.events import CardPlayed, TrickWon
from arena.games.notation import values_of
from arena.games.outcome import Ending
from arena.games.registry import game_named
from arena.games.trio.events import CardRevealed

DOG, CAT = Animal.DOG, Animal.CAT


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (CardPlayed(1, DECK[0]), {"seat": 1, "card": "P1"}),
        (CardPlayed(1, 53), {"seat": 1, "card": "G18"}),  # type: ignore[arg-type]  # as bots may
        (TrickWon(0, Token(-3)), {"seat": 0, "token": "-3"}),
        (TrickWon(0, FISH), {"seat": 0, "token": "fish"}),
        (
            Swapped(2, 1, herd_of((DOG, DOG)), herd_of((DOG, CAT))),
            {"seat": 2, "row": "2", "laid": ["dog", "dog"], "taken": ["dog", "cat"]},
        ),
        (
            StackWon(0, 3, 8, 2, True),
            {"seat": 0, "stack": 3, "card": "Lucky8", "take2s": 2, "lucky": True},
        ),
        (
            RoundBegan(0, 1, (), (21, 22), (0, 1)),
            {"round": 0, "starter": 1, "drawn": [], "cards": ["21", "Take2"], "under": [0, 1]},
        ),
        (MatchEnded(Ending.LENGTH_CAP, ()), {"ending": "length_cap", "drawn": []}),
        (CardRevealed(0, 10, 7), {"seat": 0, "place": "high-0", "number": 7}),  # type: ignore[arg-type]
        (
            game_named("meow").read_parameters("rounds=1 hand=2 tokens=1,vase ranks=3"),
            {"expert": False, "tokens": ["1", "vase"], "vases": "pairs", "ranks": 3}
            | {"hand": 2, "rounds": 1},
        ),
    ],
    ids=lambda each: None if isinstance(each, dict) else type(each).__name__,
)
def test_numbers_stay_numbers_cards_are_lists_and_what_has_a_name_is_its_text(
    record: Any, expected: dict[str, Any]
) -> None:
    assert values_of(record) == expected


def test_packed_dice_and_records_within_a_view_are_lists_and_a_missing_value_is_none() -> None:
    jackal, trio = game_named("jackal"), game_named("trio")
    view = jackal.view_of(jackal.start(2, 1), 0)
    assert values_of(view)["laid"] == [[[], [], 0]] * 2
    values = values_of(trio.view_of(trio.start(3, 1), 0))
    assert values["known"] == [[9, [], [], 1, 12]] * 3
    assert values["centre"] == ["?"] * 9
    assert values["partner"] is None
