"""The drawing of Jackal & High shows what a seat may know."""

from __future__ import annotations

from random import Random
from typing import cast

import click
import pytest

from arena.games.jackal import GAME
from arena.games.jackal.drawing import choices, draw
from arena.games.jackal.events import Event
from arena.games.randomness import seed_from
from tests.games.jackal.positions import position, settle_round

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve")


def drawing(display: str, *laid: str, **options: object) -> str:
    """Draw a position as seat 0 sees it, without colours."""
    state = position(display, *laid, **options)  # type: ignore[arg-type]  # those of position
    return click.unstyle(draw(GAME.view_of(state, 0)))


def test_the_display_shows_cards_take2s_and_all_dice() -> None:
    text = drawing("9 Lucky8 4", "1:4+5 2:7", "valley:2", under=(0, 2, 0), valley="12", rolled=(3,))
    lines = [line.split() for line in text.split("\n")]
    assert lines[2] == ["card", "[9]", "[Lucky8]", "[4]", "[12]"]
    assert lines[3] == ["below", "+2", "Take2"]
    assert lines[4] == ["seat", "0", "you", "4+5*", "7", "·", "·"]
    assert lines[5] == ["seat", "1", "·", "·", "·", "2", "dice"]


def test_piles_paws_and_the_roll_are_shown() -> None:
    text = drawing("9 9 9", "1:4+5", "-", piles=("5 16", ""), take2s=(1, 0), turn=1, rolled=(3,))
    assert "seat 0 you 1 die in hand; 5 paws: pile 5 16 (top), 1 Take2" in text
    assert "seat 1     3 dice in hand; 0 paws: no cards" in text
    assert "[3]   rolled by you" in text


def test_the_drawing_does_not_depend_on_the_order_of_the_deck() -> None:
    decks = ("5 Take2 1 5", "1 5 5 Take2", "Take2 1 5 5")
    tables = {drawing("9 9 9", "-", "-", deck=deck, rolled=(1, 2, 3)) for deck in decks}
    assert len(tables) == 1
    assert "4 cards, order unknown: 1 5×2 Take2" in tables.pop()


@pytest.mark.parametrize("seats", [2, 5])
def test_a_whole_match_can_be_drawn_and_narrated_within_78_columns(seats: int) -> None:
    state = GAME.start(seats, seed_from(seats), recording=True)
    rng = Random(1)
    while True:
        for seat in range(seats):
            view = GAME.view_of(state, seat)
            text = click.unstyle(draw(view) + "\n" + choices(view))
            assert max(map(len, text.split("\n"))) <= 78
        if state.is_over:
            break
        state.apply(state.random_action(rng))
    assert "the match is over" in text
    assert all(
        GAME.narrate(event, NAMES).endswith(".") for event in cast(list[Event], state.events)
    )


def test_few_choices_are_named_and_many_follow_a_pattern() -> None:
    few = position("9 2 9", "1:4+5", "-", turn=1, rolled=(3,), rolls_left=2)
    many = position("9 2 9", "-", "-", rolled=(3, 5, 8))
    assert choices(GAME.view_of(few, 0)) == "one of: place 3, again"
    text = choices(GAME.view_of(many, 0))
    assert "second die [5]: stacks 1 3" in text
    example = text.partition("for example, type: ")[2]
    assert many.is_legal(GAME.parse_action(example))


@pytest.mark.parametrize("face", range(1, 9))
def test_a_single_die_has_all_its_choices_named(face: int) -> None:
    state = position("21 9 Lucky8 4 5 7", *["1:1+1"] * 5, turn=1, rolled=(face,), rolls_left=1)
    words = choices(GAME.view_of(state, 0)).removeprefix("one of: ").split(", ")
    assert list(map(GAME.parse_action, words)) == state.legal_actions()


def test_the_order_of_won_cards_is_explained() -> None:
    state = settle_round("5 9 21", "1:5 2:4+5", "2:1 3:1+1", valley="7")
    text = choices(GAME.view_of(state, 0))
    assert "1 is 5, 2 is 9" in text
    assert text.endswith("for example, type: order 1 2")
    assert "you won 5, 9" in click.unstyle(draw(GAME.view_of(state, 0)))


def test_a_seat_that_is_not_to_act_has_no_choices() -> None:
    assert choices(GAME.view_of(position("9 9 9", "-", "-"), 1)) == "nothing to decide now"
