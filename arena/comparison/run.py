"""Play the deals of a comparison, many at once, and count them in order.

Matches are handed out in generations: the first match of some deals, then the second match of the
same deals, and more deals each time. Deals are counted by number: counting them as they end would
favour short matches, and the same seed must give the same verdict with any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from arena.comparison.plan import MATCHES_PER_DEAL, ComparedIndex, ComparisonPlan
from arena.games.randomness import Seed, derive
from arena.scheduling.pairing import PlannedMatch
from arena.secret import match_salt
from arena.workers.block import Block, MatchTerms, PackedBot, blocks_of
from arena.workers.dispatch import Dispatcher
from arena.workers.pace import Pace
from arena.workers.pool import WorkerPool
from leaderboard.result import PLAYED, MatchResult

_AHEAD_S = 2.0
"""Workers get as many matches as they play in this time; a verdict discards those in play."""
_FIRST_DEALS, _MOST_DEALS = 2, 512
"""Deals in the first generation and in the largest ones; each has twice as many as the last."""


class ComparisonFault(NamedTuple):
    """A match that a bot lost by a fault."""

    bot: ComparedIndex
    ending: str
    sentence: str


class ComparedDeal(NamedTuple):
    """The result of a deal."""

    differences: tuple[Fraction, ...]
    """The contribution of each match."""
    faults: tuple[ComparisonFault, ...]

    @property
    def difference(self) -> Fraction:
        """The points per match of the new version minus those of the old one."""
        return sum(self.differences, Fraction())


class ComparisonRun:
    """Plays the deals of a comparison."""

    def __init__(
        self,
        plan: ComparisonPlan,
        terms: MatchTerms,
        entrants: Sequence[PackedBot],
        secret: Seed,
        *,
        deals: int,
    ) -> None:
        """Prepare at most `deals` deals; `entrants` are the bots of the plan's entrants."""
        self._plan = plan
        self._terms = terms
        self._entrants = tuple(entrants)
        self._secret = secret
        self._deals = deals
        self._planned = 0
        """The number of deals in generations that have begun."""
        self._size = _FIRST_DEALS
        self._second: list[PlannedMatch] = []
        """The second match of each deal whose first one has been handed out."""

    def play(
        self,
        workers: WorkerPool,
        *,
        jobs: int,
        tables: int,
        should_stop: Callable[[], bool],
        on_pace: Callable[[Pace], object] = lambda pace: None,
    ) -> Generator[ComparedDeal, None, None]:
        """Yield the deals in order, until all are played or `should_stop` returns true.

        `on_pace` is called several times a second.
        """
        dispatcher = Dispatcher(
            workers, jobs=jobs, tables=tables, ahead_s=_AHEAD_S, sealed=self._terms.sealed
        )
        waiting: dict[int, list[MatchResult]] = {}
        counted = 0
        while counted < self._deals and not should_stop():
            dispatcher.hand_out(self)
            for result in dispatcher.collect():
                waiting.setdefault(result.deal, []).append(result)
            while len(waiting.get(counted, ())) == MATCHES_PER_DEAL:
                yield self._compare_deal(sorted(waiting.pop(counted)))
                counted += 1
            on_pace(dispatcher.pace)

    def next_generation(self) -> list[PlannedMatch]:
        """Return the first matches of the next deals, or the second ones of the last."""
        if self._second:
            second, self._second = self._second, []
            return second
        first = self._planned
        self._planned = min(self._deals, first + self._size)
        self._size = min(2 * self._size, _MOST_DEALS)
        deals = [list(self._matches_of(deal)) for deal in range(first, self._planned)]
        self._second = [second for _, second in deals]
        return [match for match, _ in deals]

    def _matches_of(self, deal: int) -> Iterator[PlannedMatch]:
        seed = derive(self._secret, f"deal {deal}")
        for index, seating in enumerate(self._plan.seatings(self._secret, deal)):
            number = deal * MATCHES_PER_DEAL + index
            salt = match_salt(self._secret, number)
            yield PlannedMatch(number, 0, deal, index, seating, seed, salt)

    def blocks(self, matches: Sequence[PlannedMatch], *, jobs: int, tables: int) -> Iterator[Block]:
        """Cut matches into blocks."""
        return blocks_of(
            self._terms,
            matches,
            self._entrants,
            tables=tables,
            max_bots=len(self._entrants),
        )

    def _compare_deal(self, matches: Sequence[MatchResult]) -> ComparedDeal:
        seatings = self._plan.seatings(self._secret, matches[0].deal)
        places = [[seat.place for seat in match.seats] for match in matches]
        faults = tuple(
            ComparisonFault(self._plan.entrants[entrant], seat.ending, seat.sentence)
            for match, seating in zip(matches, seatings, strict=True)
            for entrant, seat in zip(seating, match.seats, strict=True)
            if seat.ending != PLAYED
        )
        return ComparedDeal(self._plan.differences(seatings, places), faults)
