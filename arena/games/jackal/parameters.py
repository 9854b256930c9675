"""The parameters of a match of Jackal & High."""

from __future__ import annotations

from arena.errors import BadParameter
from arena.games.jackal.cards import LUCKY8, PACK_NUMBERS, SPECIALS, TAKE2, pack_of
from arena.games.jackal.dice import DICE, FACES, MOST_SEATS
from arena.games.parameters import BaseParameters
from arena.games.refusals import CAP_LIMIT, check_between

MOST_PAWS = 9
MOST_CONTEST_ROLLS = 9
# RULES 14: the minimum number of dice needed to reach the number.
DEFAULT_PAWS = tuple(1 if number < 8 else 2 if number < 17 else 3 for number in PACK_NUMBERS)


class Parameters(BaseParameters):
    """The parameters of a match; rejects values that the rules do not allow."""

    paws: tuple[int, ...] = DEFAULT_PAWS
    """The paws on the pack cards 1 to 7 and 9 to 21, in this order."""
    take2_paws: int = 2
    round_cap: int = 200
    # RULES 22: smaller matches, for exact analysis.
    numbers: int = 0
    """Different numbers of pack cards, the lowest; 0 for all twenty."""
    specials: int = 0
    """Lucky8 cards, and as many Take2 cards; 0 for four of each."""
    dice: int = 0
    """Dice of each seat; 0 for three."""
    faces: int = 0
    """Faces of a die: 2, 4 or 8; 0 for eight."""
    contest_rolls: int = 0
    """Rolls after which a tie is decided by the turn order; 0 to roll until nobody ties."""
    brief = ("numbers", "specials", "dice", "faces", "contest_rolls")

    @property
    def pack(self) -> tuple[int, ...]:
        """The pack cards, ascending."""
        return pack_of(self.numbers)

    @property
    def special_cards(self) -> tuple[int, ...]:
        """The other cards."""
        count = self.specials or SPECIALS
        return (LUCKY8,) * count + (TAKE2,) * count

    @property
    def dice_count(self) -> int:
        """Dice of each seat, and turns in a round."""
        return self.dice or DICE

    @property
    def face_count(self) -> int:
        """Faces of a die."""
        return self.faces or FACES

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
        check_between("numbers", self.numbers, 0, len(PACK_NUMBERS))
        check_between("specials", self.specials, 0, SPECIALS)
        check_between("dice", self.dice, 0, DICE)
        check_between("contest_rolls", self.contest_rolls, 0, MOST_CONTEST_ROLLS)
        if self.faces not in (0, 2, 4, FACES):
            raise BadParameter(f"faces: a die has 2, 4 or {FACES}, not {self.faces}")
        if not seats_for(self):
            raise BadParameter(
                f"numbers: {len(self.pack)} pack cards are too few for the valley and a display"
            )


def seats_for(parameters: Parameters) -> tuple[int, ...]:
    """List the player counts: the first display must be complete, whatever is drawn."""
    if not parameters.numbers:
        return (2, 3, 4, 5)
    # One pack card lies in the valley, and at least one Lucky8 can be in the display.
    most = len(parameters.pack) - 1
    return tuple(range(2, min(MOST_SEATS, most) + 1))
