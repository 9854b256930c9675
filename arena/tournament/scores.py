"""The points of an event's entrants, and their faults."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

from arena.indices import EntrantIndex
from arena.scheduling.pairing import Pairing, PlannedMatch
from arena.scheduling.points import points_of
from arena.scheduling.swiss import Played
from leaderboard.result import PLAYED, MatchResult

SUSPENDED_ABOVE = 0.25
"""A bot is suspended if it faults in more than this share of its matches."""
JUDGED_AFTER = 8
"""The number of matches before a bot can be suspended for faults."""
MAX_BREAKS = 3
"""A bot is suspended if it breaks more than this many times without a fault in a match."""


class Scores:
    """What an event's entrants have gained so far, and how often they have failed."""

    def __init__(self) -> None:
        """Start without results."""
        self.points: defaultdict[EntrantIndex, Fraction] = defaultdict(Fraction)
        """By entrant, from the matches that were played."""
        self.played: Counter[EntrantIndex] = Counter()
        """Matches by entrant, without forfeits."""
        self.faults: Counter[EntrantIndex] = Counter()
        self.breaks: Counter[EntrantIndex] = Counter()
        """Failures that voided matches and that no fault explains; each also counts as a fault."""
        self._of_pairings: defaultdict[int, list[dict[EntrantIndex, Fraction]]] = defaultdict(list)
        """By pairing, the points of each match so far."""

    def add(
        self, match: PlannedMatch, result: MatchResult, sides: tuple[int, ...]
    ) -> list[EntrantIndex]:
        """Count the result of a match; return the entrants that have faulted too often."""
        points = points_of([seat.place for seat in result.seats], sides)
        self._of_pairings[match.pairing].append(dict(zip(match.seating, points, strict=True)))
        if not result.is_played:
            return []
        for entrant, gained, seat in zip(match.seating, points, result.seats, strict=True):
            self.points[entrant] += gained
            self.played[entrant] += 1
            self.faults[entrant] += (seat.ending != PLAYED) + seat.breaks
            self.breaks[entrant] += seat.breaks
        return [entrant for entrant in match.seating if self._is_too_faulty(entrant)]

    def _is_too_faulty(self, entrant: EntrantIndex) -> bool:
        if self.breaks[entrant] > MAX_BREAKS:
            return True
        played = self.played[entrant]
        return played >= JUDGED_AFTER and self.faults[entrant] > SUSPENDED_ABOVE * played

    def reason_to_suspend(self, entrant: EntrantIndex) -> str:
        """Say why an entrant is suspended."""
        if self.breaks[entrant] > MAX_BREAKS:
            return (
                f"suspended after it broke {self.breaks[entrant]} times and voided matches in "
                "which it did no wrong when they were played again"
            )
        return (
            f"suspended after faults in {self.faults[entrant]} of its first "
            f"{self.played[entrant]} matches"
        )

    def of_pairings(self, pairings: Sequence[Pairing]) -> tuple[Played, ...]:
        """Return pairings with the mean points of their entrants, in the order of the seating."""
        played = []
        for pairing in pairings:
            each = self._of_pairings[pairing.number]
            sums = (sum((points[one] for points in each), Fraction()) for one in pairing.seating)
            played.append(Played(pairing, tuple(gained / len(each) for gained in sums)))
        return tuple(played)
