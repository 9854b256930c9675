"""What can be set for a match of Jackal & High?"""

from __future__ import annotations

from dataclasses import dataclass

from arena.errors import BadParameter
from arena.games.jackal.cards import PACK_NUMBERS

MOST_PAWS = 9
MOST_ROUNDS = 10_000
# RULES 14: as many as the dice that the number takes at least.
DEFAULT_PAWS = tuple(1 if number < 8 else 2 if number < 17 else 3 for number in PACK_NUMBERS)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a match; refuses what the rules do not allow."""

    paws: tuple[int, ...] = DEFAULT_PAWS
    """The paws on the pack cards 1 to 7 and 9 to 21, in this order."""
    take2_paws: int = 2
    round_cap: int = 200

    def __post_init__(self) -> None:
        """Check that every kind of card has paws, and that the numbers are in bounds."""
        if len(self.paws) != len(PACK_NUMBERS):
            raise BadParameter(
                f"paws: {len(self.paws)} given, a match needs exactly {len(PACK_NUMBERS)}: "
                "one for each of the pack cards 1 to 7 and 9 to 21"
            )
        for paws in self.paws:
            if not 0 <= paws <= MOST_PAWS:
                raise BadParameter(f"paws: {paws} on a card, 0 to {MOST_PAWS} are allowed")
        if not 0 <= self.take2_paws <= MOST_PAWS:
            raise BadParameter(
                f"take2_paws: {self.take2_paws} on a card, 0 to {MOST_PAWS} are allowed"
            )
        if not 1 <= self.round_cap <= MOST_ROUNDS:
            raise BadParameter(
                f"round_cap: {self.round_cap} rounds, 1 to {MOST_ROUNDS} are allowed"
            )
