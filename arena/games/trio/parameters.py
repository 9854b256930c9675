"""The parameters of a match of Trio, and its winning conditions."""

from __future__ import annotations

from enum import Enum

from arena.errors import BadParameter
from arena.games.parameters import BaseParameters
from arena.games.refusals import CAP_LIMIT, check_between
from arena.games.trio.cards import (
    COPIES,
    HAND_SIZE,
    MOST_IN_HAND,
    NUMBERS,
    SEATS,
    SEVEN,
    SLOTS,
    is_connected,
)

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
    # RULES 17: smaller matches, for exact analysis.
    numbers: int = 0
    """Different numbers in the deck, from 1; 0 for all twelve."""
    hand: int = 0
    """Cards that each seat is dealt; 0 for as many as usual. In teams, all cards are dealt."""
    trios: int = 0
    """Trios that win in the simple mode; 0 for three."""
    brief = ("numbers", "hand", "trios")

    @property
    def deck_size(self) -> int:
        """How many cards there are."""
        return COPIES * (self.numbers or NUMBERS)

    @property
    def trios_to_win(self) -> int:
        """Trios that win in the simple mode."""
        return self.trios or TRIOS_TO_WIN

    def check(self) -> None:
        """Check the cap, and that someone can play a small match."""
        check_between("turn_cap", self.turn_cap, 1, CAP_LIMIT)
        check_between("numbers", self.numbers, 0, NUMBERS)
        check_between("hand", self.hand, 0, MOST_IN_HAND)
        check_between("trios", self.trios, 0, TRIOS_TO_WIN)
        if self.teams and self.hand:
            raise BadParameter("hand: in teams all cards are dealt, whatever their number")
        if not seats_for(self):
            raise BadParameter(
                f"{self.deck_size} cards: no number of players can share them, with at most "
                f"{MOST_IN_HAND} in a hand and {SLOTS} in the centre"
            )


def seats_for(parameters: Parameters) -> tuple[int, ...]:
    """List the player counts: all cards must fit into the hands and the centre."""
    if parameters.teams:
        least, step = 4, 2
    else:
        # RULES 17: two can play a small match.
        least, step = 2 if parameters.hand else 3, 1
    counts = []
    for seats in range(least, SEATS + 1, step):
        size = hand_size(seats, parameters)
        rest = parameters.deck_size - seats * size
        most_left = 0 if parameters.teams else SLOTS
        if 0 < size <= MOST_IN_HAND and 0 <= rest <= most_left:
            counts.append(seats)
    return tuple(counts)


def hand_size(seats: int, parameters: Parameters) -> int:
    """Return how many cards each seat is dealt."""
    # RULES 1, 2
    if parameters.teams:
        return parameters.deck_size // seats
    return parameters.hand or HAND_SIZE[seats]


def has_won(pile: tuple[int, ...], mode: Mode, trios_to_win: int = TRIOS_TO_WIN) -> bool:
    """Return whether a pile of trios wins; each trio is given by its number."""
    # RULES 8: the sevens win in both modes, and connect to nothing.
    if SEVEN in pile:
        return True
    if mode is Mode.SIMPLE:
        return len(pile) >= trios_to_win
    return any(is_connected(one, other) for one in pile for other in pile)
