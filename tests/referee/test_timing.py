"""Is a bot charged what it uses, caught when it is late, and otherwise left in peace?

Time is not waited for here: the loop's clock jumps to whatever comes next.
"""

from __future__ import annotations

import asyncio
import re
import selectors
from collections.abc import Callable, Coroutine
from itertools import pairwise
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.records import Fault, SeatEnding
from arena.referee.clock import CORES, Clock
from arena.referee.desk import STALL_S, Breakage, Desk, Match, Pending
from arena.referee.players.remote import _DEAF_S, _Conversation
from arena.referee.players.timing import _LOOK_S, stopwatch
from arena.referee.table import Answer, Request
from arena.referee.turns import Turns
from tests.referee.actors import Actor
from tests.referee.matches import fixtures

T = TypeVar("T")
WALL = Clock(2.0, 0.5)
CPU = Clock(2.0, 0.5, counts_cpu=True)
TINY = 1e-6
banks = st.lists(st.floats(0.001, 5), min_size=1, max_size=4)
rates = st.floats(0.2, CORES)


class Skipping(selectors.SelectSelector):
    """Lets time pass instead of waiting for it."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        """Skip what would be waited."""
        self.now += timeout or 0.0
        return super().select(0)


class SkippingLoop(asyncio.SelectorEventLoop):
    """A loop in which nothing takes time but waiting."""

    def __init__(self) -> None:
        self._skipping = Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        """Return the time that was skipped."""
        return self._skipping.now

    def skip(self, seconds: float) -> None:
        """Let time pass in which nothing happens."""
        self._skipping.now += seconds


def in_no_time(work: Coroutine[Any, Any, T]) -> T:
    """Run something without waiting."""
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(work)


class Hall:
    """A floor on which nothing happens."""

    freezes = False
    stalled_s = 0.0

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.turns = Turns(1)

    def answered(self, pending: Pending, answer: Answer | Fault) -> None:
        """Nobody is told."""


class Worker(Actor):
    """A process that uses so many processors from the start."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self._rate = rate
        self._now = asyncio.get_running_loop().time
        self.looks: list[float] = []
        """When it was looked at."""

    def cpu_s(self) -> float:
        """Note that somebody looks."""
        self.looks.append(self._now())
        return 100 + self._rate * self._now()


def owing(clock: Clock, banks: list[float]) -> Desk:
    """Make a desk whose bot owes a decision in each of some matches, with so much time left."""
    desk = Desk(Hall(clock))
    (fixture,) = fixtures(1, 2)
    table: Any = None
    for tag, left_s in enumerate(banks):
        wall_left_s = [10 * left_s + 30, 0.0] if clock.counts_cpu else [left_s, 0.0]
        time_left_s = [left_s, 0.0] if clock.counts_cpu else wall_left_s
        match = Match(fixture, tag, table, time_left_s, wall_left_s, [0, 0], numbers={0: tag})
        desk.requests.append(Pending(match, Request(0, 0, None, (), 0)))
    desk.hand_over()
    return desk


async def never_answered(
    clock: Clock, banks: list[float], rate: float, *, stall: Callable[[Desk], None] | None = None
) -> tuple[Breakage, float, list[float]]:
    """Wait for a bot; return how it broke and when, and when it was looked at."""
    desk = owing(clock, banks)
    worker = Worker(rate)
    watch = stopwatch(desk, worker)
    watch.start()
    if stall:
        stall(desk)
    with pytest.raises(TimeoutError):
        async with watch.waiting():
            await asyncio.Event().wait()
    caught = asyncio.get_running_loop().time()
    return watch.late(), caught, worker.looks


@settings(deadline=None)
@given(banks, rates)
def test_a_busy_bot_is_caught_when_it_has_used_up_its_share(
    banks: list[float], rate: float
) -> None:
    breakage, caught, _ = in_no_time(never_answered(CPU, banks, rate))
    bank = min(banks) * len(banks)
    assert bank - TINY <= caught * rate <= bank + rate * _LOOK_S + TINY
    found = re.fullmatch(r"it had (.*) s of processor time left and used (.*) s", breakage.sentence)
    assert found
    assert found.groups() == (f"{min(banks):.3f}", f"{caught * rate / len(banks):.3f}")
    assert breakage.ending is SeatEnding.OVERRUN
    assert not breakage.platform


@settings(deadline=None)
@given(banks, rates)
def test_a_bot_is_not_looked_at_before_it_can_have_used_up_its_share(
    banks: list[float], rate: float
) -> None:
    _, caught, looks = in_no_time(never_answered(CPU, banks, rate))
    bank = min(banks) * len(banks)
    looks = looks[: looks.index(caught) + 1]
    for before, after in pairwise(looks):
        assert after - before >= max((bank - before * rate) / CORES, _LOOK_S) - TINY


@settings(deadline=None)
@given(banks)
def test_a_sleeping_bot_is_caught_by_the_wall_clock(banks: list[float]) -> None:
    breakage, caught, _ = in_no_time(never_answered(CPU, banks, 0.0))
    left_s = 10 * min(banks) + 30
    assert caught == pytest.approx(left_s * len(banks))
    assert breakage.sentence == (
        f"it had {left_s:.1f} s left by the wall clock and did not answer in that time"
    )
    assert breakage.ending is SeatEnding.OVERRUN
    assert not breakage.platform


