"""A bot that sleeps is distinguished from one that works and from one that cannot run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records import SeatEnding
from arena.referee.clock import Clock
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage
from arena.referee.players.sleep_watch import ALLOWED_FOR_ANSWER_S, ALLOWED_S
from arena.referee.players.stopwatch import make_stopwatch
from arena.referee.referee import MAX_OVERRUNS
from leaderboard.result import PLAYED
from tests.builders.blocks import make_block, play_block
from tests.builders.bots import HONEST, ROGUES, bot_folder, packed_bot
from tests.cages import cage
from tests.referee.test_stopwatch import Worker, run_without_waiting, unanswered_mailbox

SLEEPER = ROGUES / "sleeper.py"
CLOCKS = (Clock(10.0, 0.1, counts_cpu=True), Clock(10.0, 0.1))
EITHER_CLOCK = pytest.mark.parametrize("clock", CLOCKS, ids=str)
TABLES = 256


class Dozer(Worker):
    """A process that runs for one share of the time, and waits for a core for another share."""

    def __init__(self, runs: float, waits: float) -> None:
        super().__init__(runs)
        self._waits = waits

    def waited_s(self) -> float | None:
        """Return what the kernel would report."""
        return self._waits * self._now()


async def wait_for_bot(
    clock: Clock, runs: float, waits: float, stall: Callable[[Mailbox], None] = lambda mailbox: None
) -> tuple[float, Breakage]:
    """Wait for a bot that never answers at many tables; return the time and the breakage."""
    mailbox = unanswered_mailbox(clock, [10.0] * TABLES)
    watch = make_stopwatch(mailbox, Dozer(runs, waits))
    now = asyncio.get_running_loop().time
    began = now()
    watch.start()
    stall(mailbox)
    with pytest.raises(TimeoutError):
        async with watch.time_limit():
            await asyncio.sleep(1e9)
    return now() - began, watch.explain_timeout()


@EITHER_CLOCK
def test_the_wait_for_a_sleeping_bot_is_not_longer_at_many_tables(clock: Clock) -> None:
    took_s, breakage = run_without_waiting(wait_for_bot(clock, 0.0, 0.0))
    assert took_s == pytest.approx(ALLOWED_S, abs=1)
    assert breakage.ending is SeatEnding.OVERRUN
    assert (
        breakage.sentence == "it slept instead of answering; a process may sleep for 5 s in total"
    )
    assert not breakage.is_machine_fault


@EITHER_CLOCK
@pytest.mark.parametrize(("runs", "waits"), [(1.0, 0.0), (0.0, 1.0), (0.2, 0.8)])
def test_running_and_waiting_for_a_processor_do_not_count_as_sleep(
    clock: Clock, runs: float, waits: float
) -> None:
    took_s, breakage = run_without_waiting(wait_for_bot(clock, runs, waits))
    assert took_s >= 10.0 * TABLES
    assert "slept" not in breakage.sentence


def test_time_while_the_referee_is_held_up_does_not_count_as_sleep() -> None:
    def stall(mailbox: Mailbox) -> None:
        mailbox.conditions.stalled_s = 60.0

    took_s, breakage = run_without_waiting(wait_for_bot(CLOCKS[0], 0.0, 0.0, stall))
    assert took_s == pytest.approx(ALLOWED_S + 60, abs=1)
    assert "slept" in breakage.sentence


async def naps(nap_s: float, answers: int) -> float:
    """Let a bot sleep before each message; return the total until it is caught."""
    mailbox = unanswered_mailbox(CLOCKS[0], [10.0] * answers)
    watch = make_stopwatch(mailbox, Dozer(0.0, 0.0))
    slept_s = 0.0
    while slept_s < 1000:
        watch.start()
        try:
            async with watch.time_limit():
                await asyncio.sleep(nap_s)
        except TimeoutError:
            return slept_s
        watch.stop()
        watch.share(answers)
        slept_s += nap_s
    return slept_s


@given(st.floats(0.1, 4.0), st.integers(1, 4))
def test_many_short_naps_are_added_up(nap_s: float, answers: int) -> None:
    got_away_with_s = run_without_waiting(naps(nap_s, answers))
    messages = got_away_with_s / nap_s
    assert got_away_with_s <= ALLOWED_S + ALLOWED_FOR_ANSWER_S * answers * messages + nap_s


@pytest.mark.parametrize("when", ["always", "in a crowd"])
def test_a_sleeper_loses_only_its_own_matches_and_delays_no_others(
    tmp_path: Path, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if cage().name == "none":
        pytest.skip("without a cage a bot may sleep")
    monkeypatch.setattr("arena.referee.players.sleep_watch.ALLOWED_S", 1.5)
    bots = [
        packed_bot(bot_folder(tmp_path, "ann", HONEST), 1),
        packed_bot(bot_folder(tmp_path, "sleeper", SLEEPER, when), 2),
    ]
    block = make_block(*bots, deals=4)
    results = play_block(block)
    assert {seat.ending for result in results for seat in result.seats if seat.version == 1} == {
        PLAYED
    }
    slept = [s for result in results for s in result.seats if s.ending != PLAYED]
    breaks = sum(seat.breaks for result in results for seat in result.seats)
    if when == "always":
        assert [seat.ending for seat in slept] == [SeatEnding.OVERRUN.code] * MAX_OVERRUNS
        assert len(results) == MAX_OVERRUNS, "the others are handed back"
        assert breaks == 0
    else:
        assert slept == []
        assert len(results) == len(block.matches)
        assert breaks >= 1
