"""How many matches do rotations save in an event, and would a deal at several tables save more?

`scripts/bench duplicates` is about `arena compare`, where one version replaces the other in its
seats. In an event, four bots share a table and rotate. Here two tables play the same deals: greedy
bots that play 0, 10, 30 and 60 %, or 5, 15, 20 and 45 %, of their decisions at random. Every match
has its own random numbers, and all bots run in this process.

- rotations: how many matches are saved, at the same variance of a bot's mean points, compared with
  a separate deal for every match in the same seats;
- two tables: how many more would be saved, for the difference between two bots of about the same
  strength at different tables, if both tables played the same deals in all rotations. (Over all
  pairs of bots it is exactly nothing, because the points of a table always add up to the same.)

The intervals are 95 % bootstrap intervals over deals.

`scripts/bench rotations [--game GAME] [--deals NUMBER] [--json]`
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import covariance, fmean, variance
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

from duplicates import careless

from arena.games.randomness import derive, seed_from
from arena.games.registry import GAME_IDS, AnyGame, game_named
from arena.scheduling.points import points_of
from arena.sdk import Bot
from tests.bots.inprocess import bot_class, play_bots

DEALS = 200
SAMPLES = 400
TABLES = ((0.0, 0.1, 0.3, 0.6), (0.05, 0.15, 0.2, 0.45))
"""The share of decisions that each bot of a table plays at random."""
Deal = list[list[list[float]]]
"""The points by table, bot and rotation."""


def play_deal(game: AnyGame, tables: Sequence[Sequence[type[Bot]]], number: int) -> Deal:
    """Play a deal at every table, in every rotation."""
    seed = derive(seed_from(1), f"deal {number}")
    deal: Deal = []
    for table, bots in enumerate(tables):
        points: list[list[float]] = [[] for _ in bots]
        for turn in range(len(bots)):
            order = [(seat - turn) % len(bots) for seat in range(len(bots))]
            salt = f"{table} {turn}".encode()
            seated = [bots[bot]() for bot in order]
            record = play_bots(game, seated, seed, game.default_parameters, salt=salt)
            for bot, gained in zip(order, points_of(record.places), strict=True):
                points[bot].append(float(gained))
        deal.append(points)
    return deal


def saved_by_rotations(deals: Sequence[Deal]) -> float:
    """Return the share of the matches that rotations save."""
    together = apart = 0.0
    for table, share in ((t, b) for t in range(2) for b in range(4)):
        by_deal = [deal[table][share] for deal in deals]
        together += variance([fmean(points) for points in by_deal])
        apart += sum(variance(each) for each in zip(*by_deal, strict=True)) / 16
    return 1 - together / apart


def saved_by_tables(deals: Sequence[Deal]) -> float:
    """Return the share of the matches that the same deals at both tables save."""
    means = [[[fmean(points) for points in table] for table in deal] for deal in deals]
    shared = total = 0.0
    for bot in range(4):
        ones, others = [mean[0][bot] for mean in means], [mean[1][bot] for mean in means]
        shared += 2 * covariance(ones, others)
        total += variance(ones) + variance(others)
    return shared / total


def interval(deals: Sequence[Deal], saved: Callable[[Sequence[Deal]], float]) -> list[float]:
    """Return the share saved, and its interval."""
    rng = Random(1)
    found = sorted(saved(rng.choices(deals, k=len(deals))) for _ in range(SAMPLES))
    low, high = found[SAMPLES // 40], found[-SAMPLES // 40 - 1]
    return [round(each, 3) for each in (saved(deals), low, high)]


def measure(game: AnyGame, count: int) -> dict[str, Any]:
    """Play the deals of a game; return what was saved."""
    greedy = bot_class(f"greedy-{game.id}")
    tables = [[careless(greedy, share) for share in table] for table in TABLES]
    deals = [play_deal(game, tables, number) for number in range(count)]
    return {
        "game": game.id,
        "deals": count,
        "rotations": interval(deals, saved_by_rotations),
        "two tables": interval(deals, saved_by_tables),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", choices=GAME_IDS)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for game_id in [options.game] if options.game else GAME_IDS:
        row = measure(game_named(game_id), options.deals)
        rows.append(row)
        if not options.json:
            print("  ".join(f"{name} {value}" for name, value in row.items()), flush=True)
    if options.json:
        print(json.dumps(rows, indent=2))
