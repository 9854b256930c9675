"""Does the random bot play every game, and does the adapter judge fairly?"""

from __future__ import annotations

import pytest

from arena.games.conformance import settings_of
from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS, AnyGame, all_games, game_named
from arena.referee.checking.check import check
from arena.referee.checking.steps import Verdict
from tests.bots.inprocess import BOTS, Share, bot_class, played, share_of
from tests.cages import launcher

AtRandom = bot_class("random")


def test_it_passes_the_check_in_all_games() -> None:
    steps = check(str(BOTS / "random"), seed_from(0), launcher=launcher, tables=4)
    assert not [s for s in steps if s.verdict in (Verdict.FAILED, Verdict.WARNING)]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_it_plays_every_setting(game_id: str) -> None:
    for setting in settings_of(game_named(game_id)):
        bots = [AtRandom() for _ in range(setting.seats)]
        assert played(setting.game, bots, seed_from(1), setting.parameters).decisions


@pytest.mark.parametrize("game", all_games(), ids=GAME_IDS)
def test_a_bot_among_its_like_has_exactly_its_share_of_every_deal(game: AnyGame) -> None:
    twin = type("Twin", (AtRandom,), {})
    assert share_of(game, [AtRandom, twin, twin, twin], deals=3) == Share(0.5, 0.0)


def test_another_seed_is_played_otherwise() -> None:
    game = game_named("meow")
    first, second = (
        played(game, [AtRandom(), AtRandom()], seed_from(n), game.default_parameters)
        for n in (1, 2)
    )
    assert first.decisions != second.decisions
