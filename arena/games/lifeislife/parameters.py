"""The parameters of a match of Life is Life."""

from __future__ import annotations

from arena.games.parameters import BaseParameters
from arena.games.refusals import CAP_LIMIT, check_between


class Parameters(BaseParameters):
    """The parameters of a match; rejects values that the rules do not allow."""

    expert: bool = False
    turn_cap: int = 60
    """Turns of each player after which a round without a knock is scored."""
    round_cap: int = 200
    """Rounds after which the match is over."""

    def check(self) -> None:
        """Check the caps."""
        check_between("turn_cap", self.turn_cap, 1, CAP_LIMIT)
        check_between("round_cap", self.round_cap, 1, CAP_LIMIT)
