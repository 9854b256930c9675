"""How often do neighbours in the final order tie if all bots play at random?

The `tie_rates` of each game are these figures, from 2,000 matches each.
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from random import Random
from typing import Any

from arena.games.randomness import derive, seed_from
from arena.games.registry import AnyGame, all_games


def tie_rate(game: AnyGame, parameters: Any, seats: int, matches: int) -> float:
    """Play random matches; return the share of ties among neighbouring sides."""
    rng = Random(1)
    sides = game.sides(seats, parameters)
    tied = 0
    for match in range(matches):
        seed = derive(seed_from(1), f"{game.id} {seats} {match}")
        state = game.start(seats, seed, parameters)
        while not state.is_over:
            state.apply(state.random_action(rng))
        places = sorted(dict(zip(sides, state.outcome().places, strict=True)).values())
        tied += sum(one == other for one, other in pairwise(places))
    return tied / (matches * (len(set(sides)) - 1))


def measure(matches: int) -> dict[str, dict[str, dict[int, float]]]:
    """Return the rates by game, variant and number of seats."""
    return {
        game.id: {
            variant: {
                seats: round(tie_rate(game, parameters, seats, matches), 3)
                for seats in game.seats_for(parameters)
            }
            for variant, parameters in game.variants.items()
        }
        for game in all_games()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    shares = measure(options.matches)
    if options.json:
        print(json.dumps(shares, indent=2))
    else:
        for game_id, variants in shares.items():
            for variant, by_seats in variants.items():
                figures = ", ".join(f"{seats} seats {share}" for seats, share in by_seats.items())
                print(f"{game_id:12}{variant:14}{figures}")
