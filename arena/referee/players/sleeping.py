"""Whether a bot sleeps while the referee waits for its answers.

A bot in a cage has nothing to wait for. One that owes answers and neither runs nor waits for a
processor is asleep, and its clock would let it hold up as many tables as wait for it: so it has a
small allowance for the life of its process, and some more with every answer. Time in which the
referee itself was held up counts for nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from arena.records import SeatEnding
from arena.referee.desk import STALL_S, Breakage, Desk
from arena.sandbox.process import Process
from arena.sandbox.schedstat import waited_s

ALLOWED_S = 5.0
"""For how long a process may sleep in all while it owes answers."""
ALLOWED_FOR_ANSWER_S = 0.02
"""How much longer with every answer: what the way of a message takes is no sleep of the bot."""
_SOONEST_S = 0.05


class SleepWatch:
    """Adds up the time in which a process owed answers and did nothing."""

    def __init__(self, desk: Desk, process: Process) -> None:
        """Watch over a process that has just said hello."""
        self._desk = desk
        self._process = process
        self._now = asyncio.get_running_loop().time
        waited = process.waited_s()
        self._is_watched = waited is not None
        self._excused_before_s = self._excused_s() if self._is_watched else 0.0
        self._idle_s = 0.0
        """For how long it has not run while it owed answers, waits for a processor included."""
        self._allowed_s = ALLOWED_S
        self._since = self._cpu_since_s = 0.0
        self._was_asleep = False

    def start(self) -> None:
        """Begin to watch: the bot owes answers from now on."""
        if self._is_watched:
            self._since, self._cpu_since_s = self._now(), self._process.cpu_s()

    def stop(self, answers: int) -> None:
        """Stop watching: so many answers have come."""
        if self._is_watched:
            self._idle_s += max(0.0, self._idle_now_s())
            self._allowed_s += ALLOWED_FOR_ANSWER_S * answers

    @contextmanager
    def ending(self, timeout: asyncio.Timeout) -> Iterator[None]:
        """Let a timeout end now when the bot is found asleep."""
        if not self._is_watched:
            yield
            return
        self._look_in(self._allowed_s - self._idle_s, timeout)
        try:
            yield
        finally:
            self._coming_look.cancel()

    def breakage(self) -> Breakage | None:
        """Say that it was asleep, if that is why the timeout came."""
        if not self._was_asleep:
            return None
        # Without a figure: the same sleeper is told the same at any number of tables.
        return Breakage(
            SeatEnding.OVERRUN,
            f"it slept instead of answering: it may for {ALLOWED_S:g} s in all",
        )

    def _look_in(self, seconds: float, timeout: asyncio.Timeout) -> None:
        when = self._now() + max(seconds, _SOONEST_S)
        loop = asyncio.get_running_loop()
        self._coming_look = loop.call_at(when, self._look, when, timeout)

    def _look(self, planned: float, timeout: asyncio.Timeout) -> None:
        if self._now() - planned > STALL_S:
            # The referee was held up, and soon knows for how long.
            self._look_in(2 * STALL_S, timeout)
            return
        excused_s = self._excused_s() - self._excused_before_s
        left_s = self._allowed_s - (self._idle_s + self._idle_now_s() - excused_s)
        if left_s < 0:
            self._was_asleep = True
            timeout.reschedule(self._now())
        else:
            self._look_in(left_s, timeout)

    def _idle_now_s(self) -> float:
        return self._now() - self._since - (self._process.cpu_s() - self._cpu_since_s)

    def _excused_s(self) -> float:
        """Return for how long bot or referee could not run, since they began."""
        return (self._process.waited_s() or 0.0) + waited_s("self") + self._desk.floor.stalled_s
