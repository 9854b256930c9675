"""Only a few bots start at the same time, and none keeps the others waiting for long."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from arena.indices import PlayerIndex
from arena.referee.clock import DEFAULT_CLOCK
from arena.referee.turns import Start, Starts
from tests.builders.matches import make_fixtures, play_fixtures, rogue

ENOUGH_S = 60.0


async def begin_all(starts: Starts, count: int) -> tuple[list[Start], list[asyncio.Task[Start]]]:
    """Begin some starts; return the ones that need not wait, and the others."""
    tasks = [asyncio.create_task(starts.begin()) for _ in range(count)]
    # Whoever need not wait is done when all tasks have run once.
    await asyncio.sleep(0)
    return [task.result() for task in tasks if task.done()], [t for t in tasks if not t.done()]


def test_the_next_bot_starts_when_another_has_started() -> None:
    async def check() -> None:
        begun, waiting = await begin_all(Starts(1, patience_s=ENOUGH_S), 3)
        assert (len(begun), len(waiting)) == (2, 1)
        begun[0].end()
        begun[0].end()
        (await asyncio.wait_for(waiting[0], ENOUGH_S)).end()
        begun[1].end()

    asyncio.run(check())


def test_an_end_counts_once() -> None:
    async def check() -> None:
        starts = Starts(1, patience_s=ENOUGH_S)
        (one, _), _ = await begin_all(starts, 2)
        one.end()
        one.end()
        begun, waiting = await begin_all(starts, 2)
        assert (len(begun), len(waiting)) == (1, 1)
        waiting[0].cancel()

    asyncio.run(check())


def test_a_bot_that_does_not_start_keeps_others_waiting_for_a_moment_only() -> None:
    async def check() -> None:
        _, waiting = await begin_all(Starts(1, patience_s=0.01), 3)
        await asyncio.wait_for(waiting[0], ENOUGH_S)

    asyncio.run(check())


def test_many_bots_start_one_after_another_and_all_play() -> None:
    players = [rogue(f"honest-{number}", "honest.py") for number in range(12)]
    fixtures = [
        replace(fixture, seating=tuple(PlayerIndex((at + seat) % 12) for seat in range(3)))
        for at, fixture in enumerate(make_fixtures(12, 3))
    ]
    records = play_fixtures(players, fixtures, tables=12, clock=DEFAULT_CLOCK)
    assert [record.faults for record in records] == [()] * 12
