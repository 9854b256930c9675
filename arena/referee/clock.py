"""How much thinking time does a seat have?

Like a chess clock: each seat has a bank, spent while it thinks and topped up by an increment after
every decision. A batch of decisions that a bot makes together costs each of them its share. What is
spent is the time that passes or, by a cpu clock, the processor time that the bot uses: that is the
same however busy the machine is.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from arena.errors import BadInput

CORES = len(os.sched_getaffinity(0))
"""The most seconds of processor time that a bot can use in a second."""
WALL_FACTOR = 10
"""How many times as long a bot on a cpu clock may take as the same clock would let it think."""
WALL_GRACE_S = 30.0
"""And how much longer in a match: a short bank is no reason to hurry on a busy machine."""
_PATTERN = re.compile(r"(cpu:)?(\d{1,7}(?:\.\d{1,6})?)(?:\+(\d{1,7}(?:\.\d{1,6})?))?")


@dataclass(frozen=True, slots=True)
class Clock:
    """The thinking time of every seat in a match."""

    bank_s: float
    increment_s: float = 0.0
    counts_cpu: bool = False
    """Whether processor time is counted, not the time that passes."""

    def __post_init__(self) -> None:
        """Refuse a clock that nobody could play by."""
        if self.bank_s <= 0:
            raise BadInput(f"clock: a bank of {self.bank_s:g} seconds lets nobody think")

    def __str__(self) -> str:
        """Write the clock as it is read."""
        kind = "cpu:" if self.counts_cpu else ""
        return f"{kind}{_seconds(self.bank_s)}+{_seconds(self.increment_s)}"

    @property
    def wall(self) -> Clock:
        """The clock for the time that passes.

        Beside a cpu clock it is a generous one, which only catches bots that sleep. It has a bank
        for the match, too, so that a sleeper cannot hold up an event with every decision anew.
        """
        if not self.counts_cpu:
            return self
        return Clock(WALL_FACTOR * self.bank_s + WALL_GRACE_S, WALL_FACTOR * self.increment_s)


def read_clock(text: str) -> Clock:
    """Read a clock: "60+0.5" is a minute and half a second for each decision.

    "cpu:60+0.5" is as much in processor time.
    """
    found = _PATTERN.fullmatch(text.strip())
    if not found:
        raise BadInput(
            f"clock: {text[:40]!r} is not BANK+INC in seconds, such as 60+0.5 or 10, "
            "or cpu:60+0.5 for processor time"
        )
    return Clock(float(found[2]), float(found[3] or 0), counts_cpu=bool(found[1]))


def _seconds(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


DEFAULT_CLOCK = Clock(60.0, 0.5)
EVENT_CLOCK = Clock(10.0, 0.1, counts_cpu=True)
"""What an event has unless it says otherwise. Processor time, so that a result does not depend
on what else the machine does; and not much of it, because a bot that hangs holds up the event until
its clock has run out."""
