"""Whose turn is it to think, and does everybody get one?"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.referee.turns import OLDEST_EVERY, PATIENCE, Turns


@dataclass
class Match:
    """A match that began when it did."""

    tag: int


@dataclass
class Request:
    """A decision that is wanted in a match."""

    match: Match


@dataclass
class Desk:
    """What waits for a bot."""

    requests: list[Request] = field(default_factory=list)


def desk(*tags: int) -> Desk:
    """Let decisions wait for a bot, in matches with these tags."""
    return Desk([Request(Match(tag)) for tag in tags])


async def settled() -> None:
    """Let everybody do what they can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def order_of(desks: dict[str, Desk], *, after: int = 0) -> list[str]:
    """Let bots that wait think one by one, when so many turns have been given before."""
    turns, order = Turns(1), []
    await turns.take(Desk())
    for _ in range(after):
        taking = asyncio.create_task(turns.take(Desk()))
        await settled()
        turns.end()
        await taking

    async def think(name: str) -> None:
        await turns.take(desks[name])
        order.append(name)

    tasks = [asyncio.create_task(think(name)) for name in desks]
    await settled()
    # What comes in while it waits counts, too.
    desks["more"].requests += desk(*range(20, 30)).requests
    for _ in desks:
        turns.end()
        await settled()
    await asyncio.gather(*tasks)
    return order


def test_the_bot_with_the_most_to_decide_is_next_as_things_are_then() -> None:
    desks = {"few": desk(1), "many": desk(3, 4, 5, 6), "more": desk(7, 8)}
    assert asyncio.run(order_of(desks)) == ["more", "many", "few"]


def test_now_and_then_the_oldest_match_is_next() -> None:
    desks = {"many": desk(3, 4, 5, 6), "more": desk(7, 8), "few": desk(1)}
    assert asyncio.run(order_of(desks, after=OLDEST_EVERY - 1)) == ["few", "more", "many"]


def test_a_bot_that_never_has_the_most_is_not_passed_over_for_ever() -> None:
    async def play() -> int:
        turns = Turns(1)
        small, given = desk(10), 0
        await turns.take(Desk())
        waiting = asyncio.create_task(turns.take(small))
        await settled()
        while not waiting.done():
            others = [asyncio.create_task(turns.take(desk(*range(9)))) for _ in range(2)]
            await settled()
            turns.end()
            await settled()
            for each in others:
                if not each.done():
                    each.cancel()
            await settled()
            given += 1
        return given

    assert asyncio.run(play()) == PATIENCE + 1


@given(st.integers(1, 3), st.integers(0, 99))
def test_no_more_think_at_once_than_there_are_cores_and_no_turn_is_lost(
    cores: int, seed: int
) -> None:
    async def play() -> None:
        rng = Random(seed)
        turns = Turns(cores)
        thinking = most = 0

        async def bot() -> None:
            nonlocal thinking, most
            for _ in range(5):
                await turns.take(desk(*rng.sample(range(9), rng.randrange(4))))
                thinking += 1
                most = max(most, thinking)
                try:
                    for _ in range(rng.randrange(3)):
                        await asyncio.sleep(0)
                finally:
                    thinking -= 1
                    turns.end()

        tasks = [asyncio.create_task(bot()) for _ in range(8)]
        for task in rng.sample(tasks, 4):
            for _ in range(rng.randrange(6)):
                await asyncio.sleep(0)
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert most <= cores
        # All turns have come back.
        for _ in range(cores):
            await asyncio.wait_for(turns.take(Desk()), 1)

    asyncio.run(play())
