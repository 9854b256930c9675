"""The order in which bots get turns to think, and that every bot gets one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.referee.turns import OLDEST_EVERY, PATIENCE, Turns


@dataclass
class Match:
    """A match with a tag."""

    tag: int


@dataclass
class Request:
    """A request in a match."""

    match: Match


@dataclass
class Mailbox:
    """A mailbox with requests."""

    requests: list[Request] = field(default_factory=list)


def mailbox(*tags: int) -> Mailbox:
    """Make a mailbox with a request in each match with these tags."""
    return Mailbox([Request(Match(tag)) for tag in tags])


async def settle() -> None:
    """Give all tasks time to run until they block."""
    for _ in range(5):
        await asyncio.sleep(0)


async def order_of(mailboxes: dict[str, Mailbox], *, after: int = 0) -> list[str]:
    """Return the order in which waiting bots think, after some turns have been given."""
    turns, order = Turns(1), []
    await turns.take(Mailbox())
    for _ in range(after):
        taking = asyncio.create_task(turns.take(Mailbox()))
        await settle()
        turns.end()
        await taking

    async def think(name: str) -> None:
        await turns.take(mailboxes[name])
        order.append(name)

    tasks = [asyncio.create_task(think(name)) for name in mailboxes]
    await settle()
    # Requests that arrive while it waits count as well.
    mailboxes["more"].requests += mailbox(*range(20, 30)).requests
    for _ in mailboxes:
        turns.end()
        await settle()
    await asyncio.gather(*tasks)
    return order


def test_the_bot_with_the_most_pending_requests_is_next() -> None:
    mailboxes = {"few": mailbox(1), "many": mailbox(3, 4, 5, 6), "more": mailbox(7, 8)}
    assert asyncio.run(order_of(mailboxes)) == ["more", "many", "few"]


def test_every_few_turns_the_oldest_match_is_next() -> None:
    mailboxes = {"many": mailbox(3, 4, 5, 6), "more": mailbox(7, 8), "few": mailbox(1)}
    assert asyncio.run(order_of(mailboxes, after=OLDEST_EVERY - 1)) == ["few", "more", "many"]


def test_a_bot_that_never_has_the_most_requests_does_not_starve() -> None:
    async def play() -> int:
        turns = Turns(1)
        small, turns_given = mailbox(10), 0
        await turns.take(Mailbox())
        waiting = asyncio.create_task(turns.take(small))
        await settle()
        while not waiting.done():
            others = [asyncio.create_task(turns.take(mailbox(*range(9)))) for _ in range(2)]
            await settle()
            turns.end()
            await settle()
            for each in others:
                if not each.done():
                    each.cancel()
            await settle()
            turns_given += 1
        return turns_given

    assert asyncio.run(play()) == PATIENCE + 1


@given(st.integers(1, 3), st.integers(0, 99))
def test_no_more_bots_think_at_once_than_there_are_cores_and_no_turn_is_lost(
    cores: int, seed: int
) -> None:
    async def play() -> None:
        rng = Random(seed)
        turns = Turns(cores)
        thinking = most = 0

        async def bot() -> None:
            nonlocal thinking, most
            for _ in range(5):
                await turns.take(mailbox(*rng.sample(range(9), rng.randrange(4))))
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
        # All turns have been returned.
        for _ in range(cores):
            await asyncio.wait_for(turns.take(Mailbox()), 1)

    asyncio.run(play())
