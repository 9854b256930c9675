"""What can be set for a match of Life is Life?"""

from __future__ import annotations

from dataclasses import dataclass

from arena.errors import BadParameter

CAP_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a match; refuses what the rules do not allow."""

    expert: bool = False
    turn_cap: int = 60
    """After so many turns of each player without a knock, a round is scored."""
    round_cap: int = 200
    """After so many rounds the match is over."""

    def __post_init__(self) -> None:
        """Check the caps."""
        for name, cap in (("turn_cap", self.turn_cap), ("round_cap", self.round_cap)):
            if not 1 <= cap <= CAP_LIMIT:
                raise BadParameter(f"{name}: {cap} is not a cap: it is 1 to {CAP_LIMIT}")
