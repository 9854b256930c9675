"""Stopwatches: charge a bot for its answers, and limit the wait for them.

Answers in one message share the cost equally. So a bot is late when an equal share of the time that
it has spent uses up the shortest clock among its unanswered requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType

from arena.records import SeatEnding
from arena.referee.clock import CORES
from arena.referee.mailbox import STALL_S, Mailbox
from arena.referee.model import Breakage, PendingDecision
from arena.referee.players.sleep_watch import SleepWatch
from arena.sandbox.bot_process import Process

_CHECK_INTERVAL_S = 0.01
"""The system counts CPU time in milliseconds: more frequent checks would see no more."""


def make_stopwatch(mailbox: Mailbox, process: Process) -> Stopwatch:
    """Return the stopwatch for the kind of clock in use."""
    return (CpuStopwatch if mailbox.conditions.clock.counts_cpu else Stopwatch)(mailbox, process)


class Stopwatch:
    """Charges a bot the elapsed time."""

    def __init__(self, mailbox: Mailbox, process: Process) -> None:
        """Charge the requests of `mailbox`, and watch that `process` does not sleep."""
        clock = mailbox.conditions.clock
        self._mailbox = mailbox
        self._sleep = SleepWatch(mailbox, process)
        self._increment_s = clock.wall.increment_s
        self._left = "{:.1f} s left by the wall clock" if clock.counts_cpu else "{:.3f} s left"
        self._now = asyncio.get_running_loop().time
        self._cpu_s: Callable[[], float] = process.cpu_s
        self._since = self._stopped = self._now()
        self._cpu_since_s = self._cpu_stopped_s = 0.0
        self._next_sleep_check = 0.0
        self._stalled_s = 0.0
        """Value of `stalled_s` when the bot was last sent a message."""
        self._took_s = 0.0
        self.charged_us = 0
        """Cost of each of the last answers on the clock of the match."""
        self._cpu_us = 0
        """CPU time of each of the last answers."""

    def start(self) -> None:
        """Start counting: requests are about to be sent."""
        self._stalled_s = self._mailbox.conditions.stalled_s
        self._stopped, self._cpu_stopped_s = self._now(), self._cpu_s()
        self._restart()

    def _restart(self) -> None:
        """Count from when the last message arrived, or from the start."""
        self._since, self._cpu_since_s = self._stopped, self._cpu_stopped_s
        self._next_sleep_check = self._sleep.start(self._since, self._cpu_since_s)

    def time_limit(self) -> TimeLimit:
        """Limit a wait; raise TimeoutError when the bot is late or asleep."""
        return TimeLimit(min(self._deadline(), self._next_sleep_check), self._check)

    def _check(self) -> float | None:
        """Return when to check again; None if the bot is late or asleep."""
        now, deadline = self._now(), self._deadline()
        sleep_check = self._sleep.check(now)
        if sleep_check is None or now >= deadline:
            return None
        return min(deadline, sleep_check)

    def explain_timeout(self) -> Breakage:
        """Return the breakage after a timeout; the bot or a stalled machine is at fault."""
        asleep = self._sleep.breakage()
        if asleep:
            return asleep
        late_s = self._now() - self._deadline()
        stalled_s = self._mailbox.conditions.stalled_s - self._stalled_s
        left = self._left.format(min(self._mailbox.unanswered.values(), key=_wall_left).wall_left_s)
        return Breakage(
            SeatEnding.OVERRUN,
            f"it had {left} and did not answer in that time",
            is_machine_fault=stalled_s + late_s > STALL_S,
        )

    def stop(self) -> None:
        """Stop counting: a message has arrived."""
        self._stopped, self._cpu_stopped_s = self._now(), self._cpu_s()

    @property
    def is_late(self) -> bool:
        """Whether the message arrived after the time limit.

        Then the referee itself may have been held up: it reads messages before it checks timers.
        """
        return self._stopped > self._deadline()

    def share(self, answers: int) -> None:
        """Divide the cost among `answers` answers; restart for requests that are unanswered."""
        self._took_s = (self._stopped - self._since) / answers
        self.charged_us = round(self._took_s * 1e6)
        self._cpu_us = round((self._cpu_stopped_s - self._cpu_since_s) / answers * 1e6)
        self._sleep.stop(self._stopped, self._cpu_stopped_s, answers)
        self._restart()

    def charge(self, pending: PendingDecision) -> str:
        """Deduct a share from a seat's clock; if it is overrun, return a sentence."""
        left_s, seat = pending.match.wall_left_s, pending.request.seat
        if self._took_s > left_s[seat]:
            return f"it had {self._left.format(left_s[seat])} and took {self._took_s:.3f} s"
        used = pending.match.cpu_us
        used[seat] = used.get(seat, 0) + self._cpu_us
        left_s[seat] += self._increment_s - self._took_s
        return ""

    def _deadline(self) -> float:
        unanswered = self._mailbox.unanswered.values()
        return self._since + min(unanswered, key=_wall_left).wall_left_s * len(unanswered)


