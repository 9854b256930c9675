"""Does a person see in the terminal what a seat of Jackal & High may know?"""

from __future__ import annotations

from random import Random
from typing import cast, get_args

import click
import pytest

from arena.cli.drawing.jackal import choices, draw, tell
from arena.games.core import Ending
from arena.games.jackal import GAME
from arena.games.jackal import events as happened
from arena.games.jackal.cards import LUCKY8
from arena.games.jackal.events import Event, Question
from arena.games.randomness import seed_from
from tests.games.jackal.positions import position, settled

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve")


def drawn(display: str, *laid: str, **options: object) -> str:
    """Draw a position as seat 0 sees it, without colours."""
    state = position(display, *laid, **options)  # type: ignore[arg-type]  # those of position
    return click.unstyle(draw(GAME.view_of(state, 0)))


def test_the_display_shows_cards_take2s_and_everybodys_dice() -> None:
    text = drawn("9 Lucky8 4", "1:4+5 2:7", "valley:2", under=(0, 2, 0), valley="12", rolled=(3,))
    lines = [line.split() for line in text.split("\n")]
    assert lines[2] == ["card", "[9]", "[Lucky8]", "[4]", "[12]"]
    assert lines[3] == ["below", "+2", "Take2"]
    assert lines[4] == ["seat", "0", "you", "4+5*", "7", "·", "·"]
    assert lines[5] == ["seat", "1", "·", "·", "·", "2", "dice"]


def test_piles_paws_and_the_roll_are_shown() -> None:
    text = drawn("9 9 9", "1:4+5", "-", piles=("5 16", ""), take2s=(1, 0), turn=1, rolled=(3,))
    assert "seat 0 you 1 die in hand; 5 paws: pile 5 16 (top), 1 Take2" in text
    assert "seat 1     3 dice in hand; 0 paws: no cards" in text
    assert "[3]   rolled by you" in text


def test_the_drawing_does_not_depend_on_the_order_of_the_deck() -> None:
    decks = ("5 Take2 1 5", "1 5 5 Take2", "Take2 1 5 5")
    tables = {drawn("9 9 9", "-", "-", deck=deck, rolled=(1, 2, 3)) for deck in decks}
    assert len(tables) == 1
    assert "4 cards, order unknown: 1 5×2 Take2" in tables.pop()


@pytest.mark.parametrize("seats", [2, 5])
def test_a_whole_match_can_be_drawn_and_told_within_78_columns(seats: int) -> None:
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
    assert all(tell(event, NAMES).endswith(".") for event in cast(list[Event], state.events))


def test_few_choices_are_named_and_many_follow_a_pattern() -> None:
    few = position("9 2 9", "1:4+5", "-", turn=1, rolled=(3,), rolls_left=2)
    many = position("9 2 9", "-", "-", rolled=(3, 5, 8))
    assert choices(GAME.view_of(few, 0)) == "one of: place 3, again"
    text = choices(GAME.view_of(many, 0))
    assert "second die [5]: stacks 1 3" in text
    example = text.partition("for example: ")[2]
    assert many.is_legal(GAME.parse_action(example))


@pytest.mark.parametrize("face", range(1, 9))
def test_a_single_die_has_all_its_choices_named(face: int) -> None:
    state = position("21 9 Lucky8 4 5 7", *["1:1+1"] * 5, turn=1, rolled=(face,), rolls_left=1)
    words = choices(GAME.view_of(state, 0)).removeprefix("one of: ").split(", ")
    assert list(map(GAME.parse_action, words)) == state.legal_actions()


def test_the_order_of_won_cards_is_explained() -> None:
    state = settled("5 9 21", "1:5 2:4+5", "2:1 3:1+1", valley="7")
    text = choices(GAME.view_of(state, 0))
    assert "1 is 5, 2 is 9" in text
    assert text.endswith("type for example: order 1 2")
    assert "you won 5, 9" in click.unstyle(draw(GAME.view_of(state, 0)))


def test_who_is_not_to_act_has_no_choices() -> None:
    assert choices(GAME.view_of(position("9 9 9", "-", "-"), 1)) == "nothing to decide now"


SENTENCES: dict[Event, str] = {
    happened.ValleyOpened(7): "Card 7 lies in the valley.",
    happened.RoundBegan(1, 1, (22, 5), (9, 5), (0, 1)): (
        "Round 2: Bob starts. Drawn: Take2, 5. Display: 9, 5 with 1 Take2."
    ),
    happened.DiceRolled(0, (1, 4, 7), 0): "Ann rolls 1 4 7.",
    happened.DiceRolled(0, (4,), 2): "Ann rolls 4, with 2 more rolls.",
    happened.DicePlaced(
        0, (1, 4, 7), (0, 2, 1)
    ): "Ann puts 4 on stack 2, 7 on stack 1 and keeps 1.",
    happened.DieLost(1): "Bob can place nothing: a die goes to the valley.",
    happened.DiceCollected((1, 3)): "In the valley: Ann 1 die, Bob 3 dice.",
    happened.DiceCollected((0, 0)): "In the valley: no dice.",
    happened.DuelRolled(2, 0, (3, 4)): "Ann rolls 3+4 = 7 for stack 2.",
    happened.StackWon(0, 2, 9, 1, False): "Ann wins stack 2, card 9 with 1 Take2.",
    happened.StackWon(0, 1, LUCKY8, 0, False): "Ann wins stack 1, the Lucky8.",
    happened.StackWon(0, 3, 4, 0, True): "Ann gets stack 3, card 4, with the Lucky8.",
    happened.CardsOrdered(1, (5, 9)): "Bob lays down 5, 9, the last on top.",
    happened.ValleyRolled(Question.BOTH, 0, (8,)): "Ann rolls 8 in the valley.",
    happened.ValleyRolled(Question.LOWEST, 1, (2, 2)): (
        "Bob rolls 2+2 = 4 again, tied for lowest."
    ),
    happened.ValleyTaken(0, 9): "Ann takes 9 from the valley.",
    happened.ValleyTaken(0, 0): "Ann is highest in the valley, where no card lies.",
    happened.ValleyPaid(1, 9): "Bob has to lay 9 into the valley.",
    happened.ValleyPaid(1, 0): "Bob has no card to lay into the valley.",
    happened.MatchEnded(Ending.LENGTH_CAP, ()): "That was the last round: the match is over.",
    happened.MatchEnded(Ending.PLAYED_OUT, (22,)): (
        "The deck cannot complete the display with Take2: the match is over."
    ),
}


@pytest.mark.parametrize(("event", "sentence"), SENTENCES.items(), ids=SENTENCES.values())
def test_an_event_is_told_in_a_sentence(event: Event, sentence: str) -> None:
    assert tell(event, NAMES) == sentence


def test_no_kind_of_event_is_forgotten() -> None:
    assert {type(event) for event in SENTENCES} == set(get_args(Event))