@given(banks, rates)
def test_by_a_wall_clock_alone_nobody_looks_and_time_is_time(
    banks: list[float], rate: float
) -> None:
    breakage, caught, looks = in_no_time(never_answered(WALL, banks, rate))
    assert caught == pytest.approx(min(banks) * len(banks))
    assert looks == []
    assert breakage.sentence == f"it had {min(banks):.3f} s left and did not answer in that time"


@pytest.mark.parametrize("clock", [WALL, CPU], ids=str)
def test_nobody_sleeps_while_the_referee_is_held_up(clock: Clock) -> None:
    def stall(desk: Desk) -> None:
        desk.floor.stalled_s += 2 * STALL_S

    breakage, _, _ = in_no_time(never_answered(clock, [1.0], 0.0, stall=stall))
    assert breakage.platform


def test_who_uses_the_processor_is_not_held_up() -> None:
    def stall(desk: Desk) -> None:
        desk.floor.stalled_s += 2 * STALL_S

    breakage, _, _ = in_no_time(never_answered(CPU, [1.0], 1.0, stall=stall))
    assert not breakage.platform


async def answered(
    clock: Clock, banks: list[float], rate: float, after_s: float
) -> tuple[list[str], list[Pending], int, list[float]]:
    """Let a bot answer all that it owes; return what is said of it, and what it was charged."""
    desk = owing(clock, banks)
    worker = Worker(rate)
    watch = stopwatch(desk, worker)
    watch.start()
    async with watch.waiting():
        await asyncio.sleep(after_s)
    watch.stop()
    watch.share(len(banks))
    owed = list(desk.owed.values())
    return [watch.charge(pending) for pending in owed], owed, watch.charged_us, worker.looks


@given(banks, rates, st.floats(0, 1))
def test_what_is_answered_together_shares_what_was_used(
    banks: list[float], rate: float, part: float
) -> None:
    # Soon enough for the shortest clock, at any rate.
    after_s = part * min(banks) * len(banks) / CORES * 0.99
    said, owed, charged_us, looks = in_no_time(answered(CPU, banks, rate, after_s))
    used_s = rate * after_s / len(banks)
    assert said == [""] * len(banks)
    assert charged_us == pytest.approx(used_s * 1e6, abs=1)
    for left_s, pending in zip(banks, owed, strict=True):
        assert pending.time_left_s == pytest.approx(left_s - used_s + 0.5)
        assert pending.wall_left_s == pytest.approx(10 * left_s + 30 - after_s / len(banks) + 5)
    if after_s < max(min(banks) * len(banks) / CORES, _LOOK_S):
        assert len(looks) == 2, "it is looked at when it is asked and when it answers"


@given(banks, st.floats(0, 1))
def test_by_a_wall_clock_the_time_that_passes_is_shared(banks: list[float], part: float) -> None:
    after_s = part * min(banks) * len(banks) * 0.99
    said, owed, charged_us, looks = in_no_time(answered(WALL, banks, 1.0, after_s))
    took_s = after_s / len(banks)
    assert said == [""] * len(banks)
    assert charged_us == pytest.approx(took_s * 1e6, abs=1)
    assert looks == []
    for left_s, pending in zip(banks, owed, strict=True):
        assert pending.time_left_s == pending.wall_left_s == pytest.approx(left_s - took_s + 0.5)


async def answered_in_parts(clock: Clock, rate: float) -> tuple[str, str]:
    """Let a bot answer one of two decisions after more than that one's time, the other at once."""
    desk = owing(clock, [1.0, 1.0])
    watch = stopwatch(desk, Worker(rate))
    watch.start()
    said = []
    for pending, after_s in zip(list(desk.owed.values()), (1.5, 0.25), strict=True):
        async with watch.waiting():
            await asyncio.sleep(after_s)
        watch.stop()
        watch.share(1)
        said.append(watch.charge(pending))
        desk.answer(pending, Answer(0))
    return said[0], said[1]


def test_what_is_answered_alone_costs_the_whole() -> None:
    assert in_no_time(answered_in_parts(WALL, 0.0)) == ("it had 1.000 s left and took 1.500 s", "")
    assert in_no_time(answered_in_parts(CPU, 1.0)) == (
        "it had 1.000 s of processor time left and used 1.500 s",
        "",
    )


class SlowLine:
    """A line on which it takes so long to say something."""

    is_closed = False

    def __init__(self, takes_s: float) -> None:
        self._takes_s = takes_s

    async def say(self, message: bytes) -> bool:
        """Take the time."""
        await asyncio.sleep(self._takes_s)
        return True


async def told(takes_s: float, *, stopped_s: float) -> tuple[Breakage | None, float]:
    """Tell a bot some news and stop the referee meanwhile; return what broke, and when."""
    line: Any = SlowLine(takes_s)
    conversation = _Conversation(line, Worker(0.0), asyncio.Event(), Desk(Hall(WALL)))
    telling = asyncio.create_task(conversation._tell(b"news"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SkippingLoop)
    loop.skip(stopped_s)
    return await telling, loop.time()


def test_who_does_not_read_news_has_hung_up() -> None:
    breakage, after_s = in_no_time(told(100.0, stopped_s=0.0))
    assert after_s == pytest.approx(_DEAF_S)
    assert breakage == Breakage(SeatEnding.HUNG_UP, "it does not read what it is told")


@pytest.mark.parametrize("takes_s", [1.0, 99.0, 102.0])
def test_news_that_were_sent_while_the_referee_was_stopped_are_not_late(takes_s: float) -> None:
    assert in_no_time(told(takes_s, stopped_s=100.0))[0] is None