class CpuStopwatch(Stopwatch):
    """Charges a bot its CPU time, and limits the elapsed time as well."""

    def __init__(self, mailbox: Mailbox, process: Process) -> None:
        """Charge the requests of `mailbox` with what `process` uses."""
        super().__init__(mailbox, process)
        self._used_s = 0.0
        self._cpu_increment_s = mailbox.conditions.clock.increment_s

    def time_limit(self) -> TimeLimit:
        """Limit a wait; raise TimeoutError when the bot is late by either clock, or asleep.

        The CPU time is checked when the bot can have used it up, not before.
        """
        soonest = self._since + _soonest_s(self._cpu_bank_s())
        return TimeLimit(min(soonest, self._deadline(), self._next_sleep_check), self._check)

    def _check(self) -> float | None:
        left_s = self._cpu_bank_s() - self._used_so_far_s()
        when = super()._check()
        return None if when is None or left_s < 0 else min(when, self._now() + _soonest_s(left_s))

    def explain_timeout(self) -> Breakage:
        """Return the breakage; a stalled machine is no excuse for CPU time."""
        used_s = self._used_so_far_s()
        if used_s <= self._cpu_bank_s():
            return super().explain_timeout()
        unanswered = self._mailbox.unanswered.values()
        left_s = min(unanswered, key=_time_left).time_left_s
        return Breakage(SeatEnding.OVERRUN, _used_up(left_s, used_s / len(unanswered)))

    def share(self, answers: int) -> None:
        """Divide both times among `answers` answers."""
        self._used_s = (self._cpu_stopped_s - self._cpu_since_s) / answers
        super().share(answers)
        self.charged_us = round(self._used_s * 1e6)

    def charge(self, pending: PendingDecision) -> str:
        """Deduct the shares from a seat's clocks; if one is overrun, return a sentence."""
        left_s, seat = pending.match.time_left_s, pending.request.seat
        if self._used_s > left_s[seat]:
            return _used_up(left_s[seat], self._used_s)
        left_s[seat] += self._cpu_increment_s - self._used_s
        return super().charge(pending)

    def _cpu_bank_s(self) -> float:
        """Return the CPU time that all unanswered requests may use together."""
        unanswered = self._mailbox.unanswered.values()
        return min(unanswered, key=_time_left).time_left_s * len(unanswered)

    def _used_so_far_s(self) -> float:
        return self._cpu_s() - self._cpu_since_s


def _soonest_s(cpu_s: float) -> float:
    """Return the shortest time in which `cpu_s` of CPU time can be used."""
    return max(cpu_s / CORES, _CHECK_INTERVAL_S)


def _used_up(left_s: float, used_s: float) -> str:
    return f"it had {left_s:.3f} s of CPU time left and used {used_s:.3f} s"


def _time_left(pending: PendingDecision) -> float:
    return pending.time_left_s


def _wall_left(pending: PendingDecision) -> float:
    return pending.wall_left_s


class TimeLimit:
    """An async context manager that raises TimeoutError when a check says that time is up.

    One timer serves all the reasons for which a wait may end. It replaces several nested timeouts:
    there is a wait for every message.
    """

    __slots__ = ("_check", "_timeout", "_timer", "_when")

    def __init__(self, when: float, check: Callable[[], float | None]) -> None:
        """Call `check` at the time `when` of the loop.

        It returns when to call it again, or None if time is up.
        """
        self._when = when
        self._check = check

    async def __aenter__(self) -> None:
        """Start the timer."""
        self._timeout = asyncio.timeout(None)
        await self._timeout.__aenter__()
        self._timer = asyncio.get_running_loop().call_at(self._when, self._on_timer)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the timer; raise TimeoutError if it has ended the wait."""
        self._timer.cancel()
        await self._timeout.__aexit__(kind, error, trace)

    def _on_timer(self) -> None:
        when = self._check()
        loop = asyncio.get_running_loop()
        if when is None:
            self._timeout.reschedule(loop.time())
        else:
            self._timer = loop.call_at(when, self._on_timer)
