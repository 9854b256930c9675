"""The rounds of an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from operator import attrgetter
from random import Random

from arena.games.randomness import Seed, derive
from arena.indices import EntrantIndex
from arena.scheduling.gauntlet import (
    gauntlet,
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
    """Yields possible strengths of the entrants that play."""
    tables_sat: Mapping[EntrantIndex, int] = field(default_factory=dict)
    """The entrants that play, with the number of tables at which each has sat."""
    pairings: int = 0
    matches: int = 0
    groups: Groups = ()
    """Of all entrants that have come in so far; used where entrants come and go."""


PlanRound = Callable[[int, RoundsSoFar], PlannedRound]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Plans the rounds of an event one after another."""

    plan: PlanRound
    """Plans the round of a number, from 1. Rounds must be requested in order; some may be skipped,
    but not requested later."""
    rounds: int
    """The number of rounds; 0 if it is not limited."""
    max_matches: int | None = None
    """The number of matches after which there is no further round."""
    follows_results: bool = False
    """Whether a round depends on the results of those before it."""
    follows_strengths: bool = False
    """Whether a round depends on the strengths so far, and entrants may come and go."""

    def expected_matches(self, *, matches: int, rounds: int) -> int:
        """Estimate how many matches the event will have, from those of its first rounds.

        0 if its end is not known.
        """
        if self.rounds:
            return matches * self.rounds // max(rounds, 1)
        return max(matches, self.max_matches) if self.max_matches else 0

    def has_round(self, number: int, *, matches: int) -> bool:
        """Return whether there is a round of this number, after this many matches."""
        if self.rounds and number > self.rounds:
            return False
        return self.max_matches is None or matches < self.max_matches

    def round(self, number: int, so_far: RoundsSoFar) -> PlannedRound | None:
        """Plan a round; None if there are no more."""
        return self.plan(number, so_far) if self.has_round(number, matches=so_far.matches) else None


def schedule_of(spec: Spec, entrants: int, seed: Seed, *, groups: Groups = ()) -> Schedule:
    """Return the schedule of an event with this many entrants; those of a group never meet."""
    sizes, seats = spec.allowed_sizes(), spec.table_size()
    if spec.kind is Kind.GAUNTLET:
        return _gauntlet(spec, entrants, seats, seed)
    if spec.kind is Kind.LADDER:
        return _ladder(spec, seats, sizes, seed)
    sides = spec.sides()
    if spec.teams:
        # A schedule whose entrants are teams.
        entrants, seats = entrants // team_size(sides), len(set(sides))
        sizes = (seats,)
    if spec.kind is Kind.ROUND_ROBIN:
        schedule = _round_robin(spec, entrants, seats, sizes, seed, groups)
    else:
        schedule = _swiss(spec, entrants, seats, sizes, seed, groups)
    return _with_members(schedule, sides) if spec.teams else schedule


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
    return Schedule(_PlannedAhead(pairings), -(-limit // len(sizes)))


def _gauntlet(spec: Spec, entrants: int, seats: int, seed: Seed) -> Schedule:
    challengers = len(spec.bots)
    others = entrants - challengers
    pairings = gauntlet(challengers, others, seats=seats, seed=seed)
    if spec.rounds is not None:
        return Schedule(_PlannedAhead(pairings), spec.rounds)
    limit = pairings_in_turn(challengers, others)
    if spec.matches is not None:
        limit = -(-spec.matches // (spec.deals * len(rotations(spec.sides()))))
    rounds = rounds_for_pairings(limit, challengers, others, seats=seats)
    return Schedule(_PlannedAhead(islice(pairings, limit)), rounds)


class _PlannedAhead:
    """Plans rounds that do not depend on results; sitting out a round is worth nothing.

    Rounds are made on request: making all rounds of a large field takes a while.
    """

    def __init__(self, pairings: Iterator[Pairing]) -> None:
        self._coming = groupby(pairings, key=attrgetter("round"))
        self._number = 0
        self._pairings: list[Pairing] = []
        """Of the round made last."""

    def __call__(self, number: int, so_far: RoundsSoFar) -> PlannedRound:
        assert number >= self._number, "rounds must be requested in order"
        while self._number < number:
            self._number, pairings = next(self._coming)
            self._pairings = list(pairings)
        return self._pairings, ()


def _swiss(
    spec: Spec, entrants: int, seats: int, allowed: tuple[int, ...], seed: Seed, groups: Groups
) -> Schedule:
    def plan(number: int, so_far: RoundsSoFar) -> PlannedRound:
        return swiss_round(
            so_far.history(),
            entrants=entrants,
            seats=seats,
            allowed_sizes=allowed,
            seed=seed,
            groups=groups,
        )

    return Schedule(plan, spec.rounds or default_rounds(entrants, seats), follows_results=True)


def _with_members(schedule: Schedule, sides: tuple[int, ...]) -> Schedule:
    """Return a schedule of teams as one of their members."""

    def plan(number: int, so_far: RoundsSoFar) -> PlannedRound:
        of_teams = replace(so_far, history=lambda: history_of_teams(so_far.history(), sides))
        pairings, byes = schedule.plan(number, of_teams)
        seated = [seat_teams(pairing, sides) for pairing in pairings]
        return seated, list(byes_of_members(byes, team_size(sides)))

    return replace(schedule, plan=plan)


def _ladder(spec: Spec, seats: int, allowed: tuple[int, ...], seed: Seed) -> Schedule:
    """Return a ladder; entrants without a seat have a bye, which is worth nothing."""
    top = spec.goal.top if spec.goal else WHOLE_ORDER
    parameters = spec.parameters()

    def plan(number: int, so_far: RoundsSoFar) -> PlannedRound:
        rng = Random(int.from_bytes(derive(seed, f"ladder round {number}")))
        pairings, byes = ladder_round(
            so_far.tables_sat,
            so_far.draws(rng),
            top=top,
            seats=seats,
            allowed_sizes=allowed,
            rng=rng,
            number=number,
            first_pairing=so_far.pairings,
            groups=so_far.groups,
        )
        kept = fewest(pairings, so_far.matches)
        idle = [Bye(number, entrant) for each in pairings[kept:] for entrant in each.seating]
        return pairings[:kept], [*byes, *idle]

    def fewest(pairings: Sequence[Pairing], matches: int) -> int:
        """Return how many pairings it takes to reach the limit of matches; all if they do not."""
        for count, pairing in enumerate(pairings, start=1):
            sides = spec.the_game.sides(len(pairing.seating), parameters)
            matches += spec.deals * len(rotations(sides))
            if spec.matches is not None and matches >= spec.matches:
                return count
        return len(pairings)

    return Schedule(
        plan,
        spec.rounds or 0,
        max_matches=spec.matches,
        follows_results=True,
        follows_strengths=True,
    )
