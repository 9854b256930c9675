"""How many matches does a comparison need, and how many would the best test need?

Compares the greedy bot with a careless version of it, which plays one decision in ten at random, in
MEOW and Trio: with three greedy bots, and two against two. The deals are played in this process, in
every rotation of the seats. Then each method draws from their differences until it has a verdict.
All numbers are matches, means over many runs:

- `now`: `arena compare`, which plays a deal in one rotation: two matches;
- `before`: the first version of `arena compare`, which played a deal in all rotations, and whose
  gamblers started with the same capital;
- `floor`: what any test needs that holds for all distributions between -1 and 1, with differences
  of two matches. It is log(2 / error) divided by the largest mean of log(1 + stake * difference)
  over all stakes up to 1 (also known as KL-inf);
- `floor_whole`: the same, with differences of all rotations;
- `t`: the e-value of the t-test, with differences of all rotations and the best of three priors.
  It holds for normal distributions only.

`ratio` is `now` relative to `t`. More rows shift the differences to a mean of 0.05, 0.025 and 0,
and compare versions that hardly differ: one decision in a hundred is careless. Where the usual
verdict is "no difference", which the t-test does not have, only `now` and `before` are given.

The second table has values with mean zero. It shows how often each method finds a difference
there, which the error allows in 5 % of the runs. The last line is the processor time for adding a
value and looking at the verdict.

`scripts/bench compare [--deals NUMBER] [--json]` takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import log, log1p
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Protocol

sys.path.append(str(Path(__file__).parents[2]))

from duplicates import CARELESS, SEATS, careless, play_deals

from arena.compare.confidence import ConfidenceSequence, Verdict
from arena.compare.plan import FIRST_OPPONENT, NEW, OLD, plan_for
from arena.games.registry import game_named
from tests.bots.inprocess import bot_class
from tests.compare.even_values import EVEN, Draw

DEALS = 500
ERROR = 0.05
MARGIN = 0.02
ENOUGH = log(2 / ERROR)
SHIFTS = (None, 0.05, 0.025, 0.0)
RUNS, SHIFTED_RUNS = 1000, 100
EVEN_RUNS, EVEN_VALUES = 500, 300
PRIORS = (0.1, 0.3, 1.0)
"""Variances of the effect size, in standard deviations."""
MOST = 20_000


class Method(Protocol):
    """A test that is looked at after every value."""

    def add(self, value: float) -> None:
        """Add a value."""

    @property
    def verdict(self) -> Verdict:
        """The verdict so far."""


class EqualCapital:
    """The method before: six gamblers with the same capital for each side and threshold."""

    def __init__(self) -> None:
        """Start with a capital of 1 for each bet."""
        self._bets = [(0.0, 1), (0.0, -1), (-MARGIN, 1), (MARGIN, -1)]
        self._capitals = [[1 / 6] * 6 for _ in self._bets]

    def add(self, value: float) -> None:
        """Settle all bets."""
        for (threshold, side), capitals in zip(self._bets, self._capitals, strict=True):
            gain = side * (value - threshold) / (1 + side * threshold)
            for index in range(6):
                capitals[index] *= 1 + 0.96 / 2**index * gain

    @property
    def verdict(self) -> Verdict:
        """The verdict so far."""
        above, below, not_below, not_above = (
            sum(capitals) >= 2 / ERROR for capitals in self._capitals
        )
        if above or below:
            return Verdict.BETTER if above else Verdict.WORSE
        return Verdict.NO_DIFFERENCE if not_below and not_above else Verdict.UNKNOWN


class TValue:
    """The e-value of the t-test, for a normally distributed effect size."""

    def __init__(self, prior: float) -> None:
        """Take the variance of the effect size."""
        self._prior = prior
        self._number, self._sum, self._squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        """Add a value."""
        self._number += 1
        self._sum += value
        self._squares += value * value

    @property
    def verdict(self) -> Verdict:
        """The verdict so far; it never finds that there is no difference."""
        if self._number < 2 or not self._squares:
            return Verdict.UNKNOWN
        more = 1 + self._number * self._prior
        explained = self._prior / more * self._sum**2 / self._squares
        if -log(more) / 2 - self._number / 2 * log1p(-explained) < log(1 / ERROR):
            return Verdict.UNKNOWN
        return Verdict.BETTER if self._sum > 0 else Verdict.WORSE


def now() -> Method:
    """Return the method of `arena compare`."""
    return ConfidenceSequence(error=ERROR, margin=MARGIN)


def shifted(values: Sequence[float], shift: float) -> list[float]:
    """Shift values, within -1 and 1."""
    return [min(1.0, max(-1.0, value + shift)) for value in values]


def run(method: Method, draw: Callable[[], float], most: int) -> int:
    """Add values until there is a verdict; return their number."""
    for number in range(most):
        if method.verdict is not Verdict.UNKNOWN:
            return number
        method.add(draw())
    return most


def values_needed(make: Callable[[], Method], values: Sequence[float], runs: int) -> float:
    """Return the mean number of values until the verdict."""
    rng = Random(1)
    return fmean(run(make(), lambda: rng.choice(values), MOST) for _ in range(runs))


def floor(values: Sequence[float]) -> float:
    """Return how many values any test needs that holds for all distributions."""

    def growth(stake: float) -> float:
        return fmean(log1p(stake * value) for value in values)

    low, high = 0.0, 1 - 1e-9
    for _ in range(60):  # the growth is concave: narrow the range in which the best stake lies
        one, other = (2 * low + high) / 3, (low + 2 * high) / 3
        low, high = (one, high) if growth(one) < growth(other) else (low, other)
    return ENOUGH / growth(low)


def play(game_id: str, opponents: int, share: float, deals: int) -> list[list[float]]:
    """Play deals; return what each match of a deal adds to its difference."""
    game = game_named(game_id)
    greedy = bot_class(f"greedy-{game_id}")
    plan = plan_for(game, game.default_parameters, opponents=opponents, seats=SEATS)
    bots = {NEW: greedy, OLD: careless(greedy, share), FIRST_OPPONENT: greedy}
    return [list(map(float, deal)) for deal in play_deals(plan, bots, deals)]


def measure(game_id: str, opponents: int, share: float, deals: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of a setting."""
    played = play(game_id, opponents, share, deals)
    matches = len(played[0])
    whole = [sum(deal) for deal in played]
    # The two matches of a rotation are neighbours.
    single = [
        matches / 2 * (deal[index] + deal[index + 1])
        for deal in played
        for index in range(0, matches, 2)
    ]
    for target in SHIFTS if share == CARELESS else (None,):
        shift = 0.0 if target is None else target - fmean(whole)
        yield {
            "game": game_id,
            "against": "3 greedy" if opponents else "each other",
            "careless": share,
            "mean": round(fmean(whole) + shift, 3),
            **matches_needed(
                shifted(single, shift),
                shifted(whole, shift),
                matches,
                runs=RUNS if target is None else SHIFTED_RUNS,
                is_different=share == CARELESS and target != 0,
            ),
        }


