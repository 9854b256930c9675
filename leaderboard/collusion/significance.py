"""Whether a surplus is more than chance, given how all pairs spread and how many there are.

A score is a mean divided by its standard error, brought to the scale of the normal distribution.
Strengths never explain everything: some bots just suit each other. If the scores of all pairs
spread more than chance would make them, that spread is the yardstick for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log1p, sqrt
from statistics import NormalDist, median

from leaderboard.collusion.residuals import PairSurplus
from leaderboard.strength.distributions import normal_share

_MEDIAN_SIZE = NormalDist().inv_cdf(0.75)
"""The median distance of a normal number from 0."""


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
