"""How much thinking time does a seat have?

Like a chess clock: each seat has a bank, spent while it thinks and topped up by an increment after
every decision. A batch of decisions that a bot makes together costs each of them its share.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from arena.errors import BadInput

_PATTERN = re.compile(r"(\d{1,7}(?:\.\d{1,6})?)(?:\+(\d{1,7}(?:\.\d{1,6})?))?")


@dataclass(frozen=True, slots=True)
class Clock:
    """The thinking time of every seat in a match."""

    bank_s: float
    increment_s: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a clock that nobody could play by."""
        if self.bank_s <= 0:
            raise BadInput(f"clock: a bank of {self.bank_s:g} seconds lets nobody think")

    def __str__(self) -> str:
        """Write the clock as it is read."""
        return f"{self.bank_s:g}+{self.increment_s:g}"


def read_clock(text: str) -> Clock:
    """Read a clock: "60+0.5" is a minute and half a second for each decision."""
    found = _PATTERN.fullmatch(text.strip())
    if not found:
        raise BadInput(f"clock: {text[:40]!r} is not BANK+INC in seconds, such as 60+0.5 or 10")
    return Clock(float(found[1]), float(found[2] or 0))


DEFAULT_CLOCK = Clock(60.0, 0.5)
