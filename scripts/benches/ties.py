"""How often do neighbours in the final order tie among bots that can play?

All seats are taken by the game's greedy bot, in this process. The games' `tie_rates` are the mean
over the variants.

`scripts/bench ties [--game GAME] [--matches NUMBER] [--json]`
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from figures import print_figures

sys.path.append(str(Path(__file__).parents[2]))

from arena.games.randomness import derive, seed_from
from arena.games.registry import GAME_IDS, AnyGame, game_named
from tests.bots.inprocess import bot_class, play_bots

MATCHES = 600


def tie_rate(game: AnyGame, parameters: Any, seats: int, matches: int) -> float:
    """Play matches; return the share of ties among neighbouring sides."""
    sides = game.sides(seats, parameters)
    greedy = bot_class(f"greedy-{game.id}")
    tied = 0
    for match in range(matches):
        seed = derive(seed_from(1), f"{game.id} {seats} {match}")
        places = play_bots(game, [greedy() for _ in range(seats)], seed, parameters).places
        order = sorted(dict(zip(sides, places, strict=True)).values())
        tied += sum(one == other for one, other in pairwise(order))
    return tied / (matches * (len(set(sides)) - 1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", choices=GAME_IDS)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rates: dict[str, dict[str, dict[int, float]]] = {}
    for game_id in [options.game] if options.game else GAME_IDS:
        game = game_named(game_id)
        for variant, parameters in game.variants.items():
            rates.setdefault(game_id, {})[variant] = {
                seats: round(tie_rate(game, parameters, seats, options.matches), 3)
                for seats in game.seats_for(parameters)
            }
    print_figures(rates)
