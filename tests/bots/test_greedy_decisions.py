"""The greedy bots beat random, and decide today as they did when these digests were written.

A change of speed must not change a decision. If you change a strategy on purpose, the failing test
shows the new digest.
"""

from __future__ import annotations

import sys
from hashlib import blake2b

import pytest

from arena.games.conformance import Setting, settings_of
from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS, AnyGame, all_games, game_named
from tests.bots.inprocess import Share, bot_class, play_bots, share_of

SEEDS = range(4)
DIGESTS = {
    "trio": "966bafc1fe7ee568",
    "jackal": "517f31ffd37565bb",
    "meow": "4b28521fdf93175c",
    "lifeislife": "57cb542c6f65c30b",
}
AtRandom = bot_class("random")


def actions_in(setting: Setting, number: int) -> list[int]:
    """Play a match; in every second one the last seat plays at random, for unusual positions."""
    greedy = bot_class(f"greedy-{setting.game.id}")
    bots = [greedy() for _ in range(setting.seats)]
    if number % 2:
        bots[-1] = AtRandom()
    record = play_bots(setting.game, bots, seed_from(number), setting.parameters)
    return [int(decision.action) for decision in record.decisions]


@pytest.mark.parametrize("game_id", DIGESTS)
def test_a_greedy_bot_plays_every_setting_and_decides_as_before(game_id: str) -> None:
    digest = blake2b(digest_size=8)
    for setting in settings_of(game_named(game_id)):
        for number in SEEDS:
            digest.update(f"{setting} {number}: {actions_in(setting, number)}\n".encode())
    # From Python 3.12 on, sum() rounds floats differently, which decides some ties.
    if sys.version_info < (3, 12):
        assert digest.hexdigest() == DIGESTS[game_id]


@pytest.mark.parametrize("game", all_games(), ids=GAME_IDS)
def test_a_greedy_bot_beats_random_in_every_variant(game: AnyGame) -> None:
    for parameters in game.variants.values():
        greedy = bot_class(f"greedy-{game.id}")
        in_teams = len(set(game.sides(4, parameters))) == 2
        bots = [greedy, AtRandom, greedy if in_teams else AtRandom, AtRandom]
        share = share_of(game, bots, deals=12, parameters=parameters)
        assert share.mean - 1.96 * share.error > 0.75


@pytest.mark.parametrize("game", all_games(), ids=GAME_IDS)
def test_a_bot_against_copies_of_itself_gets_exactly_half_of_every_deal(game: AnyGame) -> None:
    twin = type("Twin", (AtRandom,), {})
    assert share_of(game, [AtRandom, twin, twin, twin], deals=3) == Share(0.5, 0.0)
