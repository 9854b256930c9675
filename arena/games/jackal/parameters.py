"""The parameters of a match of Jackal & High."""

from __future__ import annotations

from arena.errors import BadParameter
from arena.games.jackal.cards import PACK_NUMBERS
from arena.games.parameters import BaseParameters
from arena.games.refusals import CAP_LIMIT, check_between

MOST_PAWS = 9
# RULES 14: the minimum number of dice needed to reach the number.
DEFAULT_PAWS = tuple(1 if number < 8 else 2 if number < 17 else 3 for number in PACK_NUMBERS)


class Parameters(BaseParameters):
    """The parameters of a match; rejects values that the rules do not allow."""

    paws: tuple[int, ...] = DEFAULT_PAWS
    """The paws on the pack cards 1 to 7 and 9 to 21, in this order."""
    take2_paws: int = 2
    round_cap: int = 200

    def check(self) -> None:
        """Check that every kind of card has paws, and that the numbers are in bounds."""
        if len(self.paws) != len(PACK_NUMBERS):
            raise BadParameter(
                f"paws: {len(self.paws)} given, a match needs exactly {len(PACK_NUMBERS)}: "
                "one for each of the pack cards 1 to 7 and 9 to 21"
            )
        for paws in self.paws:
            check_between("paws", paws, 0, MOST_PAWS)
        check_between("take2_paws", self.take2_paws, 0, MOST_PAWS)
        check_between("round_cap", self.round_cap, 1, CAP_LIMIT)
