"""How a match ended, and the places and scores of its seats."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from arena.games.notation import Form, lines


class Ending(Enum):
    """How a match ended."""

    PLAYED_OUT = "played out"
    LENGTH_CAP = "length cap"

    @property
    def code(self) -> str:
        """The code for the league's file and for JSON; the value is the wording for people."""
        return self.name.lower()


class Outcome(NamedTuple):
    """The result of a finished match, seat by seat."""

    places: tuple[int, ...]
    """1 is best; seats that share a place share its number, and the next number is skipped."""
    scores: tuple[int, ...]
    """Trios, paws, points or lives, depending on the game."""
    ending: Ending


def places_by(merits: Sequence[int]) -> tuple[int, ...]:
    """Rank by merit, more being better, equals sharing a place: merits 5 7 5 give 2 1 2."""
    ordered = sorted(merits, reverse=True)
    return tuple(ordered.index(merit) + 1 for merit in merits)


outcome_form: Form[Outcome] = lines("an outcome", Outcome)
"""Outcomes as text, the same for every game."""
