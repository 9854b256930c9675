"""The parameters of a match of MEOW."""

from __future__ import annotations

from enum import Enum

from arena.errors import BadParameter
from arena.games.meow.cards import FISH, TOKENS, VASE, WORTH_LIMIT
from arena.games.parameters import BaseParameters

BOWLS = (1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10)
BONES = (-1, -2, -3, -4, -5, -6, -8, -10)
# RULES 1: the sheet prints neither counts nor values; these are the default.
DEFAULT_TOKENS = BOWLS + BONES + (FISH,) * 4 + (VASE,) * 4


class Vases(Enum):
    """What broken vases cost."""

    PAIRS = "pairs"
    """20 for each full pair."""
    ONCE = "once"
    """20 for two or more."""


class Parameters(BaseParameters):
    """The parameters of a match; rejects values that the rules do not allow."""

    expert: bool = False
    tokens: tuple[int, ...] = DEFAULT_TOKENS
    vases: Vases = Vases.PAIRS

    def check(self) -> None:
        """Check the tokens: 27 of the four kinds, in any mix."""
        if len(self.tokens) != TOKENS:
            raise BadParameter(f"tokens: {len(self.tokens)} given, a match needs exactly {TOKENS}")
        for token in self.tokens:
            if token not in (FISH, VASE) and not 1 <= abs(token) <= WORTH_LIMIT:
                raise BadParameter(
                    f"tokens: {token} is no token: a bowl is worth 1 to {WORTH_LIMIT}, "
                    f"a bone -1 to -{WORTH_LIMIT}, and the others are fish and vase"
                )
