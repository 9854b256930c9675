"""How fast are our environments for learning, compared with the card games of others?

Plays random matches through each of our adapters, and through PettingZoo's own card games and
RLCard's environments, all from Python; then through OpenSpiel's environment for learning, which
returns the observations and legal actions of all players at every step, beside its own games. Its
card games are written in C++; its games in Python, like ours, are the fairer peers. Ours and theirs
alternate, so that a noisy machine affects all equally. Each figure is the median of its turns, per
second of CPU time. A step is one decision with its observation and its mask.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import chain
from statistics import geometric_mean, median
from typing import Any

import numpy as np
from figures import print_figures
from open_spiel.python import rl_environment
from open_spiel.python.games import block_dominoes, kuhn_poker, liars_poker, team_dominoes
from peer import pettingzoo_steps
from peer_process import Peers

import arena.learn.openspiel  # registers our games, as the modules above do theirs
from arena.games.registry import GAME_IDS
from arena.learn.gym import OneSeat
from arena.learn.pettingzoo import raw_env
from arena.learn.vector import VectorEnv

SEATS = 4
MATCHES = 256
TURNS = 3
SECONDS = 0.25
CLASSIC = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")
RLCARD = ("uno", "gin-rummy", "leduc-holdem", "no-limit-holdem")

OPEN_SPIEL = {
    "ours": [f"{arena.learn.openspiel.PREFIX}{game}(players={SEATS})" for game in GAME_IDS],
    "in_python": [
        f"python_{module.__name__.rpartition('.')[2]}"
        for module in (block_dominoes, kuhn_poker, liars_poker, team_dominoes)
    ],
    "in_cpp": ["hearts", "spades", "oh_hell(players=4)", "gin_rummy", "crazy_eights(players=4)"],
}

rng = np.random.default_rng(1)
Play = Callable[[float], tuple[int, float]]


def vector_steps(env: VectorEnv, seconds: float) -> tuple[int, float]:
    """Play many matches at once."""
    batch = env.reset()
    steps = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        noise = rng.random(batch.masks.shape, np.float32)
        batch = env.step((noise * batch.masks).argmax(1))
        steps += env.count
    return steps, time.process_time() - start


def gym_steps(env: OneSeat, seconds: float) -> tuple[int, float]:
    """Play against three random bots; count our own decisions and theirs."""
    steps = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        observation, _ = env.reset()
        over = False
        while not over:
            legal = observation["action_mask"].nonzero()[0]
            observation, _, over, _, _ = env.step(int(legal[int(rng.random() * len(legal))]))
        steps += len(env.played)
    return steps, time.process_time() - start


def openspiel_rate(environment: Any) -> float:
    """Play random matches in OpenSpiel's environment; return steps per second."""
    taken = 0
    start = time.process_time()
    step = environment.reset()
    while time.process_time() - start < SECONDS:
        actions = step.observations["legal_actions"][step.observations["current_player"]]
        step = environment.step([actions[int(rng.random() * len(actions))]])
        taken += 1
        if step.last():
            step = environment.reset()
    return taken / (time.process_time() - start)


def measure_openspiel() -> dict[str, Any]:
    """Play our games and OpenSpiel's own."""
    kind = rl_environment.ObservationType.OBSERVATION
    environments = {}
    for name in chain(*OPEN_SPIEL.values()):
        try:
            environments[name] = rl_environment.Environment(name, observation_type=kind)
        except ValueError:  # some of OpenSpiel's games have information states only
            environments[name] = rl_environment.Environment(name)
    rates: dict[str, list[float]] = {name: [] for name in environments}
    for _ in range(TURNS):
        for name, environment in environments.items():
            rates[name].append(openspiel_rate(environment))
    figures: dict[str, Any] = {
        group: {name: round(median(rates[name])) for name in names}
        for group, names in OPEN_SPIEL.items()
    }
    for group in ("in_python", "in_cpp"):
        theirs = geometric_mean(figures[group].values())
        figures[f"ratio_to_{group}"] = round(geometric_mean(figures["ours"].values()) / theirs, 2)
    return figures


def ours() -> dict[tuple[str, str], Play]:
    """Return what plays each game through each adapter."""
    plays: dict[tuple[str, str], Play] = {}
    for game in GAME_IDS:
        settings: dict[str, Any] = {"seats": SEATS, "ask_forced": True}
        vector = VectorEnv(game, MATCHES, **settings)
        gym = OneSeat(game, opponents="random", **settings)
        turns = raw_env(game, seats=SEATS)
        plays["vector", game] = lambda seconds, env=vector: vector_steps(env, seconds)  # type: ignore[misc]
        plays["gym", game] = lambda seconds, env=gym: gym_steps(env, seconds)  # type: ignore[misc]
        plays["pettingzoo", game] = lambda seconds, env=turns: pettingzoo_steps(env, seconds)  # type: ignore[misc]
    return plays


def measure() -> dict[str, Any]:
    """Run everything; return the document that --json prints."""
    peers = Peers()
    plays = ours()
    theirs = [("classic", name) for name in CLASSIC] + [("rlcard", name) for name in RLCARD]
    rates: dict[tuple[str, str], list[float]] = {}
    for turn in range(TURNS):
        print(f"\rturn {turn + 1} of {TURNS}", end="", file=sys.stderr, flush=True)
        for key, play in plays.items():
            steps, took = play(SECONDS)
            rates.setdefault(key, []).append(steps / took)
        for key in theirs:
            rates.setdefault(key, []).append(peers.rate(*key, SECONDS))
    print(file=sys.stderr)
    figures: dict[str, Any] = {}
    for (adapter, name), found in rates.items():
        figures.setdefault(adapter, {})[name] = round(median(found))
    classic = geometric_mean(figures["classic"].values())
    fastest = max(figures["classic"].values())
    figures["ratio"] = {
        adapter: round(geometric_mean(figures[adapter].values()) / classic, 1)
        for adapter in ("vector", "gym", "pettingzoo")
    }
    figures["pettingzoo_lowest_to_fastest"] = round(
        min(figures["pettingzoo"].values()) / fastest, 2
    )
    figures["openspiel"] = measure_openspiel()
    return figures


if __name__ == "__main__":
    print_figures(measure())
