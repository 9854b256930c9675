"""The rounds of an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from operator import attrgetter
from random import Random
from typing import Protocol

from arena.games.randomness import Seed, derive
from arena.indices import EntrantIndex
from arena.scheduling.gauntlet import (
    gauntlet,
    pairings_in_rounds,
    pairings_in_turn,
    rounds_for_pairings,
)
from arena.scheduling.groups import Groups
from arena.scheduling.ladder import Draws, ladder_round
from arena.scheduling.pairing import Bye, Pairing, rotations
from arena.scheduling.round_robin import limit_for, round_robin
from arena.scheduling.swiss import History, default_rounds, swiss_round
from arena.scheduling.table_sizes import describe_tables, table_sizes
from arena.scheduling.teams import byes_of_members, history_of_teams, seat_teams, team_size
from arena.tournament.spec import WHOLE_ORDER, Kind, Spec

PlannedRound = tuple[Sequence[Pairing], Sequence[Bye]]


@dataclass(frozen=True, slots=True)
class RoundsSoFar:
    """What is known of an event before its next round."""

    history: Callable[[], History] = History
    draws: Callable[[Random], Draws] = lambda rng: iter(())
    """Yields the strengths of those that play, as they may be."""
    tables_sat: Mapping[EntrantIndex, int] = field(default_factory=dict)
    """The entrants that play, with the number of tables at which each has sat."""
    pairings: int = 0
    matches: int = 0
    groups: Groups = ()
    """Of all entrants that have come in so far; used where entrants come and go."""


class Schedule(Protocol):
    """Plans the rounds of an event one after the other."""

    @property
    def rounds(self) -> int:
        """The number of rounds; 0 if it is not limited."""

    @property
    def follows_results(self) -> bool:
        """Whether a round depends on the results of those before it."""

    @property
    def follows_strengths(self) -> bool:
        """Whether a round depends on the strengths so far, and entrants may come and go."""

    def expected_matches(self, *, matches: int, rounds: int) -> int:
        """Estimate how many matches the event will have, from those of its first rounds.

        0 if its end is not known.
        """

    def has_round(self, number: int, *, matches: int) -> bool:
        """Return whether there is a round of this number, after this many matches."""

    def round(self, number: int, so_far: RoundsSoFar) -> PlannedRound | None:
        """Plan a round, from 1; None if there are no more.

        Rounds must be requested in order. Some may be skipped, but not requested later.
        """


def schedule_of(spec: Spec, entrants: int, seed: Seed, *, groups: Groups = ()) -> Schedule:
    """Return the schedule of an event with this many entrants; those of a group never meet."""
    sizes = spec.allowed_sizes()
    seats = spec.table_size()
    if spec.teams:
        return _Teams(_schedule_of_teams(spec, entrants, seed), spec.sides())
    if spec.kind is Kind.GAUNTLET:
        return _gauntlet(spec, entrants, seats, seed)
    if spec.kind is Kind.ROUND_ROBIN:
        return _round_robin(spec, entrants, seats, sizes, seed, groups)
    if spec.kind is Kind.LADDER:
        return _Ladder(spec, spec.rounds or 0, seats, sizes, seed)
    rounds = spec.rounds or default_rounds(entrants, seats)
    return _Swiss(rounds, entrants, seats, sizes, seed, groups)


def _schedule_of_teams(spec: Spec, entrants: int, seed: Seed) -> Schedule:
    """Return a schedule whose entrants are teams."""
    sides = spec.sides()
    teams, at_table = entrants // team_size(sides), len(set(sides))
    if spec.kind is Kind.ROUND_ROBIN:
        return _round_robin(spec, teams, at_table, (at_table,), seed, ())
    rounds = spec.rounds or default_rounds(teams, at_table)
    return _Swiss(rounds, teams, at_table, (at_table,), seed)


def describe_rounds(spec: Spec, entrants: int) -> str:
    """Say what tables the rounds of an event have, before anything is played."""
    seats = spec.table_size()
    if spec.kind is Kind.GAUNTLET:
        return f"each table of {seats} has one challenger"
    if spec.kind is Kind.LADDER and spec.seats is not None:
        return f"tables of {seats}; who has no seat in a round rests"
    sizes = table_sizes(entrants, wanted=seats, allowed=spec.allowed_sizes())
    return describe_tables(entrants, sizes)


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
        sides=lambda size: spec.sides() if spec.teams else spec.the_game.sides(size, parameters),
    )
    pairings = round_robin(
        entrants, seats=seats, allowed=allowed, seed=seed, limit=limit, groups=groups
    )
    return _RoundRobin(pairings, rounds=-(-limit // len(sizes)))


def _gauntlet(spec: Spec, entrants: int, seats: int, seed: Seed) -> Schedule:
    challengers = len(spec.bots)
    others = entrants - challengers
    pairings = gauntlet(challengers, others, seats=seats, seed=seed)
    limit = pairings_in_turn(challengers, others)
    if spec.matches is not None:
        sides = spec.the_game.sides(seats, spec.parameters())
        limit = -(-spec.matches // (spec.deals * len(rotations(sides))))
    if spec.rounds is not None:
        limit = pairings_in_rounds(spec.rounds, challengers, others, seats=seats)
    rounds = rounds_for_pairings(limit, challengers, others, seats=seats)
    return _RoundRobin(islice(pairings, limit), rounds=rounds)


class _FixedRounds:
    """A schedule whose number of rounds is known."""

    rounds: int
    follows_strengths = False

    def expected_matches(self, *, matches: int, rounds: int) -> int:
        return matches * self.rounds // max(rounds, 1)

    def has_round(self, number: int, *, matches: int) -> bool:
        return number <= self.rounds


class _RoundRobin(_FixedRounds):
    """A round-robin or a gauntlet; who is not seated in a round gets no points for it.

    Rounds are made on request: making all rounds of a large field takes a while.
    """

    follows_results = False

    def __init__(self, pairings: Iterator[Pairing], *, rounds: int) -> None:
        self.rounds = rounds
        self._coming = groupby(pairings, key=attrgetter("round"))
        self._number = 0
        self._pairings: list[Pairing] = []
        """Of the round made last."""

    def round(self, number: int, so_far: RoundsSoFar) -> PlannedRound | None:
        if number > self.rounds:
            return None
        assert number >= self._number, "rounds must be requested in order"
        while self._number < number:
            self._number, pairings = next(self._coming)
            self._pairings = list(pairings)
        return self._pairings, ()


@dataclass(frozen=True)
class _Swiss(_FixedRounds):
    rounds: int
    entrants: int
    seats: int
    allowed: tuple[int, ...]
    seed: Seed
    groups: Groups = ()
    follows_results: bool = True

    def round(self, number: int, so_far: RoundsSoFar) -> PlannedRound | None:
        if number > self.rounds:
            return None
        return swiss_round(
            so_far.history(),
            entrants=self.entrants,
            seats=self.seats,
            allowed_sizes=self.allowed,
            seed=self.seed,
            groups=self.groups,
        )


@dataclass(frozen=True)
class _Teams:
    """A schedule of teams, as one of their members."""

    teams: Schedule
    sides: tuple[int, ...]
    follows_strengths: bool = False

    @property
    def rounds(self) -> int:
        return self.teams.rounds

    @property
    def follows_results(self) -> bool:
        return self.teams.follows_results

    def expected_matches(self, *, matches: int, rounds: int) -> int:
        return self.teams.expected_matches(matches=matches, rounds=rounds)

    def has_round(self, number: int, *, matches: int) -> bool:
        return self.teams.has_round(number, matches=matches)

    def round(self, number: int, so_far: RoundsSoFar) -> PlannedRound | None:
        of_teams = replace(so_far, history=lambda: history_of_teams(so_far.history(), self.sides))
        planned = self.teams.round(number, of_teams)
        if planned is None:
            return None
        pairings, byes = planned
        seated = [seat_teams(pairing, self.sides) for pairing in pairings]
        return seated, list(byes_of_members(byes, team_size(self.sides)))


@dataclass(frozen=True)
class _Ladder:
    """A ladder; an entrant that is not seated in a round has a bye, which is worth nothing."""

    spec: Spec
    rounds: int
    seats: int
    allowed: tuple[int, ...]
    seed: Seed
    follows_results: bool = True
    follows_strengths: bool = True

    def expected_matches(self, *, matches: int, rounds: int) -> int:
        if self.rounds:
            return matches * self.rounds // max(rounds, 1)
        return max(matches, self.spec.matches) if self.spec.matches else 0

    def has_round(self, number: int, *, matches: int) -> bool:
        limit = self.spec.matches
        return not (self.rounds and number > self.rounds) and (limit is None or matches < limit)

    def round(self, number: int, so_far: RoundsSoFar) -> PlannedRound | None:
        if not self.has_round(number, matches=so_far.matches):
            return None
        rng = Random(int.from_bytes(derive(self.seed, f"ladder round {number}")))
        goal = self.spec.goal
        pairings, byes = ladder_round(
            so_far.tables_sat,
            so_far.draws(rng),
            top=goal.top if goal else WHOLE_ORDER,
            seats=self.seats,
            allowed_sizes=self.allowed,
            rng=rng,
            number=number,
            first_pairing=so_far.pairings,
            groups=so_far.groups,
        )
        kept = self._fewest(pairings, so_far.matches)
        idle = [Bye(number, entrant) for each in pairings[kept:] for entrant in each.seating]
        return pairings[:kept], [*byes, *idle]

    def _fewest(self, pairings: Sequence[Pairing], matches: int) -> int:
        """Return how many pairings it takes to reach the limit of matches; all if they do not."""
        parameters = self.spec.parameters()
        for count, pairing in enumerate(pairings, start=1):
            sides = self.spec.the_game.sides(len(pairing.seating), parameters)
            matches += self.spec.deals * len(rotations(sides))
            if self.spec.matches is not None and matches >= self.spec.matches:
                return count
        return len(pairings)
