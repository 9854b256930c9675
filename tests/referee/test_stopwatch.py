"""A bot is charged the time it uses, caught when it is late, and otherwise not disturbed.

These tests do not wait: the clock of the loop jumps to the next event.
"""

from __future__ import annotations

import asyncio
import re
import selectors
from collections.abc import Callable, Coroutine
from itertools import pairwise
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.indices import Seat
from arena.records import SeatEnding
from arena.referee.clock import CORES, Clock
from arena.referee.mailbox import STALL_S, Mailbox
from arena.referee.model import Breakage, Conditions, MatchInPlay, PendingDecision
from arena.referee.players.remote import _READ_LIMIT_S, _Session
from arena.referee.players.stopwatch import _CHECK_INTERVAL_S, make_stopwatch
from arena.referee.table import Answer, DecisionRequest
from arena.referee.turns import Starts, Turns
from tests.builders.matches import make_fixtures
from tests.referee.fake_bots import FakeBot

T = TypeVar("T")
WALL = Clock(2.0, 0.5)
CPU = Clock(2.0, 0.5, counts_cpu=True)
TINY = 1e-6
banks = st.lists(st.floats(0.001, 5), min_size=1, max_size=4)
rates = st.floats(0.2, CORES)


class SkippingSelector(selectors.SelectSelector):
    """Advances the clock instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        """Advance the clock by the timeout."""
        self.now += timeout or 0.0
        return super().select(0)


class SkippingLoop(asyncio.SelectorEventLoop):
    """A loop in which only waiting takes time."""

    def __init__(self) -> None:
        self._skipping = SkippingSelector()
        super().__init__(self._skipping)

    def time(self) -> float:
        """Return the simulated time."""
        return self._skipping.now

    def skip(self, seconds: float) -> None:
        """Advance the clock without running anything."""
        self._skipping.now += seconds


def run_without_waiting(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in simulated time, in which this process never waits for a processor."""
    with (
        pytest.MonkeyPatch.context() as patch,
        asyncio.Runner(loop_factory=SkippingLoop) as runner,
    ):
        patch.setattr("arena.referee.players.sleep_watch.waited_s", lambda pid: 0.0)
        return runner.run(work)


def conditions(clock: Clock) -> Conditions:
    """Make the conditions of a referee that ignores all answers."""
    return Conditions(clock, Turns(1), Starts(1), lambda pending, answer: None)


