"""Detect bots that sleep while the referee waits for their answers.

A bot in a cage has nothing to wait for. If answers are outstanding and its process neither runs nor
waits for a processor, it sleeps. Its clock alone would let it hold up every table that waits for
it, so it has a small allowance of sleep for the life of its process, and a little more with every
answer. Time in which the referee itself was held up does not count.
"""

from __future__ import annotations

from math import inf

from arena.records import SeatEnding
from arena.referee.mailbox import STALL_S, Mailbox
from arena.referee.model import Breakage
from arena.sandbox.bot_process import Process
from arena.sandbox.limits.gauge import waited_s

ALLOWED_S = 5.0
"""Total time that a process may sleep while answers are outstanding."""
ALLOWED_FOR_ANSWER_S = 0.02
"""Added with every answer: the transport of a message does not count as sleep."""
_SOONEST_S = 0.05


class SleepWatch:
    """Adds up the time in which answers were outstanding and a process did nothing."""

    def __init__(self, mailbox: Mailbox, process: Process) -> None:
        """Watch a process that has just sent Hello."""
        self._mailbox = mailbox
        self._process = process
        waited = process.waited_s()
        self.is_watched = waited is not None
        """Whether it can be told from a process that waits for a processor."""
        self._excused_before_s = self._excused_s() if self.is_watched else 0.0
        self._idle_s = 0.0
        """Time without running while answers were outstanding, including waits for a core."""
        self._allowed_s = ALLOWED_S
        self._since = self._cpu_since_s = 0.0
        self._planned = 0.0
        """When the next check is due."""
        self._was_asleep = False

    def start(self, now: float, cpu_s: float) -> float:
        """Start watching: answers are outstanding from now on. Return when to check it."""
        self._since, self._cpu_since_s = now, cpu_s
        return self._plan(now, self._allowed_s - self._idle_s)

    def stop(self, now: float, cpu_s: float, answers: int) -> None:
        """Stop watching: `answers` answers have arrived."""
        self._idle_s += max(0.0, self._idle_now_s(now, cpu_s))
        self._allowed_s += ALLOWED_FOR_ANSWER_S * answers

    def check(self, now: float) -> float | None:
        """Return when to check again; None if the bot has slept for too long."""
        if now < self._planned or not self.is_watched:
            return self._planned
        if now - self._planned > STALL_S:
            # The referee was held up, and will soon know for how long.
            return self._plan(now, 2 * STALL_S)
        excused_s = self._excused_s() - self._excused_before_s
        idle_s = self._idle_s + self._idle_now_s(now, self._process.cpu_s())
        left_s = self._allowed_s - (idle_s - excused_s)
        if left_s < 0:
            self._was_asleep = True
            return None
        return self._plan(now, left_s)

    def breakage(self) -> Breakage | None:
        """Return the breakage if sleep was the reason for the timeout."""
        if not self._was_asleep:
            return None
        # Without its own figure, so that the sentence is the same at any number of tables.
        return Breakage(
            SeatEnding.OVERRUN,
            f"it slept instead of answering; a process may sleep for {ALLOWED_S:g} s in total",
        )

    def _plan(self, now: float, seconds: float) -> float:
        self._planned = now + max(seconds, _SOONEST_S) if self.is_watched else inf
        return self._planned

    def _idle_now_s(self, now: float, cpu_s: float) -> float:
        return now - self._since - (cpu_s - self._cpu_since_s)

    def _excused_s(self) -> float:
        """Return the total time for which bot or referee could not run."""
        return (
            (self._process.waited_s() or 0.0)
            + waited_s("self")
            + self._mailbox.conditions.stalled_s
        )
