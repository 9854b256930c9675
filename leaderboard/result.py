"""The result of a finished match, as the league stores it, and of two opponents."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from arena.games.randomness import Seed
from arena.indices import VersionId
from arena.records import SeatEnding, ServiceUse

PLAYED = SeatEnding.PLAYED.code
FORFEIT = "forfeit"
"""The ending of a match that was not played, and of the seats that caused it."""
SEAT_ENDINGS = {**{ending.code: ending.value for ending in SeatEnding}, FORFEIT: "forfeit"}
"""The wording of each code that a seat can have."""


def seat_ending_words(code: str) -> str:
    """Word a seat's ending for people; a code that no arena writes stays as it is."""
    return SEAT_ENDINGS.get(code, code)


class SeatResult(NamedTuple):
    """The result of one seat."""

    version: VersionId
    """The bot in this seat."""
    place: int
    score: int
    points: float
    """The points that its place is worth in the event, from 1 for first to 0 for last."""
    ending: str = PLAYED
    """The code of a `SeatEnding`, or `FORFEIT`."""
    sentence: str = ""
    """The fault in a sentence; empty if there was none."""
    printed: str = ""
    """The last output of its bot before the fault, stdout and stderr together."""
    breaks: int = 0
    """Failures that hit several matches at once and did not recur when they were repeated."""
    team: int | None = None
    """The number of its team; None if it played for itself."""
    answers: int | None = None
    """The decisions that its bot made; forced ones and those of a stand-in do not count."""
    time_us: int | None = None
    """The time on the clock of the match for all of them, in microseconds."""
    slowest_us: int | None = None
    """The time for the slowest of them."""
    cpu_us: int | None = None
    """CPU time for all of them; None if it was not measured."""
    memory_kib: int | None = None
    """Peak memory of its process until the match was over for it; None if it was not measured."""


def is_win(seat: int, places: Sequence[int], sides: Sequence[int]) -> bool:
    """Whether a seat has won: it is first, and no opponent shares its place.

    A match has one winner or none: nobody wins if the first place is shared, as it is when every
    seat has faulted. Partners win together. `IS_WIN` in file/views.py is the same in SQL.
    """
    return places[seat] == 1 and all(
        side == sides[seat] for place, side in zip(places, sides, strict=True) if place == 1
    )


class Machine(NamedTuple):
    """A machine of a cluster."""

    name: str
    speed: float
    """Pieces of a fixed work that a core does in a second."""


class MatchResult(NamedTuple):
    """A finished match of an event."""

    number: int
    """Its number in the event's schedule, from 0; ratings follow this order."""
    pairing: int
    """The number of its pairing."""
    deal: int
    rotation: int
    seed: Seed
    ending: str
    """The code of an `Ending`, or `FORFEIT`."""
    seats: tuple[SeatResult, ...]
    decisions: int
    time_ms: int
    cage: str
    """The cage that the bots ran in."""
    replay: bytes
    """Empty if it was not played."""
    rated: bool = True
    """Whether it counts for ratings, strengths and the totals beside them.

    A forfeit does not, nor does a match that repeats one of another event.
    """
    machine: Machine | None = None
    """Where it was played, if on a cluster."""
    models: tuple[tuple[int, ServiceUse], ...] = ()
    """What the language models among its players asked of their services, each with its seat."""

    @property
    def is_played(self) -> bool:
        """Whether it was played: a forfeit was not."""
        return self.ending != FORFEIT


class HeadToHead(NamedTuple):
    """Matches in which one finished ahead of the other, level with it, and behind it."""

    ahead: int = 0
    tied: int = 0
    behind: int = 0

    def plus(self, place: int, other_place: int) -> HeadToHead:
        """Add a match in which they had these places."""
        return HeadToHead(
            self.ahead + (place < other_place),
            self.tied + (place == other_place),
            self.behind + (place > other_place),
        )

    @property
    def matches(self) -> int:
        """The number of matches in which the two were opponents."""
        return self.ahead + self.tied + self.behind

    @property
    def share(self) -> Fraction:
        """The share of matches ahead; a tie counts as half."""
        return Fraction(2 * self.ahead + self.tied, 2 * self.matches)
