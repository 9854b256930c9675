"""How fast are our engines, compared with those of OpenSpiel and RLCard?

Plays random matches of all games in short turns. Ours and theirs alternate, so that a noisy machine
affects all equally. Each figure is the median of its turns, per second of CPU time.
"""

from __future__ import annotations

import sys
import time
from random import Random
from statistics import geometric_mean, mean, median

from figures import print_figures
from peer_process import Peers

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
    start = time.process_time()
    while time.process_time() - start < seconds:
        state = game.start(SEATS, seed_from(int(rng.random() * 2**32)))
        while state.to_act >= 0:
            state.apply(state.random_action(rng))
            decisions += 1
    return decisions / (time.process_time() - start)


def redeal_seconds(game: AnyGame, seconds: float, rng: Random) -> float:
    """Redeal at random points of random matches; return the mean time of one redeal."""
    times = []
    start = time.process_time()
    while time.process_time() - start < seconds:
        state = game.start(SEATS, seed_from(int(rng.random() * 2**32)))
        while state.to_act >= 0:
            if rng.random() < 0.1:
                before = time.process_time()
                game.redeal(state, state.to_act, rng)
                times.append(time.process_time() - before)
            state.apply(state.random_action(rng))
    return mean(times)


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
                rates.setdefault((library, name), []).append(peers.rate(library, name, SECONDS))
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


if __name__ == "__main__":
    print_figures(measure())
