"""How are the deals of a comparison played, many at once and each by its turn?

Deals are handed out in blocks and come back in any order. They are counted strictly by number: to
count first what is over first would favour short matches, and the same seed must give the same
verdict, however many workers there are.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from fractions import Fraction
from typing import NamedTuple

from arena.compare.plan import Plan
from arena.events.room import play_block
from arena.events.work import Block, Contender, DealtMatch, Terms, blocks_of
from arena.games.randomness import Seed, derive
from arena.referee.clock import CORES
from arena.scheduling.pairing import PlannedMatch
from arena.secret import match_salt
from leaderboard.results import PLAYED, Result

_BLOCK_S = 2.0
"""How long a block should take a worker: what is in play when the verdict is known is lost."""
_MOST_DEALS = 512
_LOOK_S = 0.25


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
        self._size = 1.0

    def play(
        self, executor: Executor, *, jobs: int, tables: int, stops: Callable[[], bool]
    ) -> Generator[Deal, None, None]:
        """Yield deal after deal, until there are enough or somebody says stop."""
        pending: dict[Future[list[Result]], tuple[float, float]] = {}
        ready: deque[Block] = deque()
        early: dict[int, list[Result]] = {}
        counted = 0
        whole = len(self._plan.seatings)
        try:
            while counted < self._deals and not stops():
                # One more than there are workers, so that none of them waits.
                while len(pending) <= jobs and (ready or self._handed_out < self._deals):
                    if not ready:
                        ready.extend(self._blocks(tables, jobs))
                    block = ready.popleft()
                    began = time.monotonic()
                    pending[executor.submit(play_block, block)] = began, self._size
                done, _ = wait(pending, timeout=_LOOK_S, return_when=FIRST_COMPLETED)
                for future in done:
                    began, deals = pending.pop(future)
                    for result in future.result():
                        early.setdefault(result.deal, []).append(result)
                    self._resize(deals, time.monotonic() - began)
                while len(early.get(counted, ())) == whole:
                    yield self._deal(sorted(early.pop(counted)))
                    counted += 1
        finally:
            for future in pending:
                future.cancel()

    def _blocks(self, tables: int, jobs: int) -> Iterator[Block]:
        first = self._handed_out
        self._handed_out = min(self._deals, first + int(self._size))
        seatings = self._plan.seatings
        matches = []
        for deal in range(first, self._handed_out):
            seed = derive(self._secret, f"deal {deal}")
            for place, seating in enumerate(seatings):
                number = deal * len(seatings) + place
                match = PlannedMatch(number, 0, deal, place, seating)
                matches.append(DealtMatch(match, seed, match_salt(self._secret, number)))
        return blocks_of(
            self._terms,
            matches,
            self._players,
            tables=tables,
            cores=max(1, CORES // jobs),
            jobs=jobs,
            most_bots=len(self._players),
        )

    def _resize(self, deals: float, took_s: float) -> None:
        """Fit the size of blocks to the time that the last one took, waiting included."""
        wanted = deals * _BLOCK_S / max(took_s, 0.01)
        self._size = min(max(wanted, self._size / 2, 1), self._size * 2, _MOST_DEALS)

    def _deal(self, matches: Sequence[Result]) -> Deal:
        places = [[seat.place for seat in match.seats] for match in matches]
        faults = tuple(
            Fault(self._plan.players[seat.version], seat.ending, seat.sentence)
            for match in matches
            for seat in match.seats
            if seat.ending != PLAYED
        )
        return Deal(self._plan.differences(places), faults)
