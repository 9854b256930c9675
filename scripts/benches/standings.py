"""Which standings of a Swiss event find the stronger bots, and do its pairings help?

Simulates events of three kinds with the same number of rounds: Swiss, random tables, round-robin.
Skills are normal with deviation 1. In each match a bot performs by its skill plus luck, and the
better performance is ahead. A pairing plays one deal, in every rotation of the seats.

The figures are Spearman's rank correlations of a standing with the skills, the mean over events:

- points: the points, and then the points of the opponents (the first tie-break);
- adjusted: points + the mean points of the opponents, as `leaderboard.standings` ranks;
- quarter: points + a quarter of the opponents' points, added up over the rounds;
- rating: the skills that make the results of pairs most probable (probit, with the true prior).

`by adjusted` is a Swiss event whose rounds are paired by that standing too.

`scripts/bench standings [--events NUMBER] [--luck NUMBER] [--bots NUMBER] [--json]`
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import erf, exp, pi, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

from arena.games.randomness import seed_from
from arena.indices import EntrantIndex
from arena.scheduling.pairing import Bye, Pairing
from arena.scheduling.round_robin import round_robin
from arena.scheduling.swiss import History, Played, default_rounds, swiss_round
from arena.scheduling.table_sizes import table_sizes

FIELDS = {16: 60, 64: 20, 200: 6}
"""Number of events to simulate, by size of the field."""
SEATS = (2, 3, 4, 5)
SIZES = range(2, 7)
LUCK = 1.0
"""The deviation of luck, where that of skill is 1."""
PLACES = 240
"""Scores by which a round is paired are rounded to this fraction of a point."""
Standing = list[float]


class Event:
    """A simulated event."""

    def __init__(self, skills: Sequence[float], luck: float, rng: Random) -> None:
        """Start before the first round."""
        self._skills, self._luck, self._rng = skills, luck, rng
        self.history = History()
        self._tables: list[list[Sequence[int]]] = [[] for _ in skills]
        """By entrant, the opponents of each pairing; for a bye, itself."""
        self._points = [0.0] * len(skills)
        self._won: defaultdict[tuple[int, int], int] = defaultdict(int)
        self._met: defaultdict[tuple[int, int], int] = defaultdict(int)

    def play(self, pairings: Sequence[Pairing], byes: Sequence[Bye] = ()) -> None:
        """Play a round."""
        played = tuple(self._play(pairing) for pairing in pairings)
        for bye in byes:
            self._points[bye.entrant] += 1
            self._tables[bye.entrant].append([bye.entrant])
        self.history = History(self.history.played + played, self.history.byes + tuple(byes))

    def _play(self, pairing: Pairing) -> Played:
        seating = pairing.seating
        beaten = dict.fromkeys(seating, 0)
        for _ in seating:
            performed = {e: self._rng.gauss(self._skills[e], self._luck) for e in seating}
            order = sorted(seating, key=performed.__getitem__)
            for worse, entrant in enumerate(order):
                beaten[entrant] += worse
                for other in order[:worse]:
                    self._won[entrant, other] += 1
        most = len(seating) * (len(seating) - 1)
        for entrant in seating:
            rivals = [other for other in seating if other != entrant]
            self._tables[entrant].append(rivals)
            self._points[entrant] += beaten[entrant] / most
            for other in rivals:
                self._met[entrant, other] += len(seating)
        return Played(pairing, tuple(Fraction(beaten[entrant], most) for entrant in seating))

    def points(self) -> Standing:
        """Return the points."""
        return self._points

    def by_points(self) -> Standing:
        """Return the points, with those of the opponents as a tie-break."""
        return [p + 1e-6 * sum(self._opponents(entrant)) for entrant, p in enumerate(self._points)]

    def _opponents(self, entrant: int) -> list[float]:
        return [fmean(self._points[other] for other in table) for table in self._tables[entrant]]

    def adjusted(self, weight: float = 1.0) -> Standing:
        """Return points + `weight` times the mean points of the opponents."""
        return [
            points + weight * fmean(self._opponents(entrant) or [0.0])
            for entrant, points in enumerate(self._points)
        ]

    def quarter(self) -> Standing:
        """Return points + a quarter of the opponents' points, added up over the rounds."""
        return [p + sum(self._opponents(entrant)) / 4 for entrant, p in enumerate(self._points)]

    def rating(self) -> Standing:
        """Return the most probable skills, found one entrant at a time."""
        results = [
            [(j, self._won[i, j], n) for (one, j), n in self._met.items() if one == i]
            for i in range(len(self._points))
        ]
        skills = [0.0] * len(self._points)
        for _ in range(40):
            steps = []
            for entrant, met in enumerate(results):
                steps.append(self._step(skills, skills[entrant], met))
                skills[entrant] += steps[-1]
            if max(map(abs, steps)) < 0.002:
                break
        return skills

    def _step(
        self, skills: Sequence[float], own: float, met: Sequence[tuple[int, int, int]]
    ) -> float:
        """Return Newton's step for one entrant; met are opponents, matches won and played."""
        scale = sqrt(2) * self._luck
        slope, curvature = -own, 1.0
        for other, won, number in met:
            z = (own - skills[other]) / scale
            ahead = min(max((1 + erf(z / sqrt(2))) / 2, 1e-9), 1 - 1e-9)
            density = exp(-z * z / 2) / sqrt(2 * pi) / scale
            slope += density * (won - number * ahead) / (ahead * (1 - ahead))
            curvature += number * density**2 / (ahead * (1 - ahead))
        return slope / curvature


