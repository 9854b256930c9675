"""How fast are our games in OpenSpiel, compared with its own card games?

Plays random matches through OpenSpiel's environment for learning, which samples chance and returns
the observations and legal actions of all players at every step. OpenSpiel's card games are written
in C++; its games in Python, like ours, are the fairer peers. Ours and theirs alternate, so that a
noisy machine affects all equally. Each figure is the median of its turns, in steps per second of
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
from open_spiel.python.games import block_dominoes, kuhn_poker, liars_poker, team_dominoes

import arena.learn.openspiel  # registers our games, as the modules above do theirs

TURNS = 5
SECONDS = 0.3
OURS = tuple(
    f"{arena.learn.openspiel.PREFIX}{game}(players=4)"
    for game in ("trio", "jackal", "meow", "lifeislife")
)
IN_PYTHON = tuple(
    f"python_{module.__name__.rpartition('.')[2]}"
    for module in (block_dominoes, kuhn_poker, liars_poker, team_dominoes)
)
IN_CPP = ("hearts", "spades", "oh_hell(players=4)", "gin_rummy", "crazy_eights(players=4)")


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
    groups = {"ours": OURS, "in_python": IN_PYTHON, "in_cpp": IN_CPP}
    environments = {}
    for name in sum(groups.values(), ()):
        try:
            environments[name] = rl_environment.Environment(name, observation_type=kind)
        except ValueError:  # some of OpenSpiel's games have information states only
            environments[name] = rl_environment.Environment(name)
    rates: dict[str, list[float]] = {name: [] for name in environments}
    for _ in range(TURNS):
        for name, environment in environments.items():
            rates[name].append(steps(environment, SECONDS))
    figures: dict[str, Any] = {
        group: {name: round(median(rates[name])) for name in names}
        for group, names in groups.items()
    }
    ours = geometric_mean(figures["ours"].values())
    for group in ("in_python", "in_cpp"):
        theirs = geometric_mean(figures[group].values())
        figures[f"ratio_to_{group}"] = round(ours / theirs, 2)
    return figures


TITLES = {
    "ours": "arena.learn.openspiel, in OpenSpiel's environment",
    "in_python": "OpenSpiel's own games in Python",
    "in_cpp": "OpenSpiel's own card games in C++",
}


def show(figures: dict[str, Any]) -> None:
    """Print the figures as a table."""
    for group, title in TITLES.items():
        print(f"{title}: steps per second")
        for name, rate in figures[group].items():
            print(f"  {name:34} {rate:>10,}")
    print(f"ours / OpenSpiel's own games in Python: {figures['ratio_to_in_python']}")
    print(f"ours / OpenSpiel's own card games in C++: {figures['ratio_to_in_cpp']}")


if __name__ == "__main__":
    result = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(result, indent=2))
    else:
        show(result)
