"""Every table is drawn with the players' names, in any width, and for someone who sees all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from arena.cli.drawing import drawing_of
from arena.games.conformance import Setting, settings_of
from arena.games.layout import Layout
from arena.games.randomness import seed_from
from arena.games.registry import AnyGame, all_games
from arena.text import unstyled

SETTINGS = [
    setting
    for game in all_games()
    for setting in settings_of(game)
    if setting.seats
    in (game.seats_for(setting.parameters)[0], game.seats_for(setting.parameters)[-1])
]
"""Every variant with the fewest and the most seats."""
WIDTHS = (40, 80, 120)


def names_of(game: AnyGame, seats: int) -> list[str]:
    """Return names as `arena play` makes them."""
    kinds = ["human", f"greedy-{game.id}", "a-bot-with-a-name-of-forty-letters-in-it"]
    return [f"{kinds[seat % 3]}-{seat}" for seat in range(seats)]


def states_of(setting: Setting, *, every: int) -> Iterator[Any]:
    """Yield one in `every` states of a random match, and the last."""
    rng = Random(2)
    state = setting.game.start(setting.seats, seed_from(5), setting.parameters)
    for number in range(2000):
        if number % every == 0 or state.is_over:
            yield state
        if state.is_over:
            return
        state.apply(state.random_action(rng))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_drawing_fits_its_width_and_loses_no_word(setting: Setting) -> None:
    game, names = setting.game, names_of(setting.game, setting.seats)
    draw = drawing_of(game).draw
    for state in states_of(setting, every=97):
        view = game.view_of(state, max(state.to_act, 0))
        for hidden in (None, game.hidden_cards(state)):
            for width in WIDTHS:
                lines = unstyled(draw(view, names=names, width=width, hidden=hidden)).split("\n")
                longest_word = max(len(word) for line in lines for word in line.split())
                assert max(map(len, lines)) <= max(width, longest_word + 17)
                assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_drawing_with_names_names_every_seat_by_them(setting: Setting) -> None:
    game = setting.game
    names = names_of(game, setting.seats)
    for state in states_of(setting, every=211):
        seat = max(state.to_act, 0)
        view = game.view_of(state, seat)
        text = unstyled(drawing_of(game).draw(view, names=names, width=200))
        assert not re.search(r"\bseat \d", text)
        assert all(name in text for name in names)
        assert f"{names[seat]} you" in text


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_somebody_who_sees_all_sees_every_hidden_card_and_sits_nowhere(setting: Setting) -> None:
    game = setting.game
    names = names_of(game, setting.seats)
    draw = drawing_of(game).draw
    for state in states_of(setting, every=61):
        hidden = game.hidden_cards(state)
        views = [game.view_of(state, seat) for seat in range(setting.seats)]
        drawn = {unstyled(draw(view, names=names, width=200, hidden=hidden)) for view in views}
        assert len(drawn) == 1
        shown = {word.strip("[];") for word in drawn.pop().split()}
        assert not shown & {"you", "?"}
        for cards in (*hidden.hands, hidden.face_down):
            assert set(cards) - {"x"} <= shown


def test_a_long_name_keeps_its_number() -> None:
    layout = Layout(2, 1, ["x" * 40 + "-0", "kitten"], 40, None)
    assert layout.label(0) == "x" * 11 + "…-0"
    assert layout.label(1) == "1 kitten you"
    assert layout.name(0) == "x" * 40 + "-0"
