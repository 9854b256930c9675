"""How many matches do duplicate deals save, and how many deals does a comparison need?

Compares two versions of a bot as `arena compare` does, at tables of four: greedy and random, and
greedy and a careless version of it, which plays every tenth decision at random. Both play either
with three greedy bots or against each other, two against two. All bots run in this process.

`together` is the variance of a deal's difference, `apart` the variance if every match had a
separate deal; the saving follows from the two. The number of deals needed to find a difference of
0.05 or 0.1 is the median over runs that sample the differences found, shifted to that mean.

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

from arena.compare import confidence
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
DEALS = 400
CARELESS = 0.1
SHIFTS = (0.05, 0.1)
RUNS = 25
MOST_DEALS = 5000


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
    """Play deals; yield what each match of a deal adds to its difference."""
    for deal in range(count):
        seed = derive(seed_from(1), f"deal {deal}")
        seatings = plan.seatings(seed_from(1), deal)
        yield plan.differences(
            seatings,
            [
                play_bots(
                    plan.game,
                    [bots[plan.entrants[entrant]]() for entrant in seating],
                    seed,
                    plan.parameters,
                ).places
                for seating in seatings
            ],
        )


def deals_needed(differences: Sequence[float], mean: float) -> float:
    """Return the median number of deals needed to find a mean difference of that size."""
    rng = Random(1)
    shift = mean - sum(differences) / len(differences)
    values = [min(1.0, max(-1.0, difference + shift)) for difference in differences]
    numbers = []
    for _ in range(RUNS):
        run = confidence.ConfidenceSequence(error=0.05, margin=0.02)
        while run.verdict is confidence.Verdict.UNKNOWN and run.number < MOST_DEALS:
            run.add(rng.choice(values))
        numbers.append(run.number)
    return median(numbers)


def measure(game: AnyGame, count: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each pair of bots and each kind of comparison."""
    greedy = bot_class(f"greedy-{game.id}")
    for name, other in (("random", bot_class("random")), ("careless", careless(greedy))):
        for opponents in (1, 0):
            plan = plan_for(game, game.default_parameters, opponents=opponents, seats=SEATS)
            bots = {NEW: greedy, OLD: other, FIRST_OPPONENT: greedy}
            deals = list(play_deals(plan, bots, count))
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
                **{f"deals for {shift}": deals_needed(differences, shift) for shift in SHIFTS},
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
