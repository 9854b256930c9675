"""Find the pairs that no rating explains, one after another.

Strong collusion also moves the strengths of the two, and of those who sit with them, so innocent
pairs can look guilty beside a guilty one. Therefore only the pair with the strongest evidence is
named; then the strengths are fitted again without its tables, and the search goes on with the rest.

A score is a mean divided by its standard error, brought to the scale of the normal distribution.
Strengths never explain everything: some bots just suit each other. If the scores of all pairs
spread more than chance would make them, that spread is the yardstick for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import log1p, sqrt
from statistics import NormalDist, median
from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.collusion.residuals import (
    PairSurplus,
    Pattern,
    Surpluses,
    prediction_variance,
    surpluses_of,
)
from leaderboard.strength.distributions import normal_share, student_quantile
from leaderboard.strength.fit import fit_strengths
from leaderboard.strength.strengths import Strengths, strengths_of
from leaderboard.strength.sums import LeagueSums, Pair

LEVEL = 0.05
"""A pair is named if its corrected probability by chance is at most this."""
LEAST_EFFECT = 0.03
"""In points per match: less than this would not be worth colluding for."""
LEAST_DEALS = 10
"""A pair is tested if it has this many deals together, and each bot as many without the other."""
_POWER = NormalDist().inv_cdf(0.95)
_MEDIAN_SIZE = NormalDist().inv_cdf(0.75)
"""The median distance of a normal number from 0."""


class SuspectPair(NamedTuple):
    """Two versions whose results together no rating explains."""

    pattern: Pattern
    first: VersionId
    """In a transfer, the one that gives."""
    second: VersionId
    effect: float
    """In points per match: the mean of what one gives and the other gets, or of what both get."""
    low: float
    high: float
    """The ends of the 95 % interval for the effect."""
    chance: float
    """The probability of such results without collusion, corrected for the number of pairs."""
    deals: int
    matches: int
    """Those in which both sat at one table."""


class CollusionSearch(NamedTuple):
    """What a search found, and how much it could have found."""

    suspects: tuple[SuspectPair, ...]
    """The strongest evidence first."""
    pairs: int
    """How many pairs were tested."""
    untested: int
    """How many have too few deals, together or apart."""
    detectable: float | None
    """The effect that would be found in 95 % of such leagues; None if no pair was tested."""


class _Test(NamedTuple):
    """Something that a pair might do, and the score for it."""

    pattern: Pattern
    first: VersionId
    second: VersionId
    surplus: PairSurplus
    effect: float
    score: float
    """Relative to the spread of all scores."""


def find_collusion(sums: LeagueSums) -> CollusionSearch:
    """Search all pairs that met at the tables of a league."""
    left = sums
    tests = list(_tests(left))
    pairs = {_pair(test.first, test.second) for test in tests}
    detectable = _detectable(left, tests)
    found: list[tuple[_Test, float]] = []
    while suspect := _strongest(tests):
        found.append(suspect)
        guilty = _pair(suspect[0].first, suspect[0].second)
        tables = {each: of for each, of in left.tables.items() if guilty not in each.pairs}
        left = LeagueSums(tables)
        tests = list(_tests(left))
    suspects = _measure_all(sums, left, found) if found else ()
    return CollusionSearch(suspects, len(pairs), len(sums.pairs()) - len(pairs), detectable)


def _pair(one: VersionId, other: VersionId) -> Pair:
    return (one, other) if one < other else (other, one)


def _tests(sums: LeagueSums) -> Iterator[_Test]:
    """Yield everything that each pair might do, with its score."""
    surpluses = _testable(sums, surpluses_of(sums.tables.items(), fit_strengths(sums)))
    for pattern in Pattern:
        scores = {
            pair: score_of(surplus)
            for (each, pair), surplus in surpluses.items()
            if each is pattern
        }
        spread = null_spread(scores.values())
        for (one, other), score in scores.items():
            surplus = surpluses[pattern, (one, other)]
            mean, relative = surplus.mean, score / spread
            yield _Test(pattern, one, other, surplus, mean, relative)
            if pattern is Pattern.TRANSFER:
                yield _Test(pattern, other, one, surplus, -mean, -relative)


def _testable(sums: LeagueSums, surpluses: Surpluses) -> Surpluses:
    """Leave out pairs with too few deals, together or apart."""
    deals = sums.deals_by_version()
    return {
        (pattern, pair): surplus
        for (pattern, pair), surplus in surpluses.items()
        if surplus.deals >= LEAST_DEALS
        and min(deals[version] for version in pair) - surplus.deals >= LEAST_DEALS
    }


def _strongest(tests: list[_Test]) -> tuple[_Test, float] | None:
    """Return the test with the strongest evidence and its corrected probability, if it counts."""
    chances = holm([tail(test.score) for test in tests])
    counting = [
        (test, chance)
        for test, chance in zip(tests, chances, strict=True)
        if chance <= LEVEL and test.effect >= LEAST_EFFECT
    ]
    return max(counting, key=lambda each: each[0].score, default=None)


def _measure_all(
    sums: LeagueSums, left: LeagueSums, found: list[tuple[_Test, float]]
) -> tuple[SuspectPair, ...]:
    """Measure the effects against strengths that were fitted to the tables without suspects."""
    strengths = strengths_of(left)
    return tuple(_measure(sums, strengths, test, chance) for test, chance in found)


def _measure(sums: LeagueSums, strengths: Strengths, test: _Test, chance: float) -> SuspectPair:
    pair = _pair(test.first, test.second)
    known = set(strengths.versions)
    tables = [
        (table, of_table)
        for table, of_table in sums.tables.items()
        if pair in table.pairs and known.issuperset(table.versions)
    ]
    surplus, variance = test.surplus, 0.0
    if sum(of_table.deals for _, of_table in tables) >= LEAST_DEALS:
        by_version = dict(zip(strengths.versions, strengths.strengths, strict=True))
        surplus = surpluses_of(tables, by_version)[test.pattern, pair]
        variance = prediction_variance(tables, strengths, test.pattern, pair)
    effect = surplus.mean if test.first == pair[0] else -surplus.mean
    error = sqrt(surplus.error**2 + variance)
    half = student_quantile(0.975, surplus.deals - 1) * error
    return SuspectPair(
        test.pattern,
        test.first,
        test.second,
        effect,
        effect - half,
        effect + half,
        chance,
        surplus.deals,
        surplus.matches,
    )


def _detectable(sums: LeagueSums, tests: list[_Test]) -> float | None:
    """Return the effect of a transfer that would be found in 95 % of such leagues."""
    transfers = [test for test in tests if test.pattern is Pattern.TRANSFER]
    if not transfers:
        return None
    deals = sums.deals_by_version()
    needed = _POWER - NormalDist().inv_cdf(LEVEL / len(tests))
    sizes = []
    for test in transfers:
        # The strengths take part of an effect for weakness and strength: the more, the more
        # often the two sit together.
        together = test.surplus.deals * sum(1 / deals[each] for each in (test.first, test.second))
        error = test.effect / test.score if test.score else test.surplus.error
        sizes.append(needed * error / (1 - together / 2))
    return max(LEAST_EFFECT, median(sizes))


def score_of(surplus: PairSurplus) -> float:
    """Return the score of a mean surplus: Student's t, as far from 0 as a normal number.

    The transformation of Wallace, which is within 0.2 % for ten deals and more.
    """
    if not surplus.error:
        return 0.0
    degrees = surplus.deals - 1
    t = surplus.mean / surplus.error
    size = (8 * degrees + 1) / (8 * degrees + 3) * sqrt(degrees * log1p(t * t / degrees))
    return size if t > 0 else -size


def null_spread(scores: Iterable[float]) -> float:
    """Return the standard deviation of the scores of innocent pairs, at least 1.

    It is estimated from the median, which a few guilty pairs do not move.
    """
    sizes = [abs(score) for score in scores]
    return max(1.0, median(sizes) / _MEDIAN_SIZE) if sizes else 1.0


def tail(score: float) -> float:
    """Return the probability that a normal number is larger than this score."""
    return normal_share(-score)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Correct probabilities for their number, by the method of Holm.

    The chance that any innocent pair gets a corrected value of 5 % or less is at most 5 %.
    """
    count = len(probabilities)
    corrected = [1.0] * count
    highest = 0.0
    for rank, at in enumerate(sorted(range(count), key=probabilities.__getitem__)):
        highest = max(highest, min(1.0, (count - rank) * probabilities[at]))
        corrected[at] = highest
    return corrected
