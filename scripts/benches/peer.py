"""Play random matches with OpenSpiel, RLCard and PettingZoo's own card games.

Runs in a separate environment, where they are installed. Reads lines of `library game seconds` and
answers each with the number of decisions made and the seconds of CPU time they took, which other
load on the machine changes little.
"""

from __future__ import annotations

import sys
import time
import warnings
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

rng = Random(1)


def open_spiel_steps(name: str, seconds: float, *, uniform: bool) -> tuple[int, float]:
    """Play OpenSpiel matches; count the players' decisions, not the chance nodes.

    Chance is sampled from `chance_outcomes`, as in its documentation; or, with `uniform`, from
    `legal_actions`, which is much cheaper and correct if all outcomes are equally likely, as in the
    six card games measured.
    """
    import pyspiel

    game = pyspiel.load_game(name)
    decisions = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() and not uniform:
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            decisions += not state.is_chance_node()
            state.apply_action(_pick(state.legal_actions()))
    return decisions, time.process_time() - start


def rlcard_steps(env: Any, seconds: float) -> tuple[int, float]:
    """Play matches of an environment of RLCard; it has no masks, but a list of legal actions."""
    steps = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(_pick(list(state["legal_actions"])))
            steps += 1
    return steps, time.process_time() - start


def pettingzoo_steps(env: Any, seconds: float) -> tuple[int, float]:
    """Play matches of an AEC environment, ours or theirs; actions are drawn from the masks."""
    steps = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(_pick(observation["action_mask"].nonzero()[0])))
            steps += 1
    return steps, time.process_time() - start


def _pick(actions: Any) -> Any:
    return actions[int(rng.random() * len(actions))]


@cache
def environment(library: str, name: str) -> Any:
    """Make an environment of RLCard, or one of PettingZoo's classic games without wrappers."""
    if library == "rlcard":
        return import_module("rlcard").make(name)
    return import_module(f"pettingzoo.classic.{name}").raw_env()


def main() -> None:
    """Answer until the input ends."""
    # The libraries print to stdout, which must contain only the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    # PettingZoo will rename what makes its environments, and Gymnasium rounds their bounds.
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        library, name, seconds = line.split()
        if library in ("openspiel", "uniform"):
            steps, took = open_spiel_steps(name, float(seconds), uniform=library == "uniform")
        else:
            play = rlcard_steps if library == "rlcard" else pettingzoo_steps
            steps, took = play(environment(library, name), float(seconds))
        print(steps, took, file=answers, flush=True)


if __name__ == "__main__":
    main()
