"""The spaces of observations and actions that Gymnasium and PettingZoo share."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from arena.games.tensors import LIMIT
from arena.learn.table import Setup

Observation = dict[str, Any]
"""`observation` is the tensor of a view, `action_mask` has a 1 for each legal action."""


def observation_space(setup: Setup) -> spaces.Dict:
    """Return the space of tensors with their masks."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-LIMIT, LIMIT, (setup.encoder.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (setup.game.action_count,), np.int8),
        }
    )


def action_space(setup: Setup) -> spaces.Discrete:
    """Return the space of the game's actions."""
    return spaces.Discrete(setup.game.action_count)
