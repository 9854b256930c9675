"""How often do neighbours in the final order tie among bots that can play?

All seats are taken by the game's greedy bot. With `--players mixed`, each is taken by lot, by that
bot or by `search` with 8 iterations per decision, which take the place of a clock, so that the
figures do not depend on the machine. With `--players random`, bots cannot play; in Trio they tie
far more often. All bots run in this process. The games' `tie_rates` are the mean over the variants.

`scripts/bench ties [--game GAME] [--players greedy|mixed|random] [--seats NUMBER]
[--matches NUMBER] [--json]`
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

from arena.games.randomness import derive, seed_from
from arena.games.registry import GAME_IDS, AnyGame, game_named
from arena.sdk import Bot
from tests.bots.inprocess import bot_class, bot_module, play_bots

MATCHES = 600
ITERATIONS = 8


class BriefSearch(Bot):
    """The search bot without a clock."""

    def choose(self, view: Any) -> int:
        """Search for a fixed number of iterations."""
        game = self.match.game
        actions = self.legal_actions(view)
        if len(actions) == 1:
            return int(actions[0])
        module = bot_module("search")
        search = module.Search(game, module.guide_for(game.id)(view), view, actions, self.rng)
        for _ in range(ITERATIONS):
            search.iterate()
        return int(search.best())


def bots_for(game: AnyGame, players: str) -> list[type[Bot]]:
    """Return the bots that take seats by lot."""
    if players == "random":
        return [bot_class("random")]
    greedy = bot_class(f"greedy-{game.id}")
    return [greedy] if players == "greedy" else [greedy, BriefSearch]


def tie_rate(
    game: AnyGame, parameters: Any, seats: int, *, bots: list[type[Bot]], matches: int
) -> float:
    """Play matches; return the share of ties among neighbouring sides."""
    rng = Random(1)
    sides = game.sides(seats, parameters)
    tied = 0
    for match in range(matches):
        seed = derive(seed_from(1), f"{game.id} {seats} {match}")
        seated = [rng.choice(bots)() for _ in range(seats)]
        places = play_bots(game, seated, seed, parameters).places
        order = sorted(dict(zip(sides, places, strict=True)).values())
        tied += sum(one == other for one, other in pairwise(order))
    return tied / (matches * (len(set(sides)) - 1))


def measure(
    game: AnyGame, *, players: str, matches: int, sizes: Collection[int]
) -> Iterator[tuple[str, dict[int, float]]]:
    """Yield each variant with its rates by number of seats."""
    bots = bots_for(game, players)
    for variant, parameters in game.variants.items():
        yield (
            variant,
            {
                seats: round(tie_rate(game, parameters, seats, bots=bots, matches=matches), 3)
                for seats in game.seats_for(parameters)
                if seats in sizes
            },
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", choices=GAME_IDS)
    parser.add_argument("--players", choices=("greedy", "mixed", "random"), default="greedy")
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--seats", type=int, help="tables of this size only")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sizes = range(2, 7) if options.seats is None else [options.seats]
    rates: dict[str, dict[str, dict[int, float]]] = {}
    for game_id in [options.game] if options.game else GAME_IDS:
        found = measure(
            game_named(game_id), players=options.players, matches=options.matches, sizes=sizes
        )
        for variant, by_seats in found:
            rates.setdefault(game_id, {})[variant] = by_seats
            if not options.json:
                figures = ", ".join(f"{seats} seats {rate}" for seats, rate in by_seats.items())
                print(f"{game_id:12}{variant:14}{figures}", flush=True)
    if options.json:
        print(json.dumps(rates, indent=2))
