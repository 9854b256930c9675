"""Who beats whom, where a single number per bot does not say it.

For each pair of opponents there are two questions: who finishes ahead in more than half of their
matches, and is that what their strengths predict? Both are tested with the deal as the unit, and
the probabilities are corrected for the number of pairs. If certain results form a cycle (one beats
another, who beats a third, who beats the first), no order of the bots is true. Then the mix of bots
that nobody beats on average says more than ranks: the Nash average of the game of choosing a bot.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from arena.errors import ArenaError
from arena.indices import VersionId
from leaderboard.bots import all_versions
from leaderboard.collusion.residuals import PairSurplus, expected_share
from leaderboard.collusion.search import LEAST_DEALS, LEVEL, holm, score_of, tail
from leaderboard.store import Reader
from leaderboard.strength.connections import bounds_of, parts_of
from leaderboard.strength.fit import fit_strengths
from leaderboard.strength.league import EVENT_VERSIONS, variant_sums
from leaderboard.strength.matrix import dot
from leaderboard.strength.sums import LeagueSums, Pair

LEAST_SURPRISE = 0.05
"""A share of matches; smaller differences from what strengths predict do not mislead."""
_STEPS = 1000
_LEAST_PART = 0.005
_MOST_NAMED = 3


class PairShare(NamedTuple):
    """How often one version finishes ahead of another."""

    first: VersionId
    second: VersionId
    share: float
    """Of their matches; a tie counts half."""
    expected: float
    """The share that their strengths predict."""


class WhoBeatsWhom(NamedTuple):
    """What the results of pairs say, beyond strengths."""

    pairs: int
    """How many pairs have enough deals to be tested."""
    cycle: tuple[PairShare, ...]
    """A shortest cycle of certain results; empty if there is none."""
    members: frozenset[VersionId]
    """All versions that are in a cycle."""
    surprises: tuple[PairShare, ...]
    """Results that are certainly better for the first than its strength predicts, by evidence."""
    mix: dict[VersionId, float]
    """The part of each version in the mix that nobody beats; empty without a cycle."""

    def sentences(self, names: Mapping[VersionId, str]) -> list[str]:
        """Say what strengths do not; nothing if no pair could be tested."""
        if not self.pairs:
            return []
        found = ["No cycle is certain: one order can explain who beats whom."]
        if self.cycle:
            steps = "; ".join(
                f"{names[each.first]} finishes ahead of {names[each.second]} in {each.share:.0%}"
                for each in self.cycle
            )
            parts = sorted(self.mix.items(), key=lambda part: -part[1])
            mix = ", ".join(f"{names[version]} {part:.0%}" for version, part in parts)
            found = [
                f"A cycle, so no order is true: {steps} of their matches, each certainly more than "
                f"half. On average nobody beats this mix: {mix}."
            ]
        if self.surprises:
            listed = "; ".join(
                f"{names[each.first]} finishes ahead of {names[each.second]} in {each.share:.0%} "
                f"of matches, not in {each.expected:.0%}"
                for each in self.surprises[:_MOST_NAMED]
            )
            more = len(self.surprises) - _MOST_NAMED
            listed += f"; and {more} more" if more > 0 else ""
            found.append(f"Strengths mislead where bots suit each other: {listed}.")
        return found


NOTHING = WhoBeatsWhom(0, (), frozenset(), (), {})


def cycles_in(reader: Reader, variant: int) -> WhoBeatsWhom:
    """Test the results of a variant; large ones, whose test takes long, are left out."""
    sums = variant_sums(reader, variant)
    return NOTHING if len(sums.versions()) > EVENT_VERSIONS else who_beats_whom(sums)


def cycle_sentences(reader: Reader, variant: int) -> list[str]:
    """Say what the results of pairs say beyond strengths, with the names of bots."""
    try:
        found = cycles_in(reader, variant)
        return found.sentences({each.id: str(each) for each in all_versions(reader)})
    except (ArenaError, ArithmeticError, LookupError, ValueError):
        return []  # a damaged file, or a game that is not installed: `arena verify` says so


def who_beats_whom(sums: LeagueSums) -> WhoBeatsWhom:
    """Test the results of all pairs of opponents."""
    strengths = fit_strengths(sums)
    shares = _shares(sums)
    tested = {pair: each for pair, each in shares.items() if each.deals >= LEAST_DEALS}
    results = {}
    for (one, other), each in tested.items():
        expected = expected_share(strengths, one, other)
        results[one, other] = PairShare(one, other, each.mean, expected)
        results[other, one] = PairShare(other, one, 1 - each.mean, 1 - expected)
    beats: defaultdict[VersionId, set[VersionId]] = defaultdict(set)
    loses: defaultdict[VersionId, set[VersionId]] = defaultdict(set)
    for one, other in _certain(tested, dict.fromkeys(tested, 0.5)):
        beats[one].add(other)
        loses[other].add(one)
    parts = [part for part in parts_of(strengths, beats, loses) if len(part) > 1]
    predicted = {pair: results[pair].expected for pair in tested}
    surprises = [
        results[pair]
        for pair in _certain(tested, predicted)
        if results[pair].share - results[pair].expected >= LEAST_SURPRISE
    ]
    members: frozenset[VersionId] = frozenset().union(*parts)
    cycle = _shortest_cycle(members, beats)
    mix = {}
    if cycle:
        met = {pair: result.share for pair, result in results.items()}
        group = bounds_of(sums.pairs())
        comparable = [each for each in group if group[each].group == group[cycle[0]].group]
        mix = _nash_average(comparable, met, strengths)
    return WhoBeatsWhom(
        len(tested),
        tuple(results[pair] for pair in pairwise(cycle)),
        members,
        tuple(surprises),
        mix,
    )


def _shares(sums: LeagueSums) -> dict[Pair, PairSurplus]:
    """Add up the share of each pair: the points per match of the first."""
    found: dict[Pair, PairSurplus] = {}
    for table, each in sums.tables.items():
        at = 0
        for number, (pair, matches) in enumerate(zip(table.pairs, table.matches, strict=True)):
            at += number  # the square of a pair comes last of its products
            score = each.scores[number] / (2 * matches)
            square = each.products[at + number] / (2 * matches) ** 2
            found.setdefault(pair, PairSurplus()).add(each.deals, matches, score, square)
    return found


def _certain(tested: Mapping[Pair, PairSurplus], compared: Mapping[Pair, float]) -> Iterator[Pair]:
    """Yield the pairs whose first certainly has a larger share than this, the surest first."""
    tests = []
    for pair, each in tested.items():
        score = score_of(_surplus(each, compared[pair]))
        tests += [(pair, tail(score)), (pair[::-1], tail(-score))]
    chances = holm([chance for _, chance in tests])
    for (pair, _), chance in sorted(zip(tests, chances, strict=True), key=lambda each: each[0][1]):
        if chance <= LEVEL:
            yield pair


def _surplus(share: PairSurplus, value: float) -> PairSurplus:
    """Return how much a share is above a value, with two more deals, one won and one lost.

    Results that are all the same would otherwise seem to have no error at all.
    """
    more = replace(share)
    matches = round(share.matches / share.deals)
    more.add(1, matches, 0.0, 0.0)
    more.add(1, matches, 1.0, 1.0)
    more.squares += value * (value * more.weights - 2 * more.products)
    more.products -= value * more.weights
    more.total -= value * more.matches
    return more


def _shortest_cycle(
    members: frozenset[VersionId], beats: Mapping[VersionId, Set[VersionId]]
) -> list[VersionId]:
    """Return a shortest way back to its start, which is both ends; empty if there is none."""
    best: list[VersionId] = []
    for start in sorted(members):
        ways = [[start]]
        for way in ways:
            if best and len(way) + 1 >= len(best):
                break
            for each in sorted(beats[way[-1]] & members):
                if each == start:  # ways grow longer: the first one back is a shortest
                    best = [*way, start]
                elif not any(each in other for other in ways):
                    ways.append([*way, each])
    return best


def _nash_average(
    versions: Iterable[VersionId], shares: Mapping[Pair, float], expected: Mapping[VersionId, float]
) -> dict[VersionId, float]:
    """Return the mix of versions that no version beats on average.

    Two players choose a bot each, again and again, in proportion to their regrets (regret
    matching+); the mean of their choices comes close to the balance of this game.
    """
    order = list(versions)
    gains = [
        [
            0.0
            if one == other
            else shares.get((one, other), expected_share(expected, one, other)) - 0.5
            for other in order
        ]
        for one in order
    ]
    regrets, total = [1.0] * len(order), [0.0] * len(order)
    for step in range(1, _STEPS + 1):
        whole = fsum(regrets)
        mix = [regret / whole for regret in regrets]
        total = [before + step * part for before, part in zip(total, mix, strict=True)]
        # The game is fair: whoever plays the same mix as the other gains nothing.
        regrets = [
            max(0.0, regret + dot(row, mix)) for regret, row in zip(regrets, gains, strict=True)
        ]
    whole = fsum(total)
    return {
        version: part / whole
        for version, part in zip(order, total, strict=True)
        if part / whole >= _LEAST_PART
    }
