"""How are the deals of a comparison played, many at once and each by its turn?

Deals are handed out in blocks and come back in any order. They are counted strictly by number: to
count first what is over first would favour short matches, and the same seed must give the same
verdict, however many workers there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from fractions import Fraction
from typing import NamedTuple

from arena.compare.plan import Plan
from arena.events.room import play_block
from arena.events.work import Block, Contender, Terms
from arena.games.randomness import Seed, derive
from arena.referee.clock import CORES
from arena.scheduling.pairing import PlannedMatch
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
        self, plan: Plan, terms: Terms, players: Sequence[Contender], seed: Seed, *, deals: int
    ) -> None:
        """Play so many deals at most; `players` are the plan's."""
        self._plan = plan
        self._terms = terms
        self._players = tuple(players)
        self._seed = seed
        self._deals = deals
        self._handed_out = 0
        self._size = 1.0

    def play(
        self, executor: Executor, *, jobs: int, tables: int, stops: Callable[[], bool]
    ) -> Generator[Deal, None, None]:
        """Yield deal after deal, until there are enough or somebody says stop."""
        pending: dict[Future[list[Result]], tuple[float, int]] = {}
        early: dict[int, Deal] = {}
        counted = 0
        try:
            while counted < self._deals and not stops():
                # One more than there are workers, so that none of them waits.
                while len(pending) <= jobs and self._handed_out < self._deals:
                    block = self._block(tables, max(1, CORES // jobs))
                    began = time.monotonic()
                    pending[executor.submit(play_block, block)] = began, len(block.matches)
                done, _ = wait(pending, timeout=_LOOK_S, return_when=FIRST_COMPLETED)
                for future in done:
                    began, matches = pending.pop(future)
                    early |= self._deals_of(future.result())
                    self._resize(matches, time.monotonic() - began)
                while counted in early:
                    yield early.pop(counted)
                    counted += 1
        finally:
            for future in pending:
                future.cancel()

    def _block(self, tables: int, cores: int) -> Block:
        first = self._handed_out
        self._handed_out = min(self._deals, first + int(self._size))
        seatings = self._plan.seatings
        matches = [
            PlannedMatch(deal * len(seatings) + place, 0, deal, place, seating)
            for deal in range(first, self._handed_out)
            for place, seating in enumerate(seatings)
        ]
        seeds = tuple(derive(self._seed, f"deal {match.deal}") for match in matches)
        return Block(self._terms, self._players, tuple(matches), seeds, tables, cores)

    def _resize(self, matches: int, took_s: float) -> None:
        """Fit the size of blocks to the time that the last one took, waiting included."""
        wanted = matches / len(self._plan.seatings) * _BLOCK_S / max(took_s, 0.01)
        self._size = min(max(wanted, self._size / 2, 1), self._size * 2, _MOST_DEALS)

    def _deals_of(self, results: Sequence[Result]) -> dict[int, Deal]:
        by_deal: dict[int, list[Result]] = {}
        for result in sorted(results):
            by_deal.setdefault(result.deal, []).append(result)
        return {number: self._deal(matches) for number, matches in by_deal.items()}

    def _deal(self, matches: Sequence[Result]) -> Deal:
        places = [[seat.place for seat in match.seats] for match in matches]
        faults = tuple(
            Fault(self._plan.players[seat.version], seat.ending, seat.sentence)
            for match in matches
            for seat in match.seats
            if seat.ending != PLAYED
        )
        return Deal(self._plan.differences(places), faults)
