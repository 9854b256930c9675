"""How an entrant or a version did against an opponent."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class HeadToHead(NamedTuple):
    """Matches in which one finished ahead of the other, level with it, and behind it."""

    ahead: int = 0
    tied: int = 0
    behind: int = 0

    @property
    def matches(self) -> int:
        """The number of matches in which the two were opponents."""
        return self.ahead + self.tied + self.behind

    @property
    def share(self) -> Fraction:
        """The share of matches ahead; a tie counts as half."""
        return Fraction(2 * self.ahead + self.tied, 2 * self.matches)
