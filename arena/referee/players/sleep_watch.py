"""Detect bots that sleep while the referee waits for their answers.

A bot in a cage has nothing to wait for. If answers are outstanding and its process neither runs nor
waits for a processor, it sleeps. Its clock alone would let it hold up every table that waits for
it, so it has a small allowance of sleep for the life of its process, and a little more with every
answer. Time in which the referee itself was held up does not count.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from arena.records import SeatEnding
from arena.referee.mailbox import STALL_S, Mailbox
from arena.referee.model import Breakage
from arena.sandbox.process import Process
from arena.sandbox.schedstat import waited_s

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
        self._now = asyncio.get_running_loop().time
        waited = process.waited_s()
        self._is_watched = waited is not None
        self._excused_before_s = self._excused_s() if self._is_watched else 0.0
        self._idle_s = 0.0
        """Time without running while answers were outstanding, including waits for a core."""
        self._allowed_s = ALLOWED_S
        self._since = self._cpu_since_s = 0.0
        self._was_asleep = False

    def start(self) -> None:
        """Start watching: answers are outstanding from now on."""
        if self._is_watched:
            self._since, self._cpu_since_s = self._now(), self._process.cpu_s()

    def stop(self, answers: int) -> None:
        """Stop watching: `answers` answers have arrived."""
        if self._is_watched:
            self._idle_s += max(0.0, self._idle_now_s())
            self._allowed_s += ALLOWED_FOR_ANSWER_S * answers

    @contextmanager
    def expire_if_asleep(self, timeout: asyncio.Timeout) -> Iterator[None]:
        """Expire a timeout early if the bot is asleep."""
        if not self._is_watched:
            yield
            return
        self._schedule_check(self._allowed_s - self._idle_s, timeout)
        try:
            yield
        finally:
            self._next_check.cancel()

    def breakage(self) -> Breakage | None:
        """Return the breakage if sleep was the reason for the timeout."""
        if not self._was_asleep:
            return None
        # Without its own figure, so that the sentence is the same at any number of tables.
        return Breakage(
            SeatEnding.OVERRUN,
            f"it slept instead of answering; a process may sleep for {ALLOWED_S:g} s in total",
        )

    def _schedule_check(self, seconds: float, timeout: asyncio.Timeout) -> None:
        when = self._now() + max(seconds, _SOONEST_S)
        loop = asyncio.get_running_loop()
        self._next_check = loop.call_at(when, self._check, when, timeout)

    def _check(self, planned: float, timeout: asyncio.Timeout) -> None:
        if self._now() - planned > STALL_S:
            # The referee was held up, and will soon know for how long.
            self._schedule_check(2 * STALL_S, timeout)
            return
        excused_s = self._excused_s() - self._excused_before_s
        left_s = self._allowed_s - (self._idle_s + self._idle_now_s() - excused_s)
        if left_s < 0:
            self._was_asleep = True
            timeout.reschedule(self._now())
        else:
            self._schedule_check(left_s, timeout)

    def _idle_now_s(self) -> float:
        return self._now() - self._since - (self._process.cpu_s() - self._cpu_since_s)

    def _excused_s(self) -> float:
        """Return the total time for which bot or referee could not run."""
        return (
            (self._process.waited_s() or 0.0)
            + waited_s("self")
            + self._mailbox.conditions.stalled_s
        )
