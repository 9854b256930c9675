"""The course of an event: its rounds, points and suspensions, computed from results.

Results are counted in the schedule's order. Nothing is played or stored here, so a running event
and one that is verified years later go through the same code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.indices import EntrantIndex, VersionId
from arena.scheduling.pairing import Bye, Pairing, deal_seed, matches_of
from arena.scheduling.points import points_of
from arena.scheduling.swiss.history import History, Played
from arena.secret import match_salt
from arena.tournament.schedule import Schedule
from arena.workers.block import DealtMatch, forfeit
from leaderboard.result import FORFEIT, PLAYED, MatchResult

SUSPENDED_ABOVE = 0.25
"""A bot is suspended if it faults in more than this share of its matches."""
JUDGED_AFTER = 8
"""The number of matches before a bot can be suspended for faults."""
MAX_BREAKS = 3
"""A bot is suspended if it breaks more than this many times without a fault in a match."""


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
    ) -> None:
        """Start before the first round; `versions` is the field."""
        self.schedule = schedule
        self.versions = versions
        self.pairings: list[Pairing] = []
        self.byes: list[Bye] = []
        self.matches: list[DealtMatch] = []
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
        self._game = game
        self._parameters = parameters
        self._secret = secret
        self._deals = deals
        self._points_by_pairing: dict[int, list[tuple[Fraction, ...]]] = {}
        """By pairing, the points of each match so far, in the order of the pairing's seating."""

    def next_round(self) -> tuple[list[Pairing], list[Bye]] | None:
        """Plan the next round; None if there is none, or if results are missing.

        If too few entrants are left to fill a table, the event is over.
        """
        if self.schedule.follows_results and self.counted < len(self.matches):
            return None
        planned = self.schedule.round(self.round + 1, self.history)
        if planned is None or not planned[0]:
            return None
        return list(planned[0]), sorted(planned[1])

    def add_round(self, pairings: Sequence[Pairing], byes: Sequence[Bye]) -> None:
        """Add a round and its matches."""
        self.round += 1
        self.byes += byes
        for pairing in pairings:
            self.pairings.append(pairing)
            sides = self._game.sides(len(pairing.seating), self._parameters)
            first = len(self.matches)
            for match in matches_of(pairing, deals=self._deals, sides=sides, first=first):
                seed = deal_seed(self._secret, pairing, match.deal)
                self.matches.append(DealtMatch(match, seed, match_salt(self._secret, match.number)))

    def forfeit_result(self, number: int) -> MatchResult | None:
        """Return the result of a match with a suspended entrant; None if it is to be played."""
        match, seed, _ = self.matches[number]
        if not any(entrant in self.suspended for entrant in match.seating):
            return None
        sides = self._game.sides(len(match.seating), self._parameters)
        return forfeit(match, seed, sides, self.versions, self.suspended)

    def add_result(self, result: MatchResult) -> list[EntrantIndex]:
        """Count the result of the next match; return the entrants to be suspended for it."""
        match = self.matches[result.number].match
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
        return to_suspend

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
