"""The loops that measure environments, the same for ours and for those of others.

Actions are drawn from the masks, as a learning program would after its network. Times are processor
times, which other load on the machine changes little.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

rng = np.random.default_rng(1)


def pettingzoo_steps(env: Any, seconds: float) -> tuple[int, float]:
    """Play matches of an AEC environment; return the actions played and the seconds they took."""
    steps = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))
            steps += 1
    return steps, time.process_time() - start


def rlcard_steps(env: Any, seconds: float) -> tuple[int, float]:
    """Play matches of an environment of RLCard; it has no masks, but a list of legal actions."""
    steps = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            steps += 1
    return steps, time.process_time() - start