def matches_needed(
    single: Sequence[float], whole: Sequence[float], matches: int, *, runs: int, is_different: bool
) -> dict[str, float]:
    """Return the matches that each method needs, given differences of one and of all rotations."""
    compared = 2 * values_needed(now, single, runs)
    before = matches * values_needed(EqualCapital, whole, runs)
    if not is_different:
        return {"now": round(compared), "before": round(before)}
    t = matches * min(values_needed(partial(TValue, prior), whole, runs) for prior in PRIORS)
    return {
        "now": round(compared),
        "before": round(before),
        "floor": round(2 * floor(single)),
        "floor_whole": round(matches * floor(whole)),
        "t": round(t),
        "ratio": round(compared / t, 2),
    }


def false_verdicts() -> Iterator[dict[str, Any]]:
    """Yield how often each method finds a difference where there is none."""
    methods: dict[str, Callable[[], Method]] = {
        "now": now,
        "before": EqualCapital,
        "t": partial(TValue, PRIORS[1]),
    }
    for name, draw in EVEN.items():
        shares = {title: false_share(make, draw) for title, make in methods.items()}
        yield {"values": name, **shares}


def false_share(make: Callable[[], Method], draw: Draw) -> float:
    """Return the share of runs that find a difference in values with mean zero."""
    rng = Random(1)
    wrong = 0
    for _ in range(EVEN_RUNS):
        method = make()
        run(method, lambda: draw(rng), EVEN_VALUES)
        wrong += method.verdict in (Verdict.BETTER, Verdict.WORSE)
    return wrong / EVEN_RUNS


def microseconds() -> float:
    """Return the processor time for adding a value and looking at the verdict."""
    sequence = ConfidenceSequence(error=ERROR, margin=MARGIN)
    rng = Random(1)
    count = 20_000
    before = time.process_time()
    for _ in range(count):
        sequence.add(rng.choice((-0.5, 0.0, 0.5)))
        _ = sequence.verdict
    return round(1e6 * (time.process_time() - before) / count, 1)


def collect(rows: Iterator[dict[str, Any]], *, show: bool) -> list[dict[str, Any]]:
    """Return the rows, and print each as soon as it is known."""
    found: list[dict[str, Any]] = []
    for row in rows:
        if show:
            if not found:
                print("  ".join(f"{heading:>12}" for heading in row))
            print("  ".join(f"{value!s:>12}" for value in row.values()))
            sys.stdout.flush()
        found.append(row)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    settings = [
        *[(game, opponents, CARELESS) for opponents in (1, 0) for game in ("meow", "trio")],
        *[(game, 1, 0.01) for game in ("meow", "trio")],
    ]
    rows = (row for setting in settings for row in measure(*setting, options.deals))
    needed = collect(rows, show=not options.json)
    wrong = collect(false_verdicts(), show=not options.json)
    if options.json:
        tables = {"matches": needed, "false_verdicts": wrong, "microseconds": microseconds()}
        print(json.dumps(tables, indent=2))
    else:
        print(f"{microseconds()} µs for each value")
