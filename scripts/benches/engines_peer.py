"""Play random matches with OpenSpiel and RLCard.

Runs in a separate environment, where they are installed. Reads lines of `library game seconds` and
answers each with the number of decisions made and the seconds they took.
"""

from __future__ import annotations

import sys
import time
from random import Random
from typing import Any

rng = Random(1)


def open_spiel(name: str, seconds: float, *, uniform: bool) -> tuple[int, float]:
    """Play OpenSpiel matches; count the players' decisions, not the chance nodes.

    Chance is sampled from `chance_outcomes`, as in its documentation; or, with `uniform`, from
    `legal_actions`, which is much cheaper and correct if all outcomes are equally likely, as in the
    six card games measured.
    """
    import pyspiel

    game = pyspiel.load_game(name)
    decisions = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() and not uniform:
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            decisions += not state.is_chance_node()
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
    return decisions, time.perf_counter() - start


def rlcard(name: str, seconds: float) -> tuple[int, float]:
    """Play RLCard matches through its environment."""
    import rlcard as library

    environment: Any = library.make(name)
    decisions = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        state, _ = environment.reset()
        while not environment.is_over():
            actions = list(state["legal_actions"])
            state, _ = environment.step(actions[int(rng.random() * len(actions))])
            decisions += 1
    return decisions, time.perf_counter() - start


def main() -> None:
    """Answer until the input ends."""
    # The libraries print to stdout, which must contain only the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        library, name, seconds = line.split()
        if library == "rlcard":
            decisions, took = rlcard(name, float(seconds))
        else:
            decisions, took = open_spiel(name, float(seconds), uniform=library == "uniform")
        print(decisions, took, file=answers, flush=True)


if __name__ == "__main__":
    main()