def play_swiss(event: Event, seats: int, seed: int, score: Callable[[], Standing] | None) -> None:
    """Play a Swiss event, paired by points or by another standing."""
    entrants = len(event.points())
    for _ in range(default_rounds(entrants, seats)):
        history = event.history
        if score is not None and history.played:
            history = _with_scores(history, event.points(), score())
        event.play(
            *swiss_round(
                history, entrants=entrants, seats=seats, allowed_sizes=SIZES, seed=seed_from(seed)
            )
        )


def _with_scores(history: History, points: Standing, scores: Standing) -> History:
    """Change the points of everyone's last pairing, so that the sums are these scores."""
    extra = [
        Fraction(round((score - own) * PLACES), PLACES)
        for own, score in zip(points, scores, strict=True)
    ]
    played = list(history.played)
    for at in reversed(range(len(played))):
        pairing, gained = played[at]
        more = [extra[entrant] for entrant in pairing.seating]
        played[at] = Played(pairing, tuple(g + m for g, m in zip(gained, more, strict=True)))
        for entrant in pairing.seating:
            extra[entrant] = Fraction()
    return History(tuple(played), history.byes)


def play_random(event: Event, seats: int, rng: Random) -> None:
    """Play as many rounds as a Swiss event, at random tables."""
    entrants = len(event.points())
    sizes = table_sizes(entrants, wanted=seats, allowed=SIZES)
    for number in range(1, default_rounds(entrants, seats) + 1):
        field = [EntrantIndex(entrant) for entrant in rng.sample(range(entrants), entrants)]
        first = len(event.history.played)
        tables = []
        for table, size in enumerate(sizes):
            tables.append(Pairing(number, first + table, tuple(field[:size])))
            del field[:size]
        event.play(tables, [Bye(number, entrant) for entrant in field])


def play_round_robin(event: Event, seats: int, seed: int) -> None:
    """Play as many rounds of a round-robin as a Swiss event has."""
    entrants = len(event.points())
    tables = len(table_sizes(entrants, wanted=seats, allowed=SIZES))
    limit = default_rounds(entrants, seats) * tables
    seed_bytes = seed_from(seed)
    event.play(
        list(round_robin(entrants, seats=seats, allowed=SIZES, seed=seed_bytes, limit=limit))
    )


def correlations(entrants: int, seats: int, luck: float, seed: int) -> dict[str, float]:
    """Simulate one event of each kind, with the same bots; return how well each standing did."""
    rng = Random(f"{entrants} {seats} {seed}")
    skills = [rng.gauss(0, 1) for _ in range(entrants)]
    swiss, again, drawn, robin = (Event(skills, luck, rng) for _ in range(4))
    play_swiss(swiss, seats, seed, None)
    play_swiss(again, seats, seed, again.adjusted)
    play_random(drawn, seats, rng)
    play_round_robin(robin, seats, seed)
    standings = {
        "points": swiss.by_points(),
        "adjusted": swiss.adjusted(),
        "quarter": swiss.quarter(),
        "rating": swiss.rating(),
        "by adjusted": again.adjusted(),
        "random": drawn.by_points(),
        "random rating": drawn.rating(),
        "round-robin": robin.by_points(),
        "round-robin rating": robin.rating(),
    }
    return {name: _correlation(standing, skills) for name, standing in standings.items()}


def _correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rank correlation."""
    ones, others = _ranks(one), _ranks(other)
    mean = (len(one) - 1) / 2
    both = sum((a - mean) * (b - mean) for a, b in zip(ones, others, strict=True))
    return both / sqrt(sum((a - mean) ** 2 for a in ones) * sum((b - mean) ** 2 for b in others))


def _ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value; equal values share the mean of their ranks."""
    at: defaultdict[float, list[int]] = defaultdict(list)
    for rank, value in enumerate(sorted(round(value, 9) for value in values)):
        at[value].append(rank)
    return [fmean(at[round(value, 9)]) for value in values]


def measure(fields: dict[int, int], luck: float) -> Iterator[dict[str, Any]]:
    """Yield a row for each size of field and table.

    `error` is the standard error of the difference between adjusted and round-robin.
    """
    for entrants, events in fields.items():
        for seats in SEATS:
            runs = [correlations(entrants, seats, luck, seed) for seed in range(events)]
            apart = [run["adjusted"] - run["round-robin"] for run in runs]
            yield {
                "bots": entrants,
                "seats": seats,
                "rounds": default_rounds(entrants, seats),
                **{name: round(fmean(run[name] for run in runs), 3) for name in runs[0]},
                "error": round(stdev(apart) / sqrt(events), 3),
            }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, help="events of each size of field")
    parser.add_argument("--luck", type=float, default=LUCK)
    parser.add_argument("--bots", type=int, choices=FIELDS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sizes = [options.bots] if options.bots else list(FIELDS)
    rows: list[dict[str, Any]] = []
    for row in measure({n: options.events or FIELDS[n] for n in sizes}, options.luck):
        if not options.json:
            if not rows:
                print("  ".join(f"{name:>7}" for name in row))
            cells = (f"{row[name]:>{max(7, len(name))}}" for name in row)
            print("  ".join(cells), flush=True)
        rows.append(row)
    if options.json:
        print(json.dumps(rows, indent=2))
