"""The course of an event: its rounds, points and suspensions, computed from results.

Results are counted in the schedule's order. Nothing is played or stored here, so a running event
and one that is verified years later go through the same code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.indices import EntrantIndex, VersionId
from arena.scheduling.groups import Groups
from arena.scheduling.pairing import Bye, Pairing, PlannedMatch, generations_of, rotations
from arena.scheduling.points import points_of
from arena.scheduling.swiss.history import History, Played
from arena.tournament.certainty import describe_known, is_known
from arena.tournament.evidence import Evidence
from arena.tournament.schedule import RoundsSoFar, Schedule
from arena.tournament.spec import Goal
from arena.workers.block import forfeit
from leaderboard.ratings.rater import START
from leaderboard.result import FORFEIT, PLAYED, MatchResult
from leaderboard.strength.strengths import Strengths

SUSPENDED_ABOVE = 0.25
"""A bot is suspended if it faults in more than this share of its matches."""
JUDGED_AFTER = 8
"""The number of matches before a bot can be suspended for faults."""
MAX_BREAKS = 3
"""A bot is suspended if it breaks more than this many times without a fault in a match."""
GENERATION_MATCHES = 1024
"""Rounds that do not depend on results are played together until a generation has so many matches:
all bots start again with each one."""

Round = tuple[Sequence[Pairing], Sequence[Bye]]


class Course:
    """The rounds of an event so far, with the points and suspensions that follow from them."""

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

        In a ladder, `groups_of` tells which of those that have come in never meet.
        """
        self.schedule = schedule
        self.versions = list(versions)
        self.pairings: list[Pairing] = []
        self.byes: list[Bye] = []
        self.matches: list[PlannedMatch] = []
        """All matches of the rounds so far, in the schedule's order."""
        self.round = 0
        self.counted = 0
        """The number of matches that have a result."""
        self.played: Counter[EntrantIndex] = Counter()
        """Matches by entrant, without forfeits."""
        self.faults: Counter[EntrantIndex] = Counter()
        self.breaks: Counter[EntrantIndex] = Counter()
        """Failures that voided matches and that no fault explains; each also counts as a fault."""
        field = map(EntrantIndex, range(len(versions)))
        self.points: dict[EntrantIndex, Fraction] = dict.fromkeys(field, Fraction())
        """By entrant, from the matches that were played."""
        self.suspended: dict[EntrantIndex, str] = {}
        """The suspended entrants, with the reason."""
        self.stopped: str | None = None
        """Why the event ended before its schedule did."""
        self._goal = goal
        self._groups_of = groups_of
        self.generation_ends: list[int] = []
        """The number of matches up to the end of each generation."""
        self._ends: list[tuple[int, int]] = []
        """For each group of rounds that are played together, the last round and the number of
        matches up to its end."""
        self._tables_sat: Counter[EntrantIndex] = Counter()
        self._evidence = Evidence() if goal or schedule.follows_strengths else None
        self._open_deals: dict[tuple[int, int], list[MatchResult]] = {}
        """The results so far of deals that are not complete, by pairing and deal."""
        self._game = game
        self._parameters = parameters
        self._secret = secret
        self._deals = deals
        self._points_by_pairing: dict[int, list[tuple[Fraction, ...]]] = {}
        """By pairing, the points of each match so far, in the order of the pairing's seating."""

    def add_entrant(self, version: VersionId) -> EntrantIndex:
        """Add a version that comes in while the event runs."""
        entrant = EntrantIndex(len(self.versions))
        self.versions.append(version)
        self.points[entrant] = Fraction()
        return entrant

    def next_rounds(self, present: Collection[EntrantIndex] | None = None) -> list[Round]:
        """Plan the rounds that are played together next; none if there are none, or results miss.

        In a ladder, `present` has those that have not left. If too few entrants are left to fill a
        table, the event is over.
        """
        rounds: list[Round] = []
        if self.stopped or (self.schedule.follows_results and self.counted < len(self.matches)):
            return rounds
        playing = self._playing(present)
        so_far = RoundsSoFar(
            self.history,
            partial(self._draws, playing),
            {entrant: self._tables_sat[entrant] for entrant in playing},
            len(self.pairings),
            len(self.matches),
            self._groups_of(self.versions[: self._come_in(playing)]),
        )
        while not self._is_enough(rounds):
            planned = self.schedule.round(self.round + len(rounds) + 1, so_far)
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
        """Return whether rounds are played without those that follow."""
        if self._evidence or self.schedule.follows_results:
            # The end of each round may be the end of the event, or decide about the next one.
            return bool(rounds)
        tables = sum(len(pairings) for pairings, _ in rounds)
        return self._deals * tables >= GENERATION_MATCHES

    def has_more_rounds(self) -> bool:
        """Return whether no limit of the schedule is reached."""
        return self.schedule.has_round(self.round + 1, matches=len(self.matches))

    def add_rounds(self, rounds: Sequence[Round]) -> None:
        """Add rounds that are played together, and their matches."""
        self.round += len(rounds)
        pairings = [pairing for pairings, _ in rounds for pairing in pairings]
        self.pairings += pairings
        self.byes += [bye for _, byes in rounds for bye in byes]
        for pairing in pairings:
            self._tables_sat.update(pairing.seating)
        for generation in generations_of(
            pairings,
            deals=self._deals,
            sides=self._sides,
            first=len(self.matches),
            secret=self._secret,
        ):
            self.matches += generation
            self.generation_ends.append(len(self.matches))
        self._ends.append((self.round, len(self.matches)))

    def forfeit_result(self, number: int) -> MatchResult | None:
        """Return the result of a match with a suspended entrant; None if it is to be played."""
        match = self.matches[number]
        if not any(entrant in self.suspended for entrant in match.seating):
            return None
        sides = self._game.sides(len(match.seating), self._parameters)
        return forfeit(match, sides, self.versions, self.suspended)

    def add_result(self, result: MatchResult) -> list[EntrantIndex]:
        """Count the result of the next match; return the entrants to be suspended for it."""
        match = self.matches[result.number]
        sides = self._game.sides(len(result.seats), self._parameters)
        points = points_of([seat.place for seat in result.seats], sides)
        gained = dict(zip(match.seating, points, strict=True))
        to_suspend = []
        for entrant, seat in zip(match.seating, result.seats, strict=True):
            if result.ending == FORFEIT:
                break
            self.points[entrant] += gained[entrant]
            self.played[entrant] += 1
            self.faults[entrant] += (seat.ending != PLAYED) + seat.breaks
            self.breaks[entrant] += seat.breaks
            if self._is_too_faulty(entrant):
                to_suspend.append(entrant)
        pairing = self.pairings[match.pairing]
        each = self._points_by_pairing.setdefault(match.pairing, [])
        each.append(tuple(gained[entrant] for entrant in pairing.seating))
        self.counted += 1
        if self._evidence:
            self._add_evidence(self._evidence, result)
        return to_suspend

    def _add_evidence(self, evidence: Evidence, result: MatchResult) -> None:
        """Count a result for the strengths; at the end of a round, see whether they suffice."""
        deal = self._open_deals.setdefault((result.pairing, result.deal), [])
        deal.append(result)
        if len(deal) == len(rotations(self._sides(len(result.seats)))):
            evidence.add_deal(deal, self._sides)
            del self._open_deals[result.pairing, result.deal]
        number = self.pairings[result.pairing].round
        if (number, self.counted) not in self._ends or not evidence.end_round(self.counted):
            return
        playing = {self.versions[entrant] for entrant in self._playing(self._present_in(number))}
        if self._goal and is_known(self._goal, evidence.strengths(), playing):
            self._drop_rounds_after(number)
            self.stop(
                describe_known(self._goal, played=self.counted, planned=self.expected_matches())
            )

    def strengths(self) -> Strengths:
        """Return the strengths at the last look; for an event that takes any."""
        assert self._evidence
        return self._evidence.strengths()

    def stop(self, reason: str) -> None:
        """End the event here, before its schedule does."""
        self.stopped = reason

    def expected_matches(self) -> int:
        """Estimate how many matches the event would have without a stop."""
        return self.schedule.expected_matches(matches=len(self.matches), rounds=self.round)

    def round_share(self) -> float:
        """Return the share of the current round's matches that have been counted."""
        first = self._ends[-2][1] if len(self._ends) > 1 else 0
        return (self.counted - first) / max(len(self.matches) - first, 1)

    def _present_in(self, number: int) -> Collection[EntrantIndex] | None:
        """Return who was there in a round of a ladder."""
        if not self.schedule.follows_strengths:
            return None
        seated = {
            e for pairing in self.pairings if pairing.round == number for e in pairing.seating
        }
        return seated | {bye.entrant for bye in self.byes if bye.round == number}

    def _playing(self, present: Collection[EntrantIndex] | None) -> list[EntrantIndex]:
        """List those present, or the whole field, without the suspended ones."""
        field = map(EntrantIndex, range(len(self.versions)))
        return [
            entrant
            for entrant in field
            if entrant not in self.suspended and (present is None or entrant in present)
        ]

    def _come_in(self, playing: Collection[EntrantIndex]) -> int:
        """Return how many entrants have come in, with those of the next round."""
        seen = (bye.entrant for bye in self.byes)
        return 1 + max((*playing, *self._tables_sat, *seen), default=-1)

    def _drop_rounds_after(self, number: int) -> None:
        """Forget rounds that were planned ahead."""
        self.round = number
        self.pairings = [pairing for pairing in self.pairings if pairing.round <= number]
        self.byes = [bye for bye in self.byes if bye.round <= number]
        self._ends = [end for end in self._ends if end[0] <= number]
        del self.matches[self.counted :]

    def _draws(
        self, playing: Sequence[EntrantIndex], rng: Random
    ) -> Iterator[dict[EntrantIndex, float]]:
        """Yield strengths as they may be; those without results follow the prior."""
        assert self._evidence
        versions = {entrant: self.versions[entrant] for entrant in playing}
        for drawn in self._evidence.draws(rng):
            yield {
                entrant: drawn[version] if version in drawn else rng.gauss(*START)
                for entrant, version in versions.items()
            }

    def _sides(self, seats: int) -> tuple[int, ...]:
        return self._game.sides(seats, self._parameters)

    def suspend(self, entrant: EntrantIndex) -> str:
        """Suspend an entrant, and return the reason."""
        breaks = self.breaks[entrant]
        if breaks > MAX_BREAKS:
            reason = (
                f"suspended after it broke {breaks} times and voided matches in which it did no "
                "wrong when they were played again"
            )
        else:
            reason = (
                f"suspended after faults in {self.faults[entrant]} of its first "
                f"{self.played[entrant]} matches"
            )
        self.suspended[entrant] = reason
        return reason

    def history(self) -> History:
        """Return the rounds so far with their results, for pairing the next one."""
        played = []
        for pairing in self.pairings:
            each = self._points_by_pairing[pairing.number]
            means = tuple(sum(gained, Fraction()) / len(each) for gained in zip(*each, strict=True))
            played.append(Played(pairing, means))
        return History(tuple(played), tuple(self.byes), frozenset(self.suspended))

    def _is_too_faulty(self, entrant: EntrantIndex) -> bool:
        if self.breaks[entrant] > MAX_BREAKS:
            return True
        played = self.played[entrant]
        return played >= JUDGED_AFTER and self.faults[entrant] > SUSPENDED_ABOVE * played
