"""How fast are our games in OpenSpiel, compared with its own card games?

Plays random matches through OpenSpiel's environment for learning, which samples chance and returns
the observations and legal actions of all players at every step. Ours and theirs alternate, so that
a noisy machine affects all equally. Each figure is the median of its turns, in steps per second of
processor time.
"""

from __future__ import annotations

import json
import random
import sys
import time
from statistics import geometric_mean, median
from typing import Any

from open_spiel.python import rl_environment

import arena.learn.openspiel  # registers our games

TURNS = 3
SECONDS = 0.3
OURS = tuple(
    f"{arena.learn.openspiel.PREFIX}{game}(players=4)"
    for game in ("trio", "jackal", "meow", "lifeislife")
)
THEIRS = ("hearts", "spades", "oh_hell(players=4)", "gin_rummy", "crazy_eights(players=4)")


def steps(environment: Any, seconds: float) -> float:
    """Play random matches; return steps per second."""
    taken = 0
    start = time.process_time()
    step = environment.reset()
    while time.process_time() - start < seconds:
        observed = step.observations
        actions = observed["legal_actions"][observed["current_player"]]
        step = environment.step([actions[int(random.random() * len(actions))]])
        taken += 1
        if step.last():
            step = environment.reset()
    return taken / (time.process_time() - start)


def measure() -> dict[str, Any]:
    """Run everything; return the document that --json prints."""
    kind = rl_environment.ObservationType.OBSERVATION
    environments = {}
    for name in OURS + THEIRS:
        try:
            environments[name] = rl_environment.Environment(name, observation_type=kind)
        except ValueError:  # some of OpenSpiel's games have information states only
            environments[name] = rl_environment.Environment(name)
    rates: dict[str, list[float]] = {name: [] for name in environments}
    for _ in range(TURNS):
        for name, environment in environments.items():
            rates[name].append(steps(environment, SECONDS))
    figures: dict[str, Any] = {name: round(median(found)) for name, found in rates.items()}
    ours = geometric_mean(figures[name] for name in OURS)
    theirs = geometric_mean(figures[name] for name in THEIRS)
    return {**figures, "ratio": round(ours / theirs, 2)}


if __name__ == "__main__":
    result = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(result, indent=2))
    else:
        for name, rate in result.items():
            if name != "ratio":
                print(f"  {name:34} {rate:>10,} steps per second")
        print(f"ours / OpenSpiel's own card games, geometric means: {result['ratio']}")
