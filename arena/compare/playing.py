"""How are the deals of a comparison played, many at once and each by its turn?

Deals are handed out in blocks and come back in any order. They are counted strictly by number: to
count first what is over first would favour short matches, and the same seed must give the same
verdict, however many workers there are.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from arena.compare.plan import Plan
from arena.events.dispatch import Dispatch
from arena.events.work import Block, Contender, DealtMatch, Terms, blocks_of
from arena.events.workers import Workers
from arena.games.randomness import Seed, derive
from arena.referee.clock import CORES
from arena.scheduling.pairing import PlannedMatch
from arena.secret import match_salt
from leaderboard.results import PLAYED, Result

_AHEAD_S = 2.0
"""Workers have as much as they play in this time: it is lost when the verdict is known."""


class Fault(NamedTuple):
    """A match that a bot lost by what it did wrong."""

    bot: int
    ending: str
    sentence: str


class Deal(NamedTuple):
    """What a deal came to."""

    differences: tuple[Fraction, ...]
    """What each of its matches adds to the difference."""
    faults: tuple[Fault, ...]

    @property
    def difference(self) -> Fraction:
        """The points of a match that the new version got more than the old one."""
        return sum(self.differences, Fraction())


class Run:
    """A comparison in play."""

    def __init__(
        self, plan: Plan, terms: Terms, players: Sequence[Contender], secret: Seed, *, deals: int
    ) -> None:
        """Play so many deals at most; `players` are the plan's."""
        self._plan = plan
        self._terms = terms
        self._players = tuple(players)
        self._secret = secret
        self._deals = deals
        self._handed_out = 0
        self._is_backwards = True

    def play(
        self, workers: Workers, *, jobs: int, tables: int, stops: Callable[[], bool]
    ) -> Generator[Deal, None, None]:
        """Yield deal after deal, until there are enough or somebody says stop."""
        dispatch = Dispatch(workers, jobs=jobs, tables=tables, ahead_s=_AHEAD_S)
        early: dict[int, list[Result]] = {}
        counted = 0
        whole = len(self._plan.seatings)
        while counted < self._deals and not stops():
            dispatch.fill(lambda size: self._blocks(size, tables, jobs))
            results, _ = dispatch.take()
            for result in results:
                early.setdefault(result.deal, []).append(result)
            while len(early.get(counted, ())) == whole:
                yield self._deal(sorted(early.pop(counted)))
                counted += 1

    def _blocks(self, size: int, tables: int, jobs: int) -> Iterator[Block]:
        seatings = self._plan.seatings
        first = self._handed_out
        self._handed_out = min(self._deals, first + max(1, size * jobs // len(seatings)))
        matches = []
        for deal in range(first, self._handed_out):
            seed = derive(self._secret, f"deal {deal}")
            for place, seating in enumerate(seatings):
                number = deal * len(seatings) + place
                match = PlannedMatch(number, 0, deal, place, seating)
                matches.append(DealtMatch(match, seed, match_salt(self._secret, number)))
        self._is_backwards = not self._is_backwards
        return blocks_of(
            self._terms,
            matches,
            self._players,
            tables=tables,
            cores=max(1, CORES // jobs),
            jobs=jobs,
            most_bots=len(self._players),
            backwards=self._is_backwards,
        )

    def _deal(self, matches: Sequence[Result]) -> Deal:
        places = [[seat.place for seat in match.seats] for match in matches]
        faults = tuple(
            Fault(self._plan.players[seat.version], seat.ending, seat.sentence)
            for match in matches
            for seat in match.seats
            if seat.ending != PLAYED
        )
        return Deal(self._plan.differences(places), faults)
