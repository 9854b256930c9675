"""Confidence sequences: is a mean positive, negative or near zero, tested after every value?

An ordinary confidence interval is valid for one look at the data. Someone who looks after every
value and stops at a welcome answer will find one by chance. A confidence sequence is valid for all
looks at once. This one comes from betting. To test whether the mean is as low as `m`, bet on larger
values at odds that are fair if the mean is `m`. Then the probability that a capital of 1 ever grows
to 40 is at most 1/40, as long as the values lie between -1 and 1 and are independent. So a capital
of 40 refutes `m` and everything below it, with that risk of error. (Ville's inequality; betting
intervals are due to Waudby-Smith and Ramdas.)

The best stake depends on the unknown mean and spread. So the capital is divided among several
gamblers, each with a constant stake. That costs little, and the final capital does not depend on
the order of the values.

The guarantee holds for any distribution between -1 and 1, and has a price. Even if no value is
below zero so far, one value in a hundred may be -1. Nobody can bet more than everything against
that. So after n values with mean `m` the capital is at most (1 + m) to the power of n, however
little the values vary. bots/README.md shows what this costs.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum
from math import exp, inf, log, log1p
from typing import NamedTuple

_STAKES = tuple(0.98 / 2**power for power in range(6))
"""The share of its capital that each gambler stakes: large ones suit large differences, small ones
differences that are small compared with luck."""
_SHARES = tuple(stake / sum(_STAKES) for stake in _STAKES)
"""The capital that each gambler starts with. It is in proportion to the stake: a gambler with a
small stake needs many values anyway, so that it can make up for a small start."""
_HALVINGS = 24
"""Steps of bisection: the ends of the interval are exact to seven digits."""


class Verdict(Enum):
    """The conclusion about a difference."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no difference worth having"
    UNKNOWN = "not known yet"


class Interval(NamedTuple):
    """The range of the mean, up to the agreed probability of error."""

    low: float
    high: float


class CapitalProcess:
    """The growth of a capital of 1 that is bet on a mean above, or below, a number."""

    __slots__ = ("_logs", "_odds", "_side", "_threshold")

    def __init__(self, threshold: float, *, above: bool) -> None:
        """Bet on a mean above (or below) a number between -1 and 1, exclusive."""
        self._threshold = threshold
        self._side = 1 if above else -1
        self._odds = 1 + self._side * threshold
        self._logs = [0.0] * len(_STAKES)

    def add(self, value: float, times: int = 1) -> None:
        """Settle the bets on a value that occurred `times` times."""
        # At worst the stake is lost: no gambler goes bankrupt.
        gain = self._side * (value - self._threshold) / self._odds
        for index, stake in enumerate(_STAKES):
            self._logs[index] += times * log1p(stake * gain)

    @property
    def capital(self) -> float:
        """The logarithm of the capital of all gamblers together."""
        most = max(self._logs)
        shares = zip(_SHARES, self._logs, strict=True)
        return most + log(sum([share * exp(one - most) for share, one in shares]))

    @property
    def best(self) -> float:
        """The logarithm of the best gambler's capital, from a start of 1."""
        return max(self._logs)


class ConfidenceSequence:
    """What is known about a mean after some values between -1 and 1.

    Each of these has a probability of at most `error`, over all looks: "better" or "worse" although
    the mean is zero; an interval that misses the mean; "no difference worth having" although the
    mean is larger than the margin.
    """

    def __init__(self, *, error: float, margin: float) -> None:
        """Set the probability of error, and the largest difference that does not matter."""
        self.error = error
        self.margin = margin
        self.counts: Counter[float] = Counter()
        # Two-sided: each side has half of the probability of error.
        self._enough = log(2 / error)
        self._better = CapitalProcess(0.0, above=True)
        self._worse = CapitalProcess(0.0, above=False)
        self._not_much_worse = CapitalProcess(-margin, above=True)
        self._not_much_better = CapitalProcess(margin, above=False)

    def add(self, value: float) -> None:
        """Add a value."""
        self.counts[value] += 1
        for bet in (self._better, self._worse, self._not_much_worse, self._not_much_better):
            bet.add(value)

    @property
    def verdict(self) -> Verdict:
        """The verdict so far."""
        if self._is_won(self._better):
            return Verdict.BETTER
        if self._is_won(self._worse):
            return Verdict.WORSE
        if self._is_won(self._not_much_worse) and self._is_won(self._not_much_better):
            return Verdict.NO_DIFFERENCE
        return Verdict.UNKNOWN

    def _is_won(self, bet: CapitalProcess) -> bool:
        return bet.capital >= self._enough

    @property
    def number(self) -> int:
        """The number of values."""
        return self.counts.total()

    @property
    def mean(self) -> float:
        """The mean of the values; 0 if there are none."""
        return sum(value * times for value, times in self.counts.items()) / max(1, self.number)

    def interval(self) -> Interval:
        """Return the range that the mean can still have."""
        return Interval(self._end(above=True), self._end(above=False))

    def _end(self, *, above: bool) -> float:
        """Find the refuted number nearest to the mean, on one side."""
        refuted, likely = (-1.0, self.mean) if above else (1.0, self.mean)
        if not self.counts or likely == refuted:
            return refuted
        for _ in range(_HALVINGS):
            middle = (refuted + likely) / 2
            bet = CapitalProcess(middle, above=above)
            for value, times in self.counts.items():
                bet.add(value, times)
            if self._is_won(bet):
                refuted = middle
            else:
                likely = middle
        return refuted

    def expected_more(self) -> float:
        """Estimate how many more values a verdict needs, if they continue as before.

        Infinite if the values so far point to no verdict.
        """
        no_difference = (self._not_much_worse, self._not_much_better)
        return min(
            self._left(self._better),
            self._left(self._worse),
            max(self._left(bet) for bet in no_difference),
        )

    def _left(self, bet: CapitalProcess) -> float:
        missing = self._enough - bet.capital
        if missing <= 0:
            return 0.0
        return missing * self.number / bet.best if bet.best > 0 else inf
