"""The rounds of an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Protocol

from arena.games.randomness import Seed
from arena.scheduling.groups import Groups
from arena.scheduling.pairing import Bye, Pairing
from arena.scheduling.round_robin import limit_for, round_robin
from arena.scheduling.swiss import History, default_rounds, swiss_round
from arena.scheduling.table_sizes import table_sizes
from arena.tournament.spec import Kind, Spec

PlannedRound = tuple[Sequence[Pairing], Sequence[Bye]]


class Schedule(Protocol):
    """Plans the rounds of an event one after the other."""

    @property
    def rounds(self) -> int:
        """The number of rounds."""

    @property
    def follows_results(self) -> bool:
        """Whether a round depends on the results of those before it."""

    def round(self, number: int, history: Callable[[], History]) -> PlannedRound | None:
        """Plan a round, from 1; None if there are no more.

        Rounds must be requested in order. Some may be skipped, but not requested later.
        """


def schedule_of(spec: Spec, entrants: int, seed: Seed, *, groups: Groups = ()) -> Schedule:
    """Return the schedule of an event with this many entrants; those of a group never meet."""
    sizes = tuple(spec.the_game.seats_for(spec.parameters()))
    seats = spec.table_size()
    if spec.kind is Kind.ROUND_ROBIN:
        return _round_robin(spec, entrants, seats, sizes, seed, groups)
    rounds = spec.rounds or default_rounds(entrants, seats)
    return _Swiss(rounds, entrants, seats, sizes, seed, groups)


def _round_robin(
    spec: Spec, entrants: int, seats: int, allowed: tuple[int, ...], seed: Seed, groups: Groups
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
    pairings = round_robin(
        entrants, seats=seats, allowed=allowed, seed=seed, limit=limit, groups=groups
    )
    return _RoundRobin(pairings, rounds=-(-limit // len(sizes)))


class _RoundRobin:
    """A round-robin; an entrant that is not seated in a round gets no points for it.

    Rounds are made on request: making all rounds of a large field takes a while.
    """

    follows_results = False

    def __init__(self, pairings: Iterator[Pairing], *, rounds: int) -> None:
        self.rounds = rounds
        self._coming = groupby(pairings, key=attrgetter("round"))
        self._number = 0
        self._pairings: list[Pairing] = []
        """Of the round made last."""

    def round(self, number: int, history: Callable[[], History]) -> PlannedRound | None:
        if number > self.rounds:
            return None
        assert number >= self._number, "rounds must be requested in order"
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
    groups: Groups = ()
    follows_results: bool = True

    def round(self, number: int, history: Callable[[], History]) -> PlannedRound | None:
        if number > self.rounds:
            return None
        return swiss_round(
            history(),
            entrants=self.entrants,
            seats=self.seats,
            allowed_sizes=self.allowed,
            seed=self.seed,
            groups=self.groups,
        )
