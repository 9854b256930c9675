"""The drawing of Life is Life shows what a seat may know, and nothing else."""

from __future__ import annotations

from random import Random

import click
import pytest

from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import ANIMALS, KNOCK, LAID, animals_in
from arena.games.lifeislife.drawing import choices, draw
from arena.games.lifeislife.view import View
from arena.games.randomness import seed_from
from tests.games.lifeislife.positions import THREE, play, position

NAMES = ("Ann", "Bob", "Cy")


def lines(view: View) -> list[str]:
    """Draw without colours."""
    return click.unstyle(draw(view)).splitlines()


def cells(view: View, label: str) -> list[str]:
    """Return the words of the one line of the grid that begins like this."""
    (line,) = [line for line in lines(view) if line.strip().startswith(label)]
    return line.replace(label, "", 1).split()


def test_the_grid_shows_the_rows_the_hand_and_what_is_known_of_others() -> None:
    state = play(position(*THREE), "4 bear bear mole mole", "1 goat")
    view = GAME.view_of(state, 1)
    assert cells(view, "row 4") == list("·22·······")
    assert cells(view, "seat 1 you") == list("33·3·····1")
    assert cells(view, "seat 0") == [*"····1···21", "+6"]
    assert cells(view, "seat 2") == [*"··········", "+10"]
    assert "  lives  seat 0 5, seat 1 you 5, seat 2 5" in lines(view)
    assert "  Not in the hand of seat 0: at least rabbit, pig, cat." in lines(view)
    assert (
        lines(view)[0]
        == "Life is Life · standard · round 1 · seat 2 is to play, turn 3 of at most 180"
    )


def test_the_last_lap_and_eliminated_seats_are_shown() -> None:
    state = play(position(THREE[0], THREE[1], "", turn=2), "knock")
    text = lines(GAME.view_of(state, 1))
    assert text[0].endswith("you are to play, the last turn")
    assert text[1] == "  Seat 0 has knocked: this is the last lap."
    assert "  lives  seat 0 5, seat 1 you 5, seat 2 out since round 1" in text


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("variant", ["standard", "expert"])
def test_every_view_fits_the_terminal_and_shows_nothing_hidden(seats: int, variant: str) -> None:
    state = GAME.start(seats, seed_from(seats), GAME.variants[variant])
    rng = Random(1)
    while not state.is_over:
        for seat in range(seats):
            if rng.random() < 0.05:
                text = draw(GAME.view_of(state, seat))
                assert text == draw(GAME.view_of(GAME.redeal(state, seat, rng), seat))
                assert max(map(len, click.unstyle(text).splitlines())) <= 78
        state.apply(state.random_action(rng))
    assert "the match is over" in draw(GAME.view_of(state, 0))


def test_choices_name_every_animal_that_can_be_laid_and_what_is_excluded() -> None:
    state = position(*THREE, rows=("mole", "mole, goat", "giraffe, 2 mole", "4 cat"))
    view = GAME.view_of(state, 0)
    text = choices(view)
    actions = GAME.legal_actions(view)
    laid = {ANIMALS[each] for action in actions for each in animals_in(LAID[action])}
    assert f"swap in {len(actions)} ways" in text
    assert all(name in text for name in laid)
    assert "(but not 1 mole nor 3 giraffe mole mole: the row has the same cards)" in text
    assert "knock" not in text


@pytest.mark.parametrize(
    ("before", "purpose"), [((), "to announce the last lap"), (("knock",), "to let the turn pass")]
)
def test_the_example_and_the_knock_can_be_typed_as_shown(
    before: tuple[str, ...], purpose: str
) -> None:
    view = GAME.view_of(state := play(position(*THREE, turn=3), *before), state.to_act)
    text = choices(view)
    example = text.partition("for example: ")[2].splitlines()[0]
    assert GAME.parse_action(example) in GAME.legal_actions(view)
    assert purpose in text
    assert GAME.parse_action(text.rpartition("type: ")[2]) == KNOCK
