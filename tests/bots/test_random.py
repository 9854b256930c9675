"""The random bot plays every game, and `inprocess` computes shares correctly."""

from __future__ import annotations

import pytest

from arena.games.conformance import settings_of
from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS, AnyGame, all_games, game_named
from tests.bots.inprocess import Share, bot_class, play_bots, share_of

AtRandom = bot_class("random")


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_it_plays_every_setting(game_id: str) -> None:
    for setting in settings_of(game_named(game_id)):
        bots = [AtRandom() for _ in range(setting.seats)]
        assert play_bots(setting.game, bots, seed_from(1), setting.parameters).decisions


@pytest.mark.parametrize("game", all_games(), ids=GAME_IDS)
def test_a_bot_against_copies_of_itself_gets_exactly_half_of_every_deal(game: AnyGame) -> None:
    twin = type("Twin", (AtRandom,), {})
    assert share_of(game, [AtRandom, twin, twin, twin], deals=3) == Share(0.5, 0.0)


def test_another_seed_gives_another_match() -> None:
    game = game_named("meow")
    first, second = (
        play_bots(game, [AtRandom(), AtRandom()], seed_from(n), game.default_parameters)
        for n in (1, 2)
    )
    assert first.decisions != second.decisions
