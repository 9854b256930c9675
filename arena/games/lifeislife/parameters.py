"""The parameters of a match of Life is Life."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.core import CAP_LIMIT, check_between


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a match; rejects values that the rules do not allow."""

    expert: bool = False
    turn_cap: int = 60
    """Turns of each player after which a round without a knock is scored."""
    round_cap: int = 200
    """Rounds after which the match is over."""

    def __post_init__(self) -> None:
        """Check the caps."""
        check_between("turn_cap", self.turn_cap, 1, CAP_LIMIT)
        check_between("round_cap", self.round_cap, 1, CAP_LIMIT)
