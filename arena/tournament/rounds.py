"""The rounds of an event so far, with their matches in the schedule's order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from arena.games.randomness import Seed
from arena.indices import EntrantIndex
from arena.scheduling.pairing import Bye, Pairing, PlannedMatch, generations_of
from arena.tournament.schedule import RoundsSoFar, Schedule
from leaderboard.sides import Sides

GENERATION_MATCHES = 1024
"""Rounds that do not depend on results are played together until a generation has this number of
matches: all bots start again with each one."""

Round = tuple[Sequence[Pairing], Sequence[Bye]]


class EventRounds:
    """The rounds of an event so far."""

    def __init__(
        self, schedule: Schedule, sides: Sides, *, secret: Seed, deals: int, may_stop: bool
    ) -> None:
        """Start before the first round; `may_stop`: the end of any may be the end of the event."""
        self.schedule = schedule
        self.number = 0
        """The number of the last round."""
        self.pairings: list[Pairing] = []
        self.byes: list[Bye] = []
        self.matches: list[PlannedMatch] = []
        """All matches, in the schedule's order."""
        self.generation_ends: list[int] = []
        """The number of matches up to the end of each generation."""
        self.tables_sat: Counter[EntrantIndex] = Counter()
        """The number of tables at which each entrant has sat."""
        self._sides = sides
        self._secret = secret
        self._deals = deals
        self._is_single = may_stop or schedule.follows_results or schedule.follows_strengths
        """Whether each round is played without the following ones."""
        self._ends: list[tuple[int, int]] = []
        """For each group of rounds that are played together, the last round and the number of
        matches up to its end."""

    def plan(self, so_far: RoundsSoFar) -> list[Round]:
        """Plan the rounds that are played together next; none if there are no more."""
        rounds: list[Round] = []
        while not self._is_enough(rounds):
            planned = self.schedule.round(self.number + len(rounds) + 1, so_far)
            if planned is None or not planned[0]:
                break
            rounds.append((list(planned[0]), sorted(planned[1])))
        return rounds

    def together(self, rounds: Iterable[Round]) -> Iterator[list[Round]]:
        """Put rounds that were planned earlier into the groups in which they are played."""
        group: list[Round] = []
        for each in rounds:
            group.append(each)
            if self._is_enough(group):
                yield group
                group = []
        if group:
            yield group

    def _is_enough(self, rounds: Sequence[Round]) -> bool:
        """Return whether rounds are played without the following ones."""
        if self._is_single:
            return bool(rounds)
        tables = sum(len(pairings) for pairings, _ in rounds)
        return self._deals * tables >= GENERATION_MATCHES

    def add(self, rounds: Sequence[Round]) -> None:
        """Add rounds that are played together, and their matches."""
        self.number += len(rounds)
        pairings = [pairing for pairings, _ in rounds for pairing in pairings]
        self.pairings += pairings
        self.byes += [bye for _, byes in rounds for bye in byes]
        for pairing in pairings:
            self.tables_sat.update(pairing.seating)
        for generation in generations_of(
            pairings,
            deals=self._deals,
            sides=self._sides,
            first=len(self.matches),
            secret=self._secret,
        ):
            self.matches += generation
            self.generation_ends.append(len(self.matches))
        self._ends.append((self.number, len(self.matches)))

    def is_end(self, number: int, counted: int) -> bool:
        """Return whether this number of results completes a round and those played with it."""
        return (number, counted) in self._ends

    def drop_after(self, number: int, counted: int) -> None:
        """Forget rounds that were planned ahead; `counted` matches are left."""
        self.number = number
        self.pairings = [pairing for pairing in self.pairings if pairing.round <= number]
        self.byes = [bye for bye in self.byes if bye.round <= number]
        self._ends = [end for end in self._ends if end[0] <= number]
        del self.matches[counted:]

    def has_more(self) -> bool:
        """Return whether no limit of the schedule is reached."""
        return self.schedule.has_round(self.number + 1, matches=len(self.matches))

    def expected_matches(self) -> int:
        """Estimate how many matches the event would have without a stop; 0 if that is not known."""
        return self.schedule.expected_matches(matches=len(self.matches), rounds=self.number)


def present_in(rounds: Iterable[Round]) -> set[EntrantIndex]:
    """Return who was present in rounds: those with a seat and those with a bye."""
    present: set[EntrantIndex] = set()
    for pairings, byes in rounds:
        present.update(bye.entrant for bye in byes)
        present.update(*(pairing.seating for pairing in pairings))
    return present
