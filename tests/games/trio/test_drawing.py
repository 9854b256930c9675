"""The drawing of Trio shows what a seat may know."""

from __future__ import annotations

import re
from random import Random

import click
import pytest

from arena.games.randomness import seed_from
from arena.games.trio import GAME
from arena.games.trio.drawing import choices, draw
from arena.games.trio.state import TrioState
from tests.games.trio.positions import events_of, hungry_action, play, position

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
VARIANTS = [(name, seats) for name, p in GAME.variants.items() for seats in GAME.seats_for(p)]


def drawing(state: TrioState, seat: int) -> str:
    """Draw a position as a seat sees it, without colours."""
    return click.unstyle(draw(GAME.view_of(state, seat)))


def test_the_table_shows_what_has_been_seen_and_the_viewers_own_hand() -> None:
    state = position("2 2 6 8", "1 4 5 9", "2 7", centre="3 11", piles=["", "10"], turn=2)
    play(state, "low 0, low 0, low 2, low 1, centre 1, high 1")
    lines = drawing(state, 1).split("\n")
    assert lines[0] == "Trio · simple · turn 5 of 360"
    assert lines[1].split() == ["centre", "[?]", "[11]"]
    assert "  seat 0     2 cards  ? ?   (none below 3)" in lines
    assert "  seat 1 you 4 cards  1 ? ? 9" in lines
    assert "  your hand  1 4 5 9" in lines
    assert lines[-1] == "  now        you choose; face up: highest of seat 1, number 9"


def test_a_team_sees_its_swaps_and_what_the_others_had() -> None:
    state = position("3 3 3", "1 5 6 9", "2 7 12", "1 4 8 10", teams=True, swapping=True)
    play(state, "give 3, keep, give 12, keep")
    text = drawing(state, 0)
    assert "partner    seat 2 certainly has 3, all others from 1 to 12" in text
    assert "swapped    3 for 12 (given for received)" in text
    assert "swaps      team 0 1×, team 1 0×" in text
    assert "certainly" not in drawing(state, 1)
    assert text.startswith("Trio · simple-teams · ")


def test_partners_have_one_colour() -> None:
    state = position("3 3 3", "1 5 6 9", "2 7 12", "1 4 8 10", teams=True)
    text = draw(GAME.view_of(state, 0))
    colours = [re.search(rf"\x1b\[(\d+)mseat {seat}", text) for seat in range(4)]
    one, other, partner, last = (found and found[1] for found in colours)
    assert one == partner != other == last
    assert None not in (one, other)


@pytest.mark.parametrize(("name", "seats"), VARIANTS)
def test_a_whole_match_can_be_drawn_and_narrated_within_78_columns(name: str, seats: int) -> None:
    state = GAME.start(seats, seed_from(seats), GAME.variants[name], recording=True)
    rng = Random(seats)
    while True:
        for seat in range(seats):
            view = GAME.view_of(state, seat)
            text = click.unstyle(draw(view) + "\n" + choices(view))
            assert max(map(len, text.split("\n"))) <= 78
        if state.is_over or len(events_of(state)) > 400:
            break
        state.apply(hungry_action(state, rng))
    assert all(len(GAME.narrate(event, NAMES)) <= 78 for event in events_of(state))


def test_all_choices_are_named() -> None:
    state = position("1 2", "5", "", centre="3 4 9")
    play(state, "centre 1")
    assert choices(GAME.view_of(state, 0)) == (
        "turn up centre 0 2, low 0 1, high 0\n(slots and seats); for example, type: low 1"
    )
    assert choices(GAME.view_of(state, 1)) == "nothing to choose"
    state = position("1 2", "5", "6", "9", teams=True, swapping=True)
    assert choices(GAME.view_of(state, 0)) == "give 1 2, or keep; for example, type: give 1"
