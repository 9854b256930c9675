"""Clocks: how much thinking time a seat has.

As with a chess clock, each seat has a bank of time, which runs down while it thinks, and an
increment after every decision. When a bot makes several decisions in one batch, they share the
cost. A clock counts elapsed time or, with `cpu:`, the CPU time of the bot, which does not
depend on how busy the machine is.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from arena.errors import BadInput

CORES = len(os.sched_getaffinity(0))
"""Maximum CPU time that a bot can use per second, in seconds."""
WALL_FACTOR = 10
"""With a cpu clock, the wall clock is this many times as long."""
WALL_GRACE_S = 30.0
"""Added to the bank of that wall clock, so that a short bank suffices on a busy machine."""
_NONE = "none"
_PATTERN = re.compile(r"(cpu:)?(\d{1,7}(?:\.\d{1,6})?)(?:\+(\d{1,7}(?:\.\d{1,6})?))?")


@dataclass(frozen=True, slots=True)
class Clock:
    """The thinking time of each seat in a match."""

    bank_s: float
    increment_s: float = 0.0
    counts_cpu: bool = False
    """Whether to count CPU time instead of elapsed time."""

    def __post_init__(self) -> None:
        """Reject a clock that leaves no time to think."""
        if self.bank_s <= 0:
            raise BadInput(f"clock: a bank of {self.bank_s:g} seconds leaves no time to think")

    def __str__(self) -> str:
        """Return the clock in the form that `read_clock` accepts."""
        if self == NO_CLOCK:
            return _NONE
        kind = "cpu:" if self.counts_cpu else ""
        return f"{kind}{_seconds(self.bank_s)}+{_seconds(self.increment_s)}"

    @property
    def wall(self) -> Clock:
        """The clock that counts elapsed time.

        Next to a cpu clock it is generous and only catches bots that sleep. It also has a bank for
        the whole match, so that such a bot cannot delay an event with every decision.
        """
        if not self.counts_cpu:
            return self
        return Clock(WALL_FACTOR * self.bank_s + WALL_GRACE_S, WALL_FACTOR * self.increment_s)


def read_clock(text: str | Clock) -> Clock:
    """Parse a clock, unless it is one.

    "60+0.5" is one minute, plus half a second for each decision; "cpu:60+0.5" is the same in
    CPU time. "none" is `NO_CLOCK`.
    """
    if isinstance(text, Clock):
        return text
    if text.strip() == _NONE:
        return NO_CLOCK
    found = _PATTERN.fullmatch(text.strip())
    if not found:
        raise BadInput(
            f"clock: {text[:40]!r} is not BANK+INC in seconds, such as 60+0.5 or 10, "
            "or cpu:60+0.5 for CPU time"
        )
    return Clock(float(found[2]), float(found[3] or 0), counts_cpu=bool(found[1]))


def limited(clock: Clock) -> Clock:
    """Return the clock, unless it is none: where a bot is judged, it must not think forever."""
    if clock == NO_CLOCK:
        raise BadInput("clock: none is only for `arena play`, where you can stop a bot yourself")
    return clock


def _seconds(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


DEFAULT_CLOCK = Clock(60.0, 0.5)
NO_CLOCK = Clock(9_999_999.0)
"""A clock of 115 days, written "none": for a bot in a debugger, and not for events."""
EVENT_CLOCK = Clock(10.0, 0.1, counts_cpu=True)
"""The default clock of an event. It counts CPU time, so that results do not depend on the
load of the machine. It is short, because a bot that hangs delays the event until its time is up."""
