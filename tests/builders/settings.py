"""Every variant of every game at every number of seats."""

from __future__ import annotations

import pytest

from arena.games.conformance import settings_of
from arena.games.registry import all_games

SETTINGS = [setting for game in all_games() for setting in settings_of(game)]
LARGEST = list({(each.game.id, each.variant): each for each in SETTINGS}.values())
"""The table with the most seats of each variant."""
SMALLEST = list({each.game.id: each for each in reversed(SETTINGS)}.values())
"""The table with the fewest seats of each game, in its first variant."""

every_setting = pytest.mark.parametrize(
    "setting",
    [
        pytest.param(each, marks=[] if each in (*LARGEST, *SMALLEST) else [pytest.mark.slow])
        for each in SETTINGS
    ],
    ids=str,
)
"""Runs a test with every setting; those between the largest and the smallest tables are slow."""
