"""How fast are our engines, compared with those of OpenSpiel and RLCard?

Plays random matches of all games in short turns. Ours and theirs alternate, so that a noisy machine
affects all equally. Each figure is the median of its turns.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from statistics import geometric_mean, mean, median

from peer_environment import peers_python

from arena.games.randomness import seed_from
from arena.games.registry import AnyGame, all_games

SEATS = 4
TURNS = 7
SECONDS = 0.5
OPEN_SPIEL = ("hearts", "spades", "oh_hell", "gin_rummy", "crazy_eights", "cribbage")
RLCARD = ("uno", "gin-rummy")


def playouts(game: AnyGame, seconds: float, rng: Random) -> float:
    """Play random matches; return decisions per second."""
    decisions = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.start(SEATS, seed_from(int(rng.random() * 2**32)))
        while state.to_act >= 0:
            state.apply(state.random_action(rng))
            decisions += 1
    return decisions / (time.perf_counter() - start)


def redeal_seconds(game: AnyGame, seconds: float, rng: Random) -> float:
    """Redeal at random points of random matches; return the mean time of one redeal."""
    times = []
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.start(SEATS, seed_from(int(rng.random() * 2**32)))
        while state.to_act >= 0:
            if rng.random() < 0.1:
                before = time.perf_counter()
                game.redeal(state, state.to_act, rng)
                times.append(time.perf_counter() - before)
            state.apply(state.random_action(rng))
    return mean(times)


class Peers:
    """The process that plays the other libraries' games."""

    def __init__(self, program: str = "engines_peer.py") -> None:
        """Create their environment if necessary, and start the process."""
        command = [peers_python(), Path(__file__).with_name(program)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def rate(self, library: str, name: str) -> float:
        """Return the decisions per second of one turn."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{library} {name} {SECONDS}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        if len(answer) != 2:
            sys.exit(f"{library} cannot play {name} here")
        return int(answer[0]) / float(answer[1])


def measure() -> dict[str, object]:
    """Run everything; return the document that --json prints."""
    rng = Random(1)
    peers = Peers()
    rates: dict[tuple[str, str], list[float]] = {}
    redeals: dict[str, list[float]] = {}
    for turn in range(TURNS):
        print(f"\rturn {turn + 1} of {TURNS}", end="", file=sys.stderr, flush=True)
        for game in all_games():
            rates.setdefault(("ours", game.id), []).append(playouts(game, SECONDS, rng))
            redeals.setdefault(game.id, []).append(redeal_seconds(game, SECONDS, rng))
        for library, names in (
            ("openspiel", OPEN_SPIEL),
            ("uniform", OPEN_SPIEL),
            ("rlcard", RLCARD),
        ):
            for name in names:
                rates.setdefault((library, name), []).append(peers.rate(library, name))
    print(file=sys.stderr)

    def of(library: str) -> dict[str, float]:
        return {name: round(median(r)) for (whose, name), r in rates.items() if whose == library}

    ours, theirs, uniform = of("ours"), of("openspiel"), of("uniform")
    ours_mean = geometric_mean(ours.values())
    return {
        "ours": ours,
        "openspiel": theirs,
        "openspiel_uniform_chance": uniform,
        "rlcard": of("rlcard"),
        "ratio": round(ours_mean / geometric_mean(theirs.values()), 2),
        "lowest": round(min(ours.values()) / geometric_mean(theirs.values()), 2),
        "ratio_uniform_chance": round(ours_mean / geometric_mean(uniform.values()), 2),
        "lowest_uniform_chance": round(min(ours.values()) / geometric_mean(uniform.values()), 2),
        "redeal_in_decisions": {
            name: round(median(times) * ours[name], 1) for name, times in redeals.items()
        },
    }


def show(figures: dict[str, object]) -> None:
    """Print the figures as a table."""
    titles = {
        "ours": f"arena ({SEATS} seats)",
        "openspiel": "OpenSpiel",
        "openspiel_uniform_chance": "OpenSpiel, chance sampled the cheap way",
        "rlcard": "RLCard",
    }
    for key, title in titles.items():
        rates = figures[key]
        assert isinstance(rates, dict)
        print(f"{title}: decisions per second")
        for name, rate in rates.items():
            print(f"  {name:14} {rate:>10,}")
        print(f"  {'geometric mean':14} {round(geometric_mean(rates.values())):>10,}")
    redeals = figures["redeal_in_decisions"]
    assert isinstance(redeals, dict)
    print("one redeal costs, in decisions: ", end="")
    print(", ".join(f"{name} {cost}" for name, cost in redeals.items()))
    print(f"ours / OpenSpiel: {figures['ratio']} (lowest game: {figures['lowest']});", end=" ")
    print(f"with its chance sampled the cheap way: {figures['ratio_uniform_chance']}", end=" ")
    print(f"({figures['lowest_uniform_chance']})")


if __name__ == "__main__":
    result = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(result, indent=2))
    else:
        show(result)
