"""How many matches do duplicate deals save, and how many deals does a comparison need?

Two versions of a bot are compared as `arena compare` does it, at tables of four: greedy with
random, and greedy with a careless one, which plays every tenth decision at random. Once both play
against three greedy ones, once against each other, two and two. All of them play in this process.

`together` is the variance of a deal's difference, `apart` what it would be if every match had a
deal of its own, and what is saved follows from the two. The deals that it takes to find a
difference of 0.05 or 0.1 are the median of runs that draw from the differences found, shifted so
that they have that mean.

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
from statistics import median
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

from arena.compare import sequence
from arena.compare.plan import FIRST_OPPONENT, NEW, OLD, Plan, plan_for, saving_of
from arena.games.randomness import derive, seed_from
from arena.games.registry import GAME_IDS, AnyGame, game_named
from arena.sdk import Bot
from tests.bots.inprocess import bot_class, played

SEATS = 4
DEALS = 100
CARELESS = 0.1
SHIFTS = (0.05, 0.1)
RUNS = 25
MOST_DEALS = 5000


def careless(bot: type[Bot]) -> type[Bot]:
    """Make a bot that now and then does not think."""

    class Careless(bot):  # type: ignore[misc, valid-type]  # mypy wants to know the class beforehand
        def choose(self, view: Any) -> int:
            if self.rng.random() < CARELESS:
                return int(self.rng.choice(self.legal_actions(view)))
            return int(super().choose(view))

    return Careless


def deals_of(plan: Plan, bots: dict[int, type[Bot]], count: int) -> Iterator[tuple[Fraction, ...]]:
    """Play deals; yield what each match of a deal adds to its difference."""
    for deal in range(count):
        seed = derive(seed_from(1), f"deal {deal}")
        yield plan.differences(
            [
                played(
                    plan.game,
                    [bots[plan.players[player]]() for player in seating],
                    seed,
                    plan.parameters,
                ).places
                for seating in plan.seatings
            ]
        )


def needed(differences: Sequence[float], mean: float) -> float:
    """Return how many deals it usually takes to find a mean difference of that size."""
    rng = Random(1)
    shift = mean - sum(differences) / len(differences)
    values = [min(1.0, max(-1.0, difference + shift)) for difference in differences]
    numbers = []
    for _ in range(RUNS):
        run = sequence.Sequence(error=0.05, margin=0.02)
        while run.verdict is sequence.Verdict.UNKNOWN and run.number < MOST_DEALS:
            run.add(rng.choice(values))
        numbers.append(run.number)
    return median(numbers)


def measure(game: AnyGame, count: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each pair of bots and each way to let them meet."""
    greedy = bot_class(f"greedy-{game.id}")
    for name, other in (("random", bot_class("random")), ("careless", careless(greedy))):
        for opponents in (1, 0):
            plan = plan_for(game, game.default_parameters, opponents=opponents, seats=SEATS)
            bots = {NEW: greedy, OLD: other, FIRST_OPPONENT: greedy}
            deals = list(deals_of(plan, bots, count))
            saving = saving_of(deals)
            differences = [float(sum(deal)) for deal in deals]
            yield {
                "game": game.id,
                "old": name,
                "against": "3 greedy" if opponents else "each other",
                "difference": round(sum(differences) / count, 3),
                "together": round(saving.together, 4),
                "apart": round(saving.apart, 4),
                "saved": round(saving.share, 2),
                **{f"deals for {shift}": needed(differences, shift) for shift in SHIFTS},
                "matches a deal": len(plan.seatings),
            }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", choices=GAME_IDS)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for game_id in [asked.game] if asked.game else GAME_IDS:
        for row in measure(game_named(game_id), asked.deals):
            if not asked.json:
                if not rows:
                    print("  ".join(f"{heading:>14}" for heading in row))
                print("  ".join(f"{value!s:>14}" for value in row.values()), flush=True)
            rows.append(row)
    if asked.json:
        print(json.dumps(rows, indent=2))
