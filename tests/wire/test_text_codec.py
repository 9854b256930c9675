"""Games that other packages bring are sent as text."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.registry import all_games, game_named
from arena.wire.fields import Malformed
from arena.wire.text import TextCodec, action_in_text
from arena.wire.v1.match_pb2 import Action, View

GAMES = all_games()


@pytest.mark.parametrize("game", GAMES, ids=[game.id for game in GAMES])
def test_everything_that_a_bot_sees_survives_the_way_as_text(game) -> None:  # type: ignore[no-untyped-def]
    codec, rng = TextCodec(game), Random(1)
    state = game.start(game.seat_counts[0], 1, recording=True)
    assert codec.parameters_in(codec.parameters_bytes(game.default_parameters)) == (
        game.default_parameters
    )
    for _ in range(60):
        if state.is_over:
            break
        view = game.view_of(state, state.to_act)
        sent = codec.view_bytes(view)
        assert View.FromString(sent).text == game.view_form.show(view)
        assert codec.view_in(sent) == view
        action = state.random_action(rng)
        assert action_in_text(game, Action.FromString(codec.action_bytes(action)).text) == action
        state.apply(action)
    assert [codec.event_in(codec.event_bytes(event)) for event in state.events] == state.events


@given(st.binary(max_size=40))
def test_damaged_bytes_are_refused(data: bytes) -> None:
    codec = TextCodec(game_named("meow"))
    with pytest.raises(Malformed):
        codec.view_in(data)


@given(st.text(max_size=40))
def test_a_text_names_an_action_or_none(text: str) -> None:
    game = game_named("meow")
    action = action_in_text(game, text)
    assert action is None or game.action_text(action).lower() == text.lower()
