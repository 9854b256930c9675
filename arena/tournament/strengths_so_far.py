"""The strengths that follow from the results of an event so far.

Strengths are fitted at ends of rounds, in the schedule's order, and not again before there are a
few per cent more matches. So the strengths that decide about the next round, or about the end of
the event, depend on the results alone, and a long event does not spend its time on fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum
from random import Random

from arena.indices import EntrantIndex, VersionId
from leaderboard.ratings.rater import START
from leaderboard.result import MatchResult
from leaderboard.sides import Sides
from leaderboard.strength.stored_sums import OpenDeals
from leaderboard.strength.strengths import Strengths, strengths_of
from leaderboard.strength.sums import DealResults, LeagueSums

GROWTH = 1 / 32
"""Strengths are fitted again when there are more matches by this share."""


class StrengthsSoFar:
    """The strengths of an event's versions, at the last round for which they were fitted."""

    def __init__(self, sides: Sides) -> None:
        """Start without results; `sides` returns the sides at a table with a number of seats."""
        self._sums = LeagueSums()
        self._open_deals = OpenDeals(sides)
        self._later: list[DealResults] = []
        """The deals since the last fit."""
        self._counted = 0
        self._fitted: Strengths | None = None

    def add(self, result: MatchResult) -> None:
        """Add the result of the next match; forfeits say nothing about strengths."""
        deal = self._open_deals.add(result)
        if deal is not None:
            self._later.append(deal)

    def end_round(self, counted: int) -> bool:
        """Take the deals so far into account if they are enough; return whether they were.

        `counted` is the number of matches so far.
        """
        if counted < (1 + GROWTH) * self._counted:
            return False
        for deal in self._later:
            self._sums.add_deal(deal)
        self._later.clear()
        self._counted = counted
        self._fitted = None
        return True

    def fitted(self) -> Strengths:
        """Return the strengths of all versions that have met an opponent."""
        if self._fitted is None:
            self._fitted = strengths_of(self._sums)
        return self._fitted

    def draws(
        self, entrants: Mapping[EntrantIndex, VersionId], rng: Random
    ) -> Iterator[dict[EntrantIndex, float]]:
        """Yield strengths as they may be, without end; those without results follow the prior."""
        strengths = self.fitted()
        while True:
            for values in strengths.draws(rng, 64):
                # Relative to the mean of the field, as a newcomer's.
                shift = START.mu - fsum(values) / max(len(values), 1)
                shifted = (value + shift for value in values)
                drawn = dict(zip(strengths.versions, shifted, strict=True))
                yield {
                    entrant: drawn[version] if version in drawn else rng.gauss(*START)
                    for entrant, version in entrants.items()
                }
