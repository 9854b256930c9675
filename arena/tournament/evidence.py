"""The results of an event as far as its strengths follow from them.

Strengths are fitted at ends of rounds, in the schedule's order, and not again before there are a
few per cent more matches. So the strengths that decide about the next round, or about the end of
the event, depend on the results alone, and a long event does not spend its time on fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

from arena.indices import VersionId
from leaderboard.result import MatchResult
from leaderboard.strength.deals import DealResults, SeatPlace, deal_results
from leaderboard.strength.strengths import Strengths, strengths_of
from leaderboard.strength.sums import LeagueSums

GROWTH = 1 / 32
"""Strengths are fitted again when there are more matches by this share."""

Sides = Callable[[int], tuple[int, ...]]


class Evidence:
    """The deals of an event, up to the last round whose strengths were fitted."""

    def __init__(self) -> None:
        """Start without results."""
        self._sums = LeagueSums()
        self._later: list[DealResults] = []
        """The deals since."""
        self._counted = 0
        self._fitted: Strengths | None = None

    def add_deal(self, matches: Iterable[MatchResult], sides: Sides) -> None:
        """Add all matches of a deal; forfeits say nothing about strengths."""
        self._later.append(results_of_deal(matches, sides))

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

    def strengths(self) -> Strengths:
        """Return the strengths of all versions that have met an opponent."""
        if self._fitted is None:
            self._fitted = strengths_of(self._sums)
        return self._fitted

    def draws(self, rng: Random) -> Iterator[Mapping[VersionId, float]]:
        """Yield strengths as they may be, one set after the other, without end."""
        strengths = self.strengths()
        while True:
            for drawn in strengths.draws(rng, 64):
                yield dict(zip(strengths.versions, drawn, strict=True))


def results_of_deal(matches: Iterable[MatchResult], sides: Sides) -> DealResults:
    """Return how each pair of opponents did in the matches of one deal."""
    return deal_results(
        [
            SeatPlace(seat.version, side, seat.place)
            for seat, side in zip(match.seats, sides(len(match.seats)), strict=True)
        ]
        for match in matches
        if match.is_played
    )
