"""The parameters of a match of MEOW."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from arena.errors import BadParameter
from arena.games.meow.cards import FISH, HAND, RANKS, ROUNDS, VASE, WORTH_LIMIT, Token
from arena.games.notation import Flag
from arena.games.parameters import BaseParameters
from arena.games.refusals import check_between
from arena.text import quantity

BOWLS = (1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10)
BONES = (-1, -2, -3, -4, -5, -6, -8, -10)
# RULES 1: the sheet prints neither counts nor values; these are the default.
DEFAULT_TOKENS = (*map(Token, BOWLS + BONES), *(FISH,) * 4, *(VASE,) * 4)


class Vases(Enum):
    """What broken vases cost."""

    PAIRS = "pairs"
    """20 for each full pair."""
    ONCE = "once"
    """20 for two or more."""


class Parameters(BaseParameters):
    """The parameters of a match; rejects values that the rules do not allow."""

    expert: bool = False
    tokens: tuple[Token, ...] = DEFAULT_TOKENS
    vases: Annotated[Vases, Flag(Vases.PAIRS, Vases.ONCE)] = Vases.PAIRS
    # RULES 13: smaller matches, for exact analysis.
    ranks: int = 0
    """Cards of each colour; 0 for all eighteen."""
    hand: int = 0
    """Cards that each seat is dealt in a round, and tokens in a row; 0 for nine."""
    rounds: int = 0
    """Rounds; 0 for three."""
    brief = ("ranks", "hand", "rounds")

    @property
    def hand_size(self) -> int:
        """Cards that each seat is dealt in a round."""
        return self.hand or HAND

    @property
    def round_count(self) -> int:
        """How many rounds are played."""
        return self.rounds or ROUNDS

    def check(self) -> None:
        """Check the tokens: as many as there are tricks, of the four kinds, in any mix."""
        self.__dict__["tokens"] = tuple(map(Token, self.tokens))  # plain numbers will do
        check_between("ranks", self.ranks, 0, RANKS)
        check_between("hand", self.hand, 0, HAND)
        check_between("rounds", self.rounds, 0, ROUNDS)
        if self.expert and self.ranks:
            raise BadParameter("ranks: the expert game itself sets how many ranks are played with")
        if 0 < 3 * self.ranks < 2 * self.hand_size:
            raise BadParameter(
                f"ranks: {self.ranks} of each colour are too few for two hands of {self.hand_size}"
            )
        needed = self.hand_size * self.round_count
        if len(self.tokens) != needed:
            raise BadParameter(
                f"tokens: {len(self.tokens)} given, but {quantity(self.round_count, 'round')} of "
                f"{quantity(self.hand_size, 'trick')} need exactly {needed}: set rounds, hand and "
                "tokens together"
            )
        for token in self.tokens:
            if token not in (FISH, VASE) and not 1 <= abs(token) <= WORTH_LIMIT:
                raise BadParameter(
                    f"tokens: {int(token)} is not a token: a bowl is worth 1 to {WORTH_LIMIT}, "
                    f"a bone -1 to -{WORTH_LIMIT}, and the others are fish and vase"
                )
