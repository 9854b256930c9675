"""Where does an event stand, given its results so far?

All that follows from results follows here, and from the schedule's order alone: points, who is
suspended, who is paired next. Nothing is played or stored, so that an event in play and one that is
checked years later go through the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from arena.events.schedule import Schedule
from arena.events.work import DealtMatch, forfeit
from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.scheduling.pairing import Bye, Pairing, deal_seed, matches_of
from arena.scheduling.points import points_of
from arena.scheduling.swiss.history import History, Played
from arena.secret import match_salt
from leaderboard.results import FORFEIT, PLAYED, Result

SUSPENDED_ABOVE = 0.25
"""A bot that faults in a larger share of its matches is suspended."""
JUDGED_AFTER = 8
"""No bot is suspended for faults before it has played so many matches."""
MOST_BREAKS = 3
"""A bot that breaks more often without a match to blame is suspended."""


class Course:
    """The plan of an event as far as it is settled, and what its results come to."""

    def __init__(
        self,
        game: AnyGame,
        parameters: Any,
        schedule: Schedule,
        versions: Sequence[int],
        secret: Seed,
        deals: int,
    ) -> None:
        """Begin with nothing planned; `versions` are the league's ids of the field."""
        self.schedule = schedule
        self.versions = versions
        self.pairings: list[Pairing] = []
        self.byes: list[Bye] = []
        self.matches: list[DealtMatch] = []
        """Every match of the rounds so far, in the schedule's order."""
        self.round = 0
        self.counted = 0
        """How many matches have their result."""
        self.played: Counter[int] = Counter()
        """By entrant, as all that follows; forfeits are not played."""
        self.faults: Counter[int] = Counter()
        self.breaks: Counter[int] = Counter()
        """Breakages that voided matches and that no fault explains; each counts as a fault, too."""
        self.points: dict[int, Fraction] = dict.fromkeys(range(len(versions)), Fraction())
        """From the matches that were played."""
        self.suspended: dict[int, str] = {}
        """Who plays no more, and why."""
        self._game = game
        self._parameters = parameters
        self._secret = secret
        self._deals = deals
        self._points_in: dict[int, list[tuple[Fraction, ...]]] = {}
        """By pairing, the points of its entrants in each match so far, in seating order."""

    def next_round(self) -> tuple[list[Pairing], list[Bye]] | None:
        """Work out who meets in the next round; None if there is none, or not yet.

        When so many are suspended that no table can be filled any more, the event is over.
        """
        if self.schedule.follows_results and self.counted < len(self.matches):
            return None
        planned = self.schedule.round(self.round + 1, self.history)
        if planned is None or not planned[0]:
            return None
        return list(planned[0]), sorted(planned[1])

    def add_round(self, pairings: Sequence[Pairing], byes: Sequence[Bye]) -> None:
        """Settle a round."""
        self.round += 1
        self.byes += byes
        for pairing in pairings:
            self.pairings.append(pairing)
            sides = self._game.sides(len(pairing.seating), self._parameters)
            first = len(self.matches)
            for match in matches_of(pairing, deals=self._deals, sides=sides, first=first):
                seed = deal_seed(self._secret, pairing, match.deal)
                self.matches.append(DealtMatch(match, seed, match_salt(self._secret, match.number)))

    def forfeited(self, number: int) -> Result | None:
        """Return the result of a match that is not to be played; None if it is."""
        match, seed, _ = self.matches[number]
        if not any(entrant in self.suspended for entrant in match.seating):
            return None
        sides = self._game.sides(len(match.seating), self._parameters)
        return forfeit(match, seed, sides, self.versions, self.suspended)

    def count(self, result: Result) -> list[int]:
        """Take the next match's result; return who is to be suspended for it."""
        match = self.matches[result.number].match
        sides = self._game.sides(len(result.seats), self._parameters)
        points = points_of([seat.place for seat in result.seats], sides)
        gained = dict(zip(match.seating, points, strict=True))
        accused = []
        for entrant, seat in zip(match.seating, result.seats, strict=True):
            if result.ending == FORFEIT:
                break
            self.points[entrant] += gained[entrant]
            self.played[entrant] += 1
            self.faults[entrant] += (seat.ending != PLAYED) + seat.breaks
            self.breaks[entrant] += seat.breaks
            if self._is_too_faulty(entrant):
                accused.append(entrant)
        pairing = self.pairings[match.pairing]
        each = self._points_in.setdefault(match.pairing, [])
        each.append(tuple(gained[entrant] for entrant in pairing.seating))
        self.counted += 1
        return accused

    def suspend(self, entrant: int) -> str:
        """Let a bot play no more, and return the reason."""
        breaks = self.breaks[entrant]
        if breaks > MOST_BREAKS:
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
        """Return all rounds so far, each with its results, as pairing the next one needs them."""
        played = []
        for pairing in self.pairings:
            each = self._points_in[pairing.number]
            means = tuple(sum(gained, Fraction()) / len(each) for gained in zip(*each, strict=True))
            played.append(Played(pairing, means))
        return History(tuple(played), tuple(self.byes), frozenset(self.suspended))

    def _is_too_faulty(self, entrant: int) -> bool:
        if self.breaks[entrant] > MOST_BREAKS:
            return True
        played = self.played[entrant]
        return played >= JUDGED_AFTER and self.faults[entrant] > SUSPENDED_ABOVE * played
