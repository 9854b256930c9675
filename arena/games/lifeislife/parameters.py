"""The parameters of a match of Life is Life."""

from __future__ import annotations

from arena.errors import BadParameter
from arena.games.lifeislife.cards import ANIMALS, HAND, LIVES, ROWS, VALUES, Pack, pack_of
from arena.games.parameters import BaseParameters
from arena.games.refusals import CAP_LIMIT, check_between

MOST_SEATS = 5


class Parameters(BaseParameters):
    """The parameters of a match; rejects values that the rules do not allow."""

    expert: bool = False
    turn_cap: int = 60
    """Turns of each player after which a round without a knock is scored."""
    round_cap: int = 200
    """Rounds after which the match is over."""
    # RULES 15: smaller matches, for exact analysis.
    kinds: int = 0
    """Different animals, those with the fewest cards; 0 for all ten."""
    copies: int = 0
    """Cards that an animal has at most; 0 for as many as usual."""
    hand: int = 0
    """Cards that each player is dealt; 0 for ten."""
    rows: int = 0
    """Rows; 0 for four."""
    lives: int = 0
    """Lives of each player at the beginning; 0 for five."""
    brief = ("kinds", "copies", "hand", "rows", "lives")

    @property
    def pack(self) -> Pack:
        """The cards."""
        return pack_of(expert=self.expert, kinds=self.kinds, copies=self.copies)

    @property
    def hand_size(self) -> int:
        """Cards that each player is dealt."""
        return self.hand or HAND

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return self.rows or ROWS

    @property
    def cards_in_rows(self) -> int:
        """How many cards all rows have together."""
        rows = self.rows or ROWS
        return rows * (rows + 1) // 2

    @property
    def life_count(self) -> int:
        """Lives of each player at the beginning."""
        return self.lives or LIVES

    def check(self) -> None:
        """Check the caps, and that a small match can be played."""
        check_between("turn_cap", self.turn_cap, 1, CAP_LIMIT)
        check_between("round_cap", self.round_cap, 1, CAP_LIMIT)
        check_between("kinds", self.kinds, 0, len(ANIMALS))
        check_between("copies", self.copies, 0, max(VALUES))
        if self.hand:
            check_between("hand", self.hand, 2, HAND)
        check_between("rows", self.rows, 0, ROWS)
        check_between("lives", self.lives, 0, LIVES)
        size = self.hand_size
        if max(self.pack.values) >= size:
            raise BadParameter(
                f"hand: {size} cards of one animal could not be swapped for another one of it, so "
                f"an animal may have at most {size - 1} cards: set copies"
            )
        if self.row_count > size:
            raise BadParameter(
                f"rows: a hand of {size} cards is too small for a row of {self.row_count}"
            )
        if not seats_for(self):
            raise BadParameter(
                f"{len(self.pack.cards)} cards: too few for {self.cards_in_rows} in rows and "
                f"{2 if self.hand else 3} hands of {size}"
            )


def seats_for(parameters: Parameters) -> tuple[int, ...]:
    """List the player counts: there must be a hand for everyone."""
    if not (parameters.kinds or parameters.copies or parameters.hand or parameters.rows):
        return (3, 4, 5)
    # RULES 15: two can play a match with small hands.
    least = 2 if parameters.hand else 3
    left = len(parameters.pack.cards) - parameters.cards_in_rows
    most = min(MOST_SEATS, left // parameters.hand_size)
    return tuple(range(least, most + 1))
