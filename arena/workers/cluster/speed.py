"""Measure how fast this machine is, in the CPU time of a fixed piece of work.

Clocks of events count CPU time, which is worth more on a faster machine. The work is what
bots do most: they play matches by the rules, in Python.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median

from arena.games.randomness import seed_from
from arena.games.registry import game_named

_MATCHES = 50
"""In one piece of work; 20 to 40 ms, which is long enough to measure."""
_PIECES = 7
_LIMIT_S = 0.8
"""No piece is begun after this time."""


def measure_speed(cpu_s: Callable[[], float] = time.process_time) -> float:
    """Return how many pieces of work a core does in a second of CPU time.

    It is the median of several pieces. `cpu_s` returns the CPU time that has been used.
    """
    _work()  # Imports and caches are not part of the measurement.
    began = cpu_s()
    times: list[float] = []
    while len(times) < _PIECES and (not times or cpu_s() - began < _LIMIT_S):
        before = cpu_s()
        _work()
        times.append(cpu_s() - before)
    return 1 / max(median(times), 1e-9)


def _work() -> None:
    """Play matches at random: always the same ones."""
    game = game_named("meow")
    for match in range(_MATCHES):
        rng = Random(match)
        state = game.start(4, seed_from(match), game.default_parameters)
        while not state.is_over:
            state.apply(rng.choice(state.legal_actions()))
