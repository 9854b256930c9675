"""The course of an event, computed from its results: rounds, points, suspensions and its end.

Results are counted in the schedule's order. Nothing is played or stored here, so a running event
and one that is verified years later go through the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.indices import EntrantIndex, VersionId
from arena.scheduling.groups import Groups
from arena.scheduling.swiss import History
from arena.tournament.certainty import describe_known, is_known
from arena.tournament.rounds import EventRounds, Round, present_in
from arena.tournament.schedule import RoundsSoFar, Schedule
from arena.tournament.scores import Scores
from arena.tournament.spec import Goal
from arena.tournament.strengths_so_far import StrengthsSoFar
from arena.workers.block import forfeit
from leaderboard.result import MatchResult


class Course:
    """An event so far: what was played, and what follows from it."""

    def __init__(
        self,
        game: AnyGame,
        parameters: Any,
        schedule: Schedule,
        versions: Sequence[VersionId],
        secret: Seed,
        deals: int,
        *,
        goal: Goal | None = None,
        groups_of: Callable[[Sequence[VersionId]], Groups] = lambda versions: (),
    ) -> None:
        """Start before the first round; `versions` is the field.

        In a ladder, `groups_of` tells which of the versions that have come in never meet.
        """
        self.versions = list(versions)
        self.rounds = EventRounds(
            schedule, self._sides, secret=secret, deals=deals, may_stop=goal is not None
        )
        self.scores = Scores()
        self.counted = 0
        """The number of matches that have a result."""
        self.suspended: dict[EntrantIndex, str] = {}
        """The suspended entrants, with the reason."""
        self.stopped: str | None = None
        """Why the event ended before its schedule did."""
        self._game = game
        self._parameters = parameters
        self._goal = goal
        self._groups_of = groups_of
        follows = goal or schedule.follows_strengths
        self._strengths = StrengthsSoFar(self._sides) if follows else None

    def add_entrant(self, version: VersionId) -> EntrantIndex:
        """Add a version that comes in while the event runs."""
        self.versions.append(version)
        return EntrantIndex(len(self.versions) - 1)

    def next_rounds(self, present: Collection[EntrantIndex] | None = None) -> list[Round]:
        """Plan the rounds that are played together next; none if there are none, or results miss.

        In a ladder, `present` has the entrants that have not left. If too few entrants are left to
        fill a table, the event is over.
        """
        rounds = self.rounds
        is_complete = self.counted == len(rounds.matches)
        if self.stopped or (rounds.schedule.follows_results and not is_complete):
            return []
        playing = self._playing(present)
        strengths = self._strengths
        versions = {entrant: self.versions[entrant] for entrant in playing}
        seen = (bye.entrant for bye in rounds.byes)
        come_in = 1 + max((*playing, *rounds.tables_sat, *seen), default=-1)
        so_far = RoundsSoFar(
            self.history,
            lambda rng: strengths.draws(versions, rng) if strengths else iter(()),
            {entrant: rounds.tables_sat[entrant] for entrant in playing},
            len(rounds.pairings),
            len(rounds.matches),
            self._groups_of(self.versions[:come_in]),
        )
        return rounds.plan(so_far)

    def history(self) -> History:
        """Return the rounds so far with their results, for pairing the next one."""
        played = self.scores.of_pairings(self.rounds.pairings)
        return History(played, tuple(self.rounds.byes), frozenset(self.suspended))

    def forfeit_result(self, number: int) -> MatchResult | None:
        """Return the result of a match with a suspended entrant; None if it is to be played."""
        match = self.rounds.matches[number]
        if not any(entrant in self.suspended for entrant in match.seating):
            return None
        return forfeit(match, self._sides(len(match.seating)), self.versions, self.suspended)

    def add_result(self, result: MatchResult) -> list[EntrantIndex]:
        """Count the result of the next match; return the entrants to be suspended for it."""
        match = self.rounds.matches[result.number]
        to_suspend = self.scores.add(match, result, self._sides(len(result.seats)))
        self.counted += 1
        if self._strengths:
            self._strengths.add(result)
            number = self.rounds.pairings[result.pairing].round
            if self.rounds.is_end(number, self.counted):
                self._end_round(number, self._strengths)
        return to_suspend

    def _end_round(self, number: int, strengths: StrengthsSoFar) -> None:
        """End the event after a round if its goal is reached."""
        if not strengths.end_round(self.counted) or not self._goal:
            return
        rounds = self.rounds
        present = None
        if rounds.schedule.follows_strengths:
            pairings = [pairing for pairing in rounds.pairings if pairing.round == number]
            present = present_in([(pairings, [bye for bye in rounds.byes if bye.round == number])])
        playing = {self.versions[entrant] for entrant in self._playing(present)}
        if is_known(self._goal, strengths.fitted(), playing):
            rounds.drop_after(number, self.counted)
            planned = rounds.expected_matches()
            self.stopped = describe_known(self._goal, played=self.counted, planned=planned)

    def suspend(self, entrant: EntrantIndex) -> str:
        """Suspend an entrant, and return the reason."""
        self.suspended[entrant] = self.scores.reason_to_suspend(entrant)
        return self.suspended[entrant]

    def _playing(self, present: Collection[EntrantIndex] | None) -> list[EntrantIndex]:
        """List those present, or the whole field, without the suspended ones."""
        field: Iterable[EntrantIndex] = map(EntrantIndex, range(len(self.versions)))
        if present is not None:
            field = sorted(present)
        return [entrant for entrant in field if entrant not in self.suspended]

    def _sides(self, seats: int) -> tuple[int, ...]:
        return self._game.sides(seats, self._parameters)
