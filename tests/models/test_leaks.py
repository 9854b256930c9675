"""A prompt tells a seat no more than its view: it is the same in every world that fits the view."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from arena.games.registry import GAME_IDS, game_named
from arena.models.config import ModelConfig
from arena.models.prompting import Prompts


@pytest.mark.parametrize(
    "count", [pytest.param(60, id="few"), pytest.param(1_250, id="many", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("legal", ["listed", "hidden"])
@pytest.mark.parametrize("name", GAME_IDS)
def test_a_prompt_is_the_same_whatever_the_seat_cannot_see(
    name: str, legal: str, count: int, tmp_path: Path
) -> None:
    game = game_named(name)
    config = ModelConfig("m", "m", "http://localhost/v1", legal=legal, folder=str(tmp_path))
    prompts = Prompts(config)
    rng = Random(f"{name} {legal}")
    compared = different = 0
    while compared < count:
        parameters = rng.choice(list(game.variants.values()))
        seats = rng.choice(game.seats_for(parameters))
        state = game.start(seats, rng.getrandbits(64), parameters, recording=True)
        seen = [0] * seats
        while not state.is_over and compared < count:
            seat = state.to_act
            events, seen[seat] = state.events[seen[seat] :], len(state.events)
            if rng.random() < 0.2:
                view = game.view_of(state, seat)
                other = game.redeal(state, seat, rng)
                also = game.view_of(other, seat)
                assert prompts.system(game, view) == prompts.system(game, also)
                assert prompts.turn(game, view, events) == prompts.turn(game, also, events)
                compared += 1
                different += other.truth() != state.truth()
            state.apply(state.random_action(rng))
    # Otherwise there was nothing that could have leaked.
    assert different > count / 10
