"""How often do the intervals of strengths and ranks cover the truth?

Leagues are simulated by numpy: every result is drawn from true strengths, in several kinds of
leagues. For each kind: the share of 95 % intervals of a strength that contain the truth (relative
to the bots whose mean is 25), the share that say "at least" or "at most" only, the share of
intervals of a rank that contain the true one, the mean chance to be first of the leaders, and how
often they are first.

`scripts/bench coverage [--leagues NUMBER] [--seed NUMBER] [KIND ...] [--json]`; a standard error is
at most √(p (1 − p) / leagues), and about a third of that for fields of twelve.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from figures import print_figures

from arena.indices import VersionId
from leaderboard.strength.league import VersionStrength, describe_sums
from leaderboard.strength.sums import LeagueSums, SeatPlace, deal_results

BETA = 25 / 6
SEATS = 4
TEAMS = (0, 1, 0, 1)
Array = np.ndarray


class Kind(NamedTuple):
    """A kind of league; variances and distances are in units of β² and β."""

    bots: int = 12
    deals: int = 33
    """For each bot."""
    spread: float = 1.0
    """The standard deviation of strengths."""
    luck: float = 0.3
    """The share of luck that belongs to a hand of a deal."""
    style: float = 0.3
    """What a bot has in common in all rotations of a deal."""
    ties: float = 0.0
    """Closer results are ties."""
    teams: bool = False
    groups: int = 1
    """Groups without a common table."""
    gap: float = 0.0
    """Between neighbouring groups."""
    bridges: int = 0
    """Deals with half a table of each of two groups."""
    extreme: float = 0.0
    """How far the first bot is above the mean of the others; it plays six deals."""
    cycle: float = 0.0
    """How much each bot gains against the next third of the field, and loses to the last."""


KINDS = {
    "luck 0": Kind(luck=0, style=0),
    "luck 0, style 0.3": Kind(luck=0),
    "luck 0.3": Kind(style=0),
    "luck 0.3, style 0.3": Kind(),
    "luck 0.8": Kind(luck=0.8, style=0),
    "luck 0.8, style 0.3": Kind(luck=0.8),
    "teams of two": Kind(teams=True),
    "ties": Kind(ties=0.7),
    "32 bots": Kind(bots=32),
    "32 bots, luck 0.8": Kind(bots=32, luck=0.8),
    "2 groups, gap 3 β": Kind(groups=2, gap=3),
    "2 groups, 1 common deal": Kind(groups=2, gap=3, bridges=1),
    "2 groups, 5 common deals": Kind(groups=2, gap=3, bridges=5),
    "3 groups, gap 1 β": Kind(groups=3, gap=1),
    "one 5 β above, 6 deals": Kind(extreme=5),
    "one 5 β below, 6 deals": Kind(extreme=-5),
    "spread 2 β": Kind(spread=2),
    "spread 4 β": Kind(spread=4),
    "spread 4 β, 10 deals": Kind(spread=4, deals=10),
    "10 deals": Kind(deals=10),
    "4 bots": Kind(bots=4, deals=20),
    "cycles": Kind(cycle=1.0, spread=0.3),
}


def tables_of(kind: Kind, rng: np.random.Generator) -> Iterator[Array]:
    """Yield the table of each deal."""
    size = kind.bots // kind.groups
    for group in range(kind.groups):
        members = np.arange(group * size, (group + 1) * size)
        if kind.extreme and not group:
            members = members[1:]
        for _ in range(kind.deals * size // SEATS):
            yield rng.permutation(members)[:SEATS]
    for _ in range(kind.bridges):
        half = SEATS // 2
        groups = rng.permutation(kind.groups)[:2]
        yield np.concatenate([group * size + rng.permutation(size)[:half] for group in groups])
    if kind.extreme:
        for _ in range(6):
            yield np.concatenate([[0], 1 + rng.permutation(kind.bots - 1)[: SEATS - 1]])


def play(kind: Kind, truth: Array, table: Array, rng: np.random.Generator) -> list[list[SeatPlace]]:
    """Play a deal in every rotation."""
    unit = BETA / np.sqrt(1 + kind.style)
    hands = rng.normal(0, np.sqrt(kind.luck) * unit, SEATS)
    styles = rng.normal(0, np.sqrt(kind.style) * unit, SEATS)
    third = table * 3 // kind.bots
    beats = np.sign((third[None, :] - third[:, None] + 1) % 3 - 1)
    styles = styles + kind.cycle * BETA * beats.mean(axis=1)
    matches = []
    for rotation in range(SEATS):
        order = np.roll(np.arange(SEATS), rotation)
        noise = rng.normal(0, np.sqrt(1 - kind.luck) * unit, SEATS)
        results = truth[table[order]] + styles[order] + hands + noise
        sides = np.arange(SEATS)
        if kind.teams:
            sides = np.array(TEAMS)
            results = np.array([results[sides == side].sum() for side in sides])
        if kind.ties:
            results = np.round(results / (kind.ties * BETA))
        matches.append(
            [
                SeatPlace(VersionId(int(bot)), int(side), 1 + int((results > result).sum()))
                for bot, side, result in zip(table[order], sides, results, strict=True)
            ]
        )
    return matches


def truth_of(kind: Kind, rng: np.random.Generator) -> Array:
    """Draw the strengths of a league."""
    truth = rng.normal(0, kind.spread * BETA, kind.bots)
    truth += np.arange(kind.bots) * kind.groups // kind.bots * kind.gap * BETA
    if kind.extreme:
        truth[0] = truth[1:].mean() + kind.extreme * BETA
    return truth


class Count(NamedTuple):
    """What was counted in one league; means over its bots."""

    covered: float
    open: float
    ranked: float
    first: float
    is_first: float
    extreme: float
    """Whether the first bot is covered."""


def measure(truth: Array, lines: list[VersionStrength]) -> Count:
    """Compare what is said of a league with the truth."""
    covered, opened, ranked, first, is_first = [], [], [], [], []
    for group in {line.group_number for line in lines}:
        own = [line for line in lines if line.group_number == group]
        # Those whose interval has two ends have the mean 25.
        centre = [line for line in own if None not in (line.low, line.high)] or own
        zero = np.mean([truth[line.version] for line in centre])
        order = sorted((line.version for line in own), key=lambda bot: -truth[bot])
        for line in own:
            value = truth[line.version] - zero + 25
            low = -np.inf if line.low is None else line.low
            high = np.inf if line.high is None else line.high
            covered.append(low <= value <= high)
            opened.append(None in (line.low, line.high))
            rank = order.index(line.version) + 1
            ranked.append((line.best_rank or 1) <= rank <= (line.worst_rank or 1))
        leader = max(own, key=lambda line: line.chance_first or 0.0)
        first.append(leader.chance_first or 0.0)
        is_first.append(leader.version == order[0])
    return Count(
        covered=float(np.mean(covered)),
        open=float(np.mean(opened)),
        ranked=float(np.mean(ranked)),
        first=float(np.mean(first)),
        is_first=float(np.mean(is_first)),
        extreme=float(covered[0]),
    )


def leagues(kind: Kind, number: int, seed: int) -> Iterator[Count]:
    """Simulate leagues of a kind."""
    for league in range(number):
        rng = np.random.default_rng([seed, league, *map(int, np.array(kind[:3]) * 100)])
        truth = truth_of(kind, rng)
        deals = (deal_results(play(kind, truth, table, rng)) for table in tables_of(kind, rng))
        sums = LeagueSums.of(deals)
        if kind.teams:
            # A partner's strength and luck are luck to a bot: gaps count for less.
            truth = truth / np.sqrt(2 + truth.var() / BETA**2)
        yield measure(truth, describe_sums(sums, sums.versions()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", default=[])
    parser.add_argument("--leagues", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261119)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {}
    for name in options.kinds or KINDS:
        counts = np.array(list(leagues(KINDS[name], options.leagues, options.seed)))
        error = counts[:, 0].std() / np.sqrt(len(counts))
        values = [*counts.mean(axis=0), error]
        names = [*Count._fields, "error of covered"]
        figures[name] = dict(zip(names, (round(float(value), 3) for value in values), strict=True))
    print_figures(figures)
