"""Which rounds does an event have?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Protocol

from arena.events.spec import Kind, Spec
from arena.games.randomness import Seed
from arena.scheduling.pairing import Bye, Pairing
from arena.scheduling.round_robin import limit_for, round_robin
from arena.scheduling.seating import table_sizes
from arena.scheduling.swiss import History, default_rounds, swiss_round

Round = tuple[Sequence[Pairing], Sequence[Bye]]


class Schedule(Protocol):
    """Gives the rounds of an event, one after the other."""

    @property
    def rounds(self) -> int:
        """How many there are."""

    @property
    def follows_results(self) -> bool:
        """Whether a round depends on the results of those before it."""

    def round(self, number: int, history: Callable[[], History]) -> Round | None:
        """Plan a round, from 1; None if there are no more.

        Rounds are asked for in their order. Some may be left out, but none that is over is asked
        for again.
        """


def schedule_of(spec: Spec, entrants: int, seed: Seed) -> Schedule:
    """Return the schedule of an event with so many entrants."""
    sizes = tuple(spec.the_game.seats_for(spec.parameters()))
    seats = spec.table_size()
    if spec.kind is Kind.ROUND_ROBIN:
        return _round_robin(spec, entrants, seats, sizes, seed)
    rounds = spec.rounds or default_rounds(entrants, seats)
    return _Swiss(rounds, entrants, seats, sizes, seed)


def _round_robin(
    spec: Spec, entrants: int, seats: int, allowed: tuple[int, ...], seed: Seed
) -> Schedule:
    parameters = spec.parameters()
    sizes = table_sizes(entrants, wanted=seats, allowed=allowed)
    limit = limit_for(
        entrants,
        sizes,
        rounds=spec.rounds,
        matches=spec.matches,
        deals=spec.deals,
        sides=lambda size: spec.the_game.sides(size, parameters),
    )
    pairings = round_robin(entrants, seats=seats, allowed=allowed, seed=seed, limit=limit)
    return _RoundRobin(pairings, rounds=-(-limit // len(sizes)))


class _RoundRobin:
    """Everybody meets everybody; who is not seated in a round has no points for it.

    A round is made when it is asked for: all those of a large field would take a while.
    """

    follows_results = False

    def __init__(self, pairings: Iterator[Pairing], *, rounds: int) -> None:
        self.rounds = rounds
        self._coming = groupby(pairings, key=attrgetter("round"))
        self._number = 0
        self._pairings: list[Pairing] = []
        """Those of the round that was made last."""

    def round(self, number: int, history: Callable[[], History]) -> Round | None:
        if number > self.rounds:
            return None
        assert number >= self._number, "a round that is over is asked for"
        while self._number < number:
            self._number, pairings = next(self._coming)
            self._pairings = list(pairings)
        return self._pairings, ()


@dataclass(frozen=True, slots=True)
class _Swiss:
    rounds: int
    entrants: int
    seats: int
    allowed: tuple[int, ...]
    seed: Seed
    follows_results: bool = True

    def round(self, number: int, history: Callable[[], History]) -> Round | None:
        if number > self.rounds:
            return None
        return swiss_round(
            history(),
            entrants=self.entrants,
            seats=self.seats,
            allowed_sizes=self.allowed,
            seed=self.seed,
        )
