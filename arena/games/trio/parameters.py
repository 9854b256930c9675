"""The parameters of a match of Trio, and its winning conditions."""

from __future__ import annotations

from enum import Enum

from arena.games.parameters import BaseParameters
from arena.games.refusals import CAP_LIMIT, check_between
from arena.games.trio.cards import SEVEN, is_connected

TRIOS_TO_WIN = 3


class Mode(Enum):
    """Which trios win."""

    SIMPLE = "simple"
    """Any three."""
    SPICY = "spicy"
    """Two whose numbers are connected."""


class Parameters(BaseParameters):
    """The parameters of a match; rejects values that the rules do not allow."""

    mode: Mode = Mode.SIMPLE
    teams: bool = False
    turn_cap: int = 120
    """Turns of each seat after which the match ends."""

    def check(self) -> None:
        """Check the cap."""
        check_between("turn_cap", self.turn_cap, 1, CAP_LIMIT)


def has_won(pile: tuple[int, ...], mode: Mode) -> bool:
    """Return whether a pile of trios wins; each trio is given by its number."""
    # RULES 8: the sevens win in both modes, and connect to nothing.
    if SEVEN in pile:
        return True
    if mode is Mode.SIMPLE:
        return len(pile) >= TRIOS_TO_WIN
    return any(is_connected(one, other) for one in pile for other in pile)
