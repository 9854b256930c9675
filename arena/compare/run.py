"""Play the deals of a comparison, many at once, and count them in order.

Deals are handed out in blocks and come back in any order. They are counted by number: counting them
as they end would favour short matches, and the same seed must give the same verdict with any number
of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from arena.compare.plan import MATCHES_PER_DEAL, ComparedIndex, ComparisonPlan
from arena.games.randomness import Seed, derive
from arena.referee.clock import CORES
from arena.scheduling.pairing import PlannedMatch
from arena.secret import match_salt
from arena.workers.block import Block, DealtMatch, MatchTerms, PackedBot, blocks_of
from arena.workers.dispatch import Dispatcher
from arena.workers.pool import Cluster, WorkerPool
from leaderboard.result import PLAYED, MatchResult

_AHEAD_S = 2.0
"""Workers get as many matches as they play in this time; a verdict discards those in play."""


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
        self._handed_out = 0

    def play(
        self, workers: WorkerPool, *, jobs: int, tables: int, should_stop: Callable[[], bool]
    ) -> Generator[ComparedDeal, None, None]:
        """Yield the deals in order, until all are played or `should_stop` returns true."""
        dispatcher = Dispatcher(workers, jobs=jobs, tables=tables, ahead_s=_AHEAD_S)
        waiting: dict[int, list[MatchResult]] = {}
        counted = 0
        cluster = workers if isinstance(workers, Cluster) else None
        while counted < self._deals and not should_stop():
            if cluster:
                jobs = cluster.jobs
                dispatcher.resize(jobs)
            dispatcher.hand_out(
                partial(self._blocks, tables=tables, jobs=jobs, whole=bool(cluster))
            )
            results, _ = dispatcher.collect()
            for result in results:
                waiting.setdefault(result.deal, []).append(result)
            while len(waiting.get(counted, ())) == MATCHES_PER_DEAL:
                yield self._compare_deal(sorted(waiting.pop(counted)))
                counted += 1

    def _blocks(self, size: int, *, tables: int, jobs: int, whole: bool) -> Iterator[Block]:
        first = self._handed_out
        self._handed_out = min(self._deals, first + max(1, size * jobs // MATCHES_PER_DEAL))
        matches = []
        for deal in range(first, self._handed_out):
            seed = derive(self._secret, f"deal {deal}")
            for index, seating in enumerate(self._plan.seatings(self._secret, deal)):
                number = deal * MATCHES_PER_DEAL + index
                match = PlannedMatch(number, 0, deal, index, seating)
                matches.append(DealtMatch(match, seed, match_salt(self._secret, number)))
        return blocks_of(
            self._terms,
            matches,
            self._entrants,
            tables=tables,
            cores=1 if whole else max(1, CORES // jobs),
            jobs=1 if whole else jobs,
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
