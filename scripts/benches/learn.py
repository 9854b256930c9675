"""How fast are our environments for learning, compared with the card games of others?

Plays random matches through each of our adapters, and through PettingZoo's own card games and
RLCard's environments, all from Python; then through OpenSpiel, beside its own games. Ours and
theirs alternate, so that a noisy machine affects all equally. Each figure is the median of its
turns, per second of processor time. A step is one decision with its observation and its mask.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from statistics import geometric_mean, median
from typing import Any

import learn_openspiel
import numpy as np
from engines import Peers
from learn_loops import pettingzoo_steps, rng

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
    peers = Peers("learn_peer.py")
    plays = ours()
    theirs = [("classic", name) for name in CLASSIC] + [("rlcard", name) for name in RLCARD]
    rates: dict[tuple[str, str], list[float]] = {}
    for turn in range(TURNS):
        print(f"\rturn {turn + 1} of {TURNS}", end="", file=sys.stderr, flush=True)
        for key, play in plays.items():
            steps, took = play(SECONDS)
            rates.setdefault(key, []).append(steps / took)
        for key in theirs:
            rates.setdefault(key, []).append(peers.rate(*key))
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
    figures["openspiel"] = learn_openspiel.measure()
    return figures


TITLES = {
    "vector": f"arena.learn.vector, {MATCHES} matches",
    "gym": "arena.learn.gym against three random bots, all decisions",
    "pettingzoo": "arena.learn.pettingzoo",
    "classic": "PettingZoo's own card games",
    "rlcard": "RLCard",
}


def show(figures: dict[str, Any]) -> None:
    """Print the figures as a table."""
    for key, title in TITLES.items():
        print(f"{title}: steps per second")
        for name, rate in figures[key].items():
            print(f"  {name:26} {rate:>10,}")
        print(f"  {'geometric mean':26} {round(geometric_mean(figures[key].values())):>10,}")
    ratios = ", ".join(f"{name} {ratio}" for name, ratio in figures["ratio"].items())
    print(f"ours / PettingZoo's own card games, geometric means: {ratios}")
    print(
        "our slowest game in PettingZoo / its fastest card game: "
        f"{figures['pettingzoo_lowest_to_fastest']}"
    )
    learn_openspiel.show(figures["openspiel"])


if __name__ == "__main__":
    result = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(result, indent=2))
    else:
        show(result)
