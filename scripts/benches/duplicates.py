"""How many matches do duplicate deals save?

Compares two versions of a bot at tables of four: greedy and random, and greedy and a careless
version of it, which plays every tenth decision at random. Both play either with three greedy bots
or against each other, two against two. Every deal is played in all rotations of the seats, as in an
event. (`arena compare` draws one; see `scripts/bench compare`.) All bots run in this process.

`together` is the variance of a deal's difference, `apart` the variance if every match had a
separate deal; the saving follows from the two, with a 95 % bootstrap interval over deals. What
rotations save in an event is measured by `scripts/bench rotations`.

`scripts/bench duplicates [--game GAME] [--deals NUMBER] [--json]`
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import variance
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

from arena.compare.plan import (
    FIRST_OPPONENT,
    NEW,
    OLD,
    ComparedIndex,
    ComparisonPlan,
    plan_for,
    saving_of,
)
from arena.games.randomness import derive, seed_from
from arena.games.registry import GAME_IDS, AnyGame, game_named
from arena.sdk import Bot
from tests.bots.inprocess import bot_class, play_bots

SEATS = 4
DEALS = 100
CARELESS = 0.1
SAMPLES = 200


def careless(bot: type[Bot], share: float = CARELESS) -> type[Bot]:
    """Return a version of a bot that plays a share of its decisions at random."""

    class Careless(bot):  # type: ignore[misc, valid-type]  # mypy needs a static base class
        def choose(self, view: Any) -> int:
            if self.rng.random() < share:
                return int(self.rng.choice(self.legal_actions(view)))
            return int(super().choose(view))

    return Careless


def play_deals(
    plan: ComparisonPlan, bots: dict[ComparedIndex, type[Bot]], count: int
) -> Iterator[tuple[Fraction, ...]]:
    """Play deals in all rotations; yield what each match of a deal adds to its difference."""
    for deal in range(count):
        seed = derive(seed_from(1), f"deal {deal}")
        differences: list[Fraction] = []
        for seatings in plan.rotations:
            tables = [[bots[plan.entrants[one]]() for one in seating] for seating in seatings]
            records = [play_bots(plan.game, table, seed, plan.parameters) for table in tables]
            differences += plan.differences(seatings, [record.places for record in records])
        yield tuple(difference / len(plan.rotations) for difference in differences)


def saving_interval(deals: Sequence[tuple[Fraction, ...]]) -> list[float]:
    """Return a bootstrap interval of the share of the matches that was saved."""
    rng = Random(1)
    # Floats: fractions are exact, and slow.
    values = [tuple(map(float, deal)) for deal in deals]
    shares = []
    for _ in range(SAMPLES):
        sample = rng.choices(values, k=len(values))
        apart = sum(variance(match) for match in zip(*sample, strict=True))
        shares.append(1 - variance(map(sum, sample)) / apart if apart else 0.0)
    shares.sort()
    return [round(shares[SAMPLES // 40], 2), round(shares[-SAMPLES // 40 - 1], 2)]


def measure(game: AnyGame, count: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each pair of bots and each kind of comparison."""
    greedy = bot_class(f"greedy-{game.id}")
    for name, other in (("random", bot_class("random")), ("careless", careless(greedy))):
        for opponents in (1, 0):
            plan = plan_for(game, game.default_parameters, opponents=opponents, seats=SEATS)
            bots = {NEW: greedy, OLD: other, FIRST_OPPONENT: greedy}
            deals = list(play_deals(plan, bots, count))
            saving = saving_of(deals)
            yield {
                "game": game.id,
                "old": name,
                "against": "3 greedy" if opponents else "each other",
                "difference": round(float(sum(map(sum, deals))) / count, 3),
                "together": round(saving.together, 4),
                "apart": round(saving.apart, 4),
                "saved": round(saving.share, 2),
                "interval": saving_interval(deals),
                "matches per deal": len(deals[0]),
            }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", choices=GAME_IDS)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for game_id in [options.game] if options.game else GAME_IDS:
        for row in measure(game_named(game_id), options.deals):
            if not options.json:
                if not rows:
                    print("  ".join(f"{heading:>14}" for heading in row))
                print("  ".join(f"{value!s:>14}" for value in row.values()), flush=True)
            rows.append(row)
    if options.json:
        print(json.dumps(rows, indent=2))
