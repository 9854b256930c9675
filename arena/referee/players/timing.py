"""What does an answer cost a bot, and for how long is it waited for?

What a bot answers together shares the cost. So it is late when an equal share of what it has spent
uses up the shortest clock among the decisions that it owes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from arena.records import SeatEnding
from arena.referee.clock import CORES
from arena.referee.desk import STALL_S, Breakage, Desk, Pending
from arena.referee.players.sleeping import SleepWatch
from arena.sandbox.process import Process

_LOOK_S = 0.01
"""The system counts processor time in steps of milliseconds: who looks more often sees no more."""


def stopwatch(desk: Desk, process: Process) -> Stopwatch:
    """Make what counts a bot's thinking time by the floor's clock."""
    return (CpuStopwatch if desk.floor.clock.counts_cpu else Stopwatch)(desk, process)


class Stopwatch:
    """Charges a bot the time that passes."""

    def __init__(self, desk: Desk, process: Process) -> None:
        """Count what is on this desk, and watch that this process does not sleep."""
        clock = desk.floor.clock
        self._desk = desk
        self._sleep = SleepWatch(desk, process)
        self._increment_s = clock.wall.increment_s
        self._left = "{:.1f} s left by the wall clock" if clock.counts_cpu else "{:.3f} s left"
        self._now = asyncio.get_running_loop().time
        self._since = self._stopped = self._now()
        self._stalled_s = 0.0
        """For how long the referee had been held up when the bot was last sent something."""
        self._took_s = 0.0
        self.charged_us = 0
        """What each of the answers that were last heard costs by the match's clock."""

    def start(self) -> None:
        """Begin to count: the bot is about to be sent what is on its desk."""
        self._stalled_s = self._desk.floor.stalled_s
        self._since = self._now()
        self._sleep.start()

    @asynccontextmanager
    async def waiting(self) -> AsyncIterator[asyncio.Timeout]:
        """Limit a wait: it raises TimeoutError when the bot is late, or asleep."""
        async with asyncio.timeout_at(self._deadline()) as timeout:
            with self._sleep.ending(timeout):
                yield timeout

    def late(self) -> Breakage:
        """Say that nothing came in time; who is to blame is the bot, or a stalled machine."""
        asleep = self._sleep.breakage()
        if asleep:
            return asleep
        late_s = self._now() - self._deadline()
        stalled_s = self._desk.floor.stalled_s - self._stalled_s
        left = self._left.format(min(self._desk.owed.values(), key=_wall_left).wall_left_s)
        return Breakage(
            SeatEnding.OVERRUN,
            f"it had {left} and did not answer in that time",
            platform=stalled_s + late_s > STALL_S,
        )

    def stop(self) -> None:
        """Stop counting: something was heard."""
        self._stopped = self._now()

    def share(self, answers: int) -> None:
        """Charge what was counted to so many answers; what is still owed counts anew."""
        self._sleep.stop(answers)
        self._sleep.start()
        self._took_s = (self._stopped - self._since) / answers
        self.charged_us = round(self._took_s * 1e6)
        self._since = self._stopped

    def charge(self, pending: Pending) -> str:
        """Take its share off a seat's clock, or say that it has overrun it."""
        left_s, seat = pending.match.wall_left_s, pending.request.seat
        if self._took_s > left_s[seat]:
            return f"it had {self._left.format(left_s[seat])} and took {self._took_s:.3f} s"
        left_s[seat] += self._increment_s - self._took_s
        return ""

    def _deadline(self) -> float:
        owed = self._desk.owed.values()
        return self._since + min(owed, key=_wall_left).wall_left_s * len(owed)


class CpuStopwatch(Stopwatch):
    """Charges a bot the processor time that it uses, and watches that it does not sleep."""

    def __init__(self, desk: Desk, process: Process) -> None:
        """Count what is on this desk, and what this process uses."""
        super().__init__(desk, process)
        self._cpu_s = process.cpu_s
        self._cpu_since_s = self._cpu_stopped_s = 0.0
        self._used_s = 0.0
        self._cpu_increment_s = desk.floor.clock.increment_s

    def start(self) -> None:
        """Begin to count both."""
        super().start()
        self._cpu_since_s = self._cpu_s()

    @asynccontextmanager
    async def waiting(self) -> AsyncIterator[asyncio.Timeout]:
        """Limit a wait: it raises TimeoutError when the bot is late by either clock, or asleep.

        The processor time is looked at when the bot can have used it up, and not before.
        """
        async with super().waiting() as timeout:
            self._look_at(self._since + _soonest_s(self._cpu_bank_s()), timeout)
            try:
                yield timeout
            finally:
                self._coming_look.cancel()

    def _look_at(self, when: float, timeout: asyncio.Timeout) -> None:
        self._coming_look = asyncio.get_running_loop().call_at(when, self._look, timeout)

    def _look(self, timeout: asyncio.Timeout) -> None:
        now, left_s = self._now(), self._cpu_bank_s() - self._used_so_far_s()
        if left_s < 0:
            timeout.reschedule(now)
        else:
            self._look_at(now + _soonest_s(left_s), timeout)

    def late(self) -> Breakage:
        """Say by which clock nothing came in time; no stalled machine uses a bot's processor."""
        used_s = self._used_so_far_s()
        if used_s <= self._cpu_bank_s():
            return super().late()
        owed = self._desk.owed.values()
        left_s = min(owed, key=_time_left).time_left_s
        return Breakage(SeatEnding.OVERRUN, _used_up(left_s, used_s / len(owed)))

    def stop(self) -> None:
        """Stop counting both."""
        super().stop()
        self._cpu_stopped_s = self._cpu_s()

    def share(self, answers: int) -> None:
        """Charge both to so many answers."""
        super().share(answers)
        self._used_s = (self._cpu_stopped_s - self._cpu_since_s) / answers
        self.charged_us = round(self._used_s * 1e6)
        self._cpu_since_s = self._cpu_stopped_s

    def charge(self, pending: Pending) -> str:
        """Take its shares off a seat's clocks, or say which it has overrun."""
        left_s, seat = pending.match.time_left_s, pending.request.seat
        if self._used_s > left_s[seat]:
            return _used_up(left_s[seat], self._used_s)
        left_s[seat] += self._cpu_increment_s - self._used_s
        return super().charge(pending)

    def _cpu_bank_s(self) -> float:
        """Return the processor time that all that is owed may use together."""
        owed = self._desk.owed.values()
        return min(owed, key=_time_left).time_left_s * len(owed)

    def _used_so_far_s(self) -> float:
        return self._cpu_s() - self._cpu_since_s


def _soonest_s(cpu_s: float) -> float:
    """Return in what time, at the soonest, so much processor time can be used up."""
    return max(cpu_s / CORES, _LOOK_S)


def _used_up(left_s: float, used_s: float) -> str:
    return f"it had {left_s:.3f} s of processor time left and used {used_s:.3f} s"


def _time_left(pending: Pending) -> float:
    return pending.time_left_s


def _wall_left(pending: Pending) -> float:
    return pending.wall_left_s
