"""Is a mean above nought, below it, or near it, if that is asked again after every value?

Somebody who looks after every value and stops when the answer pleases would find what they look for
by chance alone, if they used an interval that is meant for one look. This one holds for all looks
at once. It comes from betting: whoever doubts that the mean is as low as `m` bets on more, at odds
that are fair if it is `m`. Then the chance that a capital of 1 ever grows to 40 is one in 40 at
most, whatever the values are, as long as they lie between -1 and 1 and each is drawn without regard
to how the others came out. So a capital of 40 refutes `m`, and all below it, with that risk of
being wrong. (Ville's inequality; intervals by betting are due to Waudby-Smith and Ramdas.)

Which part of the capital is best staked depends on the unknown mean and spread. So it is divided
among several gamblers, each of whom always stakes the same part. That costs little, and what they
have in the end does not depend on the order of the values.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum
from math import exp, inf, log, log1p
from typing import NamedTuple

_STAKES = tuple(0.96 / 2**place for place in range(6))
"""The parts of their capital that the gamblers stake: large ones pay where differences are large,
small ones where they are small beside the luck."""
_HALVINGS = 24
"""So that an end of the interval is known to the seventh digit."""


class Verdict(Enum):
    """What is known of a difference."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no difference worth having"
    UNKNOWN = "not known yet"


class Interval(NamedTuple):
    """Where the mean is, but for the risk that was agreed on."""

    low: float
    high: float


class Wager:
    """What becomes of a capital of 1 that is bet on the mean being above a number, or below it."""

    __slots__ = ("_logs", "_odds", "_side", "_than")

    def __init__(self, than: float, *, above: bool) -> None:
        """Bet on a mean above (or below) a number between -1 and 1, exclusive."""
        self._than = than
        self._side = 1 if above else -1
        self._odds = 1 + self._side * than
        self._logs = [0.0] * len(_STAKES)

    def add(self, value: float, times: int = 1) -> None:
        """Settle the bets on a value, which may have come several times."""
        # At worst the stake is lost, and never more: nobody goes bankrupt.
        gain = self._side * (value - self._than) / self._odds
        for place, stake in enumerate(_STAKES):
            self._logs[place] += times * log1p(stake * gain)

    @property
    def capital(self) -> float:
        """The logarithm of what all gamblers have together."""
        most = max(self._logs)
        return most + log(sum([exp(one - most) for one in self._logs]) / len(_STAKES))

    @property
    def best(self) -> float:
        """The logarithm of what the best gambler made of a capital of 1."""
        return max(self._logs)


class Sequence:
    """All that is known of a mean after some values between -1 and 1.

    With a mean of nought it ever says "better" or "worse" in at most the share `error` of all runs;
    as rarely the interval ever misses the mean, and it is called no difference worth having though
    it is larger than the margin.
    """

    def __init__(self, *, error: float, margin: float) -> None:
        """Agree on the risk, and on what is too little to matter."""
        self.error = error
        self.margin = margin
        self.counts: Counter[float] = Counter()
        # There are two ways to be wrong, and each has half of the risk.
        self._enough = log(2 / error)
        self._better = Wager(0.0, above=True)
        self._worse = Wager(0.0, above=False)
        self._not_much_worse = Wager(-margin, above=True)
        self._not_much_better = Wager(margin, above=False)

    def add(self, value: float) -> None:
        """Take one more value."""
        self.counts[value] += 1
        for wager in (self._better, self._worse, self._not_much_worse, self._not_much_better):
            wager.add(value)

    @property
    def verdict(self) -> Verdict:
        """What is known by now."""
        if self._is_won(self._better):
            return Verdict.BETTER
        if self._is_won(self._worse):
            return Verdict.WORSE
        if self._is_won(self._not_much_worse) and self._is_won(self._not_much_better):
            return Verdict.NO_DIFFERENCE
        return Verdict.UNKNOWN

    def _is_won(self, wager: Wager) -> bool:
        return wager.capital >= self._enough

    @property
    def number(self) -> int:
        """How many values there were."""
        return self.counts.total()

    @property
    def mean(self) -> float:
        """Their mean; 0 if there are none."""
        return sum(value * times for value, times in self.counts.items()) / max(1, self.number)

    def interval(self) -> Interval:
        """Return all that the mean can be, for all that is known by now."""
        return Interval(self._end(above=True), self._end(above=False))

    def _end(self, *, above: bool) -> float:
        """Find the number next to the mean that is refuted, looking from one side."""
        refuted, likely = (-1.0, self.mean) if above else (1.0, self.mean)
        if not self.counts or likely == refuted:
            return refuted
        for _ in range(_HALVINGS):
            middle = (refuted + likely) / 2
            wager = Wager(middle, above=above)
            for value, times in self.counts.items():
                wager.add(value, times)
            if self._is_won(wager):
                refuted = middle
            else:
                likely = middle
        return refuted

    def expected(self) -> float:
        """Return about how many more values a verdict needs, if they go on as they did.

        Infinite if so far nothing leads to one.
        """
        no_difference = (self._not_much_worse, self._not_much_better)
        return min(
            self._left(self._better),
            self._left(self._worse),
            max(self._left(wager) for wager in no_difference),
        )

    def _left(self, wager: Wager) -> float:
        missing = self._enough - wager.capital
        if missing <= 0:
            return 0.0
        return missing * self.number / wager.best if wager.best > 0 else inf
