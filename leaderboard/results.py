"""What does the league keep of a finished match?"""

from __future__ import annotations

from typing import NamedTuple

from arena.games.randomness import Seed
from arena.records import SeatEnding

PLAYED = SeatEnding.PLAYED.value
FORFEIT = "forfeit"
"""The ending of a match that was not played, and of the seats for whose sake it was not."""


class SeatResult(NamedTuple):
    """How a match went for one seat."""

    version: int
    """Who sat there: the id of a bot's version."""
    place: int
    score: int
    points: float
    """What the place is worth in the event: 1 for the first to 0 for the last."""
    ending: str = PLAYED
    """A `SeatEnding`, in words, or `FORFEIT`."""
    sentence: str = ""
    """What it did wrong, if it did."""
    printed: str = ""
    """The last that it printed before that."""
    breaks: int = 0
    """How often it broke at several matches at once, and in none of them when played again."""


class Result(NamedTuple):
    """A finished match of an event."""

    number: int
    """Its place in the event's schedule, from 0: ratings are applied in this order."""
    pairing: int
    """The number of its pairing."""
    deal: int
    rotation: int
    seed: Seed
    ending: str
    """An `Ending`, in words, or `FORFEIT`."""
    seats: tuple[SeatResult, ...]
    decisions: int
    time_ms: int
    cage: str
    """How the bots were caged."""
    replay: bytes
    """Empty if it was not played."""
    rated: bool = True
    """Whether it moves ratings, and counts for all that is told beside them."""