class Worker(FakeBot):
    """A process that uses CPU time at a constant rate."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self._rate = rate
        self._now = asyncio.get_running_loop().time
        self.checks: list[float] = []
        """The times at which it was checked."""

    def cpu_s(self) -> float:
        """Record the check."""
        self.checks.append(self._now())
        return 100 + self._rate * self._now()


def unanswered_mailbox(clock: Clock, banks: list[float]) -> Mailbox:
    """Make a mailbox with an unanswered request for each bank of time left."""
    mailbox = Mailbox(conditions(clock))
    (fixture,) = make_fixtures(1, 2)
    table: Any = None
    for tag, left_s in enumerate(banks):
        wall_left_s = [10 * left_s + 30, 0.0] if clock.counts_cpu else [left_s, 0.0]
        time_left_s = [left_s, 0.0] if clock.counts_cpu else wall_left_s
        match = MatchInPlay(
            fixture, tag, table, time_left_s, wall_left_s, [0, 0], numbers={Seat(0): tag}
        )
        mailbox.requests.append(PendingDecision(match, DecisionRequest(Seat(0), 0, None, (), 0)))
    mailbox.take_all()
    return mailbox


async def wait_in_vain(
    clock: Clock, banks: list[float], rate: float, *, stall: Callable[[Mailbox], None] | None = None
) -> tuple[Breakage, float, list[float]]:
    """Wait for a bot; return its breakage, the time, and the times at which it was checked."""
    mailbox = unanswered_mailbox(clock, banks)
    worker = Worker(rate)
    watch = make_stopwatch(mailbox, worker)
    watch.start()
    if stall:
        stall(mailbox)
    with pytest.raises(TimeoutError):
        async with watch.time_limit():
            await asyncio.Event().wait()
    caught = asyncio.get_running_loop().time()
    return watch.explain_timeout(), caught, worker.checks


@given(banks, rates)
def test_a_busy_bot_is_caught_when_it_has_used_up_its_share(
    banks: list[float], rate: float
) -> None:
    breakage, caught, _ = run_without_waiting(wait_in_vain(CPU, banks, rate))
    bank = min(banks) * len(banks)
    assert bank - TINY <= caught * rate <= bank + rate * _CHECK_INTERVAL_S + TINY
    found = re.fullmatch(r"it had (.*) s of CPU time left and used (.*) s", breakage.sentence)
    assert found
    left_s, used_s = map(float, found.groups())
    assert left_s == pytest.approx(min(banks), abs=0.001)
    assert used_s == pytest.approx(caught * rate / len(banks), abs=0.001)
    assert breakage.ending is SeatEnding.OVERRUN
    assert not breakage.is_machine_fault


@given(banks, rates)
def test_a_bot_is_not_checked_before_it_can_have_used_up_its_share(
    banks: list[float], rate: float
) -> None:
    _, caught, checks = run_without_waiting(wait_in_vain(CPU, banks, rate))
    bank = min(banks) * len(banks)
    checks = checks[: checks.index(caught) + 1]
    for before, after in pairwise(checks):
        assert after - before >= max((bank - before * rate) / CORES, _CHECK_INTERVAL_S) - TINY


@given(banks)
def test_a_sleeping_bot_is_caught_by_the_wall_clock(banks: list[float]) -> None:
    breakage, caught, _ = run_without_waiting(wait_in_vain(CPU, banks, 0.0))
    left_s = 10 * min(banks) + 30
    assert caught == pytest.approx(left_s * len(banks))
    assert breakage.sentence == (
        f"it had {left_s:.1f} s left by the wall clock and did not answer in that time"
    )
    assert breakage.ending is SeatEnding.OVERRUN
    assert not breakage.is_machine_fault


@given(banks, rates)
def test_with_only_a_wall_clock_processor_time_is_not_checked_while_a_bot_thinks(
    banks: list[float], rate: float
) -> None:
    breakage, caught, checks = run_without_waiting(wait_in_vain(WALL, banks, rate))
    assert caught == pytest.approx(min(banks) * len(banks))
    assert len(checks) == 1, "only when it is asked"
    assert breakage.sentence == f"it had {min(banks):.3f} s left and did not answer in that time"


@pytest.mark.parametrize("clock", [WALL, CPU], ids=str)
def test_no_bot_is_blamed_if_the_referee_was_held_up(clock: Clock) -> None:
    def stall(mailbox: Mailbox) -> None:
        mailbox.conditions.stalled_s += 2 * STALL_S

    breakage, _, _ = run_without_waiting(wait_in_vain(clock, [1.0], 0.0, stall=stall))
    assert breakage.is_machine_fault


def test_a_bot_that_uses_the_processor_is_blamed_even_then() -> None:
    def stall(mailbox: Mailbox) -> None:
        mailbox.conditions.stalled_s += 2 * STALL_S

    breakage, _, _ = run_without_waiting(wait_in_vain(CPU, [1.0], 1.0, stall=stall))
    assert not breakage.is_machine_fault


async def answer_all(
    clock: Clock, banks: list[float], rate: float, after_s: float
) -> tuple[list[str], list[PendingDecision], int, list[float]]:
    """Answer all requests at once; return the sentences of overruns and the charges."""
    mailbox = unanswered_mailbox(clock, banks)
    worker = Worker(rate)
    watch = make_stopwatch(mailbox, worker)
    watch.start()
    async with watch.time_limit():
        await asyncio.sleep(after_s)
    watch.stop()
    watch.share(len(banks))
    answered_requests = list(mailbox.unanswered.values())
    return (
        [watch.charge(pending) for pending in answered_requests],
        answered_requests,
        watch.charged_us,
        worker.checks,
    )


@given(banks, rates, st.floats(0, 1))
def test_requests_answered_together_share_the_processor_time(
    banks: list[float], rate: float, part: float
) -> None:
    # Early enough for the shortest clock.
    after_s = part * min(banks) * len(banks) / CORES * 0.99
    sentences, answered_requests, charged_us, checks = run_without_waiting(
        answer_all(CPU, banks, rate, after_s)
    )
    used_s = rate * after_s / len(banks)
    assert sentences == [""] * len(banks)
    assert charged_us == pytest.approx(used_s * 1e6, abs=1)
    for left_s, pending in zip(banks, answered_requests, strict=True):
        assert pending.time_left_s == pytest.approx(left_s - used_s + 0.5)
        assert pending.wall_left_s == pytest.approx(10 * left_s + 30 - after_s / len(banks) + 5)
    if after_s < max(min(banks) * len(banks) / CORES, _CHECK_INTERVAL_S):
        assert len(checks) == 2, "it is checked when it is asked and when it answers"


@given(banks, st.floats(0, 1))
def test_requests_answered_together_share_the_elapsed_time_on_a_wall_clock(
    banks: list[float], part: float
) -> None:
    after_s = part * min(banks) * len(banks) * 0.99
    sentences, answered_requests, charged_us, checks = run_without_waiting(
        answer_all(WALL, banks, 1.0, after_s)
    )
    took_s = after_s / len(banks)
    assert sentences == [""] * len(banks)
    assert charged_us == pytest.approx(took_s * 1e6, abs=1)
    assert len(checks) == 2, "when it is asked and when it answers"
    for left_s, pending in zip(banks, answered_requests, strict=True):
        assert pending.match.cpu_us == {Seat(0): pytest.approx(charged_us, abs=1)}
        assert pending.time_left_s == pending.wall_left_s == pytest.approx(left_s - took_s + 0.5)


async def answer_one_by_one(clock: Clock, rate: float) -> tuple[str, str]:
    """Answer one of two requests too late, then the other in time; return their sentences."""
    mailbox = unanswered_mailbox(clock, [1.0, 1.0])
    watch = make_stopwatch(mailbox, Worker(rate))
    watch.start()
    sentences = []
    for pending, after_s in zip(list(mailbox.unanswered.values()), (1.5, 0.25), strict=True):
        async with watch.time_limit():
            await asyncio.sleep(after_s)
        watch.stop()
        watch.share(1)
        sentences.append(watch.charge(pending))
        mailbox.answer(pending, Answer(0))
    return sentences[0], sentences[1]


def test_a_request_answered_alone_is_charged_in_full() -> None:
    assert run_without_waiting(answer_one_by_one(WALL, 0.0)) == (
        "it had 1.000 s left and took 1.500 s",
        "",
    )
    assert run_without_waiting(answer_one_by_one(CPU, 1.0)) == (
        "it had 1.000 s of CPU time left and used 1.500 s",
        "",
    )


class SlowConnection:
    """A connection on which sending takes a given time."""

    is_closed = False

    def __init__(self, takes_s: float) -> None:
        self._takes_s = takes_s

    async def send(self, message: bytes) -> bool:
        """Wait, then succeed."""
        await asyncio.sleep(self._takes_s)
        return True


async def send_update(takes_s: float, *, stopped_s: float) -> tuple[Breakage | None, float]:
    """Stop the referee while it sends an update; return the breakage and the time."""
    connection: Any = SlowConnection(takes_s)
    session = _Session(connection, Worker(0.0), asyncio.Event(), Mailbox(conditions(WALL)))
    sending = asyncio.create_task(session._send_updates(b"news"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SkippingLoop)
    loop.skip(stopped_s)
    return await sending, loop.time()


def test_a_bot_that_does_not_read_updates_has_hung_up() -> None:
    breakage, after_s = run_without_waiting(send_update(100.0, stopped_s=0.0))
    assert after_s == pytest.approx(_READ_LIMIT_S)
    assert breakage == Breakage(SeatEnding.HUNG_UP, "it did not read its messages")


@pytest.mark.parametrize("takes_s", [1.0, 99.0, 102.0])
def test_updates_sent_while_the_referee_was_stopped_are_not_late(takes_s: float) -> None:
    assert run_without_waiting(send_update(takes_s, stopped_s=100.0))[0] is None
