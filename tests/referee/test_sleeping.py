"""Is a bot that sleeps told from one that works, and from one that is kept from working?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.events.room import play_block
from arena.records import SeatEnding
from arena.referee.clock import Clock
from arena.referee.desk import Breakage, Desk
from arena.referee.floor import OVERRUNS
from arena.referee.players.sleeping import ALLOWED_FOR_ANSWER_S, ALLOWED_S
from arena.referee.players.timing import stopwatch
from leaderboard.results import PLAYED
from tests.cages import cage
from tests.events.blocks import block
from tests.events.folders import HONEST, ROOT, bot_folder, contender
from tests.referee.test_timing import Worker, in_no_time, owing

DROWSY = ROOT / "tests" / "rogues" / "drowsy.py"
CLOCKS = (Clock(10.0, 0.1, counts_cpu=True), Clock(10.0, 0.1))
EITHER_CLOCK = pytest.mark.parametrize("clock", CLOCKS, ids=str)
TABLES = 256


class Dozer(Worker):
    """A process that runs for a share of the time, and waits for a processor for another."""

    def __init__(self, runs: float, waits: float) -> None:
        super().__init__(runs)
        self._waits = waits

    def waited_s(self) -> float | None:
        """Return what the kernel would say."""
        return self._waits * self._now()


async def waited_for(
    clock: Clock, runs: float, waits: float, stall: Callable[[Desk], None] = lambda desk: None
) -> tuple[float, Breakage]:
    """Wait for a bot that never answers at many tables; return for how long, and what is said."""
    desk = owing(clock, [10.0] * TABLES)
    watch = stopwatch(desk, Dozer(runs, waits))
    now = asyncio.get_running_loop().time
    began = now()
    watch.start()
    stall(desk)
    with pytest.raises(TimeoutError):
        async with watch.waiting():
            await asyncio.sleep(1e9)
    return now() - began, watch.late()


@EITHER_CLOCK
def test_a_bot_that_sleeps_is_waited_for_no_longer_at_many_tables_than_at_one(clock: Clock) -> None:
    took_s, breakage = in_no_time(waited_for(clock, 0.0, 0.0))
    assert took_s == pytest.approx(ALLOWED_S, abs=1)
    assert breakage.ending is SeatEnding.OVERRUN
    assert breakage.sentence == "it slept instead of answering: it may for 5 s in all"
    assert not breakage.platform


@EITHER_CLOCK
@pytest.mark.parametrize(("runs", "waits"), [(1.0, 0.0), (0.0, 1.0), (0.2, 0.8)])
def test_a_bot_that_runs_or_waits_for_a_processor_does_not_sleep(
    clock: Clock, runs: float, waits: float
) -> None:
    took_s, breakage = in_no_time(waited_for(clock, runs, waits))
    assert took_s >= 10.0 * TABLES
    assert "slept" not in breakage.sentence


def test_time_in_which_the_referee_was_held_up_is_no_sleep_of_the_bot() -> None:
    def stall(desk: Desk) -> None:
        desk.floor.stalled_s = 60.0

    took_s, breakage = in_no_time(waited_for(CLOCKS[0], 0.0, 0.0, stall))
    assert took_s == pytest.approx(ALLOWED_S + 60, abs=1)
    assert "slept" in breakage.sentence


async def naps(nap_s: float, answers: int) -> float:
    """Let a bot sleep before each message of some answers; return how long it got away with it."""
    desk = owing(CLOCKS[0], [10.0] * answers)
    watch = stopwatch(desk, Dozer(0.0, 0.0))
    slept_s = 0.0
    while slept_s < 1000:
        watch.start()
        try:
            async with watch.waiting():
                await asyncio.sleep(nap_s)
        except TimeoutError:
            return slept_s
        watch.stop()
        watch.share(answers)
        slept_s += nap_s
    return slept_s


@given(st.floats(0.1, 4.0), st.integers(1, 4))
def test_many_short_naps_are_added_up(nap_s: float, answers: int) -> None:
    got_away_with_s = in_no_time(naps(nap_s, answers))
    messages = got_away_with_s / nap_s
    assert got_away_with_s <= ALLOWED_S + ALLOWED_FOR_ANSWER_S * answers * messages + nap_s


@pytest.mark.parametrize("when", ["always", "in a crowd"])
def test_a_sleeper_loses_its_own_matches_and_holds_up_no_others(tmp_path: Path, when: str) -> None:
    if cage().name == "none":
        pytest.skip("without a cage a bot may sleep")
    bots = [
        contender(bot_folder(tmp_path, "ann", HONEST), 1),
        contender(bot_folder(tmp_path, "drowsy", DROWSY, when), 2),
    ]
    given = block(*bots, deals=4)
    results = play_block(given)
    assert {seat.ending for result in results for seat in result.seats if seat.version == 1} == {
        PLAYED
    }
    slept = [s for result in results for s in result.seats if s.ending != PLAYED]
    breaks = sum(seat.breaks for result in results for seat in result.seats)
    if when == "always":
        assert [seat.ending for seat in slept] == [SeatEnding.OVERRUN.value] * OVERRUNS
        assert len(results) == OVERRUNS, "the others are handed back"
        assert breaks == 0
    else:
        assert slept == []
        assert len(results) == len(given.matches)
        assert breaks >= 1
