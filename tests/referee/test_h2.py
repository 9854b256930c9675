"""Our server of HTTP/2 exchanges messages with another implementation of it, h2."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.players.connection import Driver
from tests.referee.h2_peer import h2_bot
from tests.referee.listening import referee, run

Message = tuple[int, int, int | None]
"""The size of a message, of its pieces, and of their padding."""


def messages(most: int) -> st.SearchStrategy[list[Message]]:
    """Draw messages of a bot."""
    sizes = st.integers(0, 2_000) | st.integers(0, most)
    # Smaller pieces are a flood of frames, which is refused.
    drawn = st.tuples(sizes, st.integers(1_000, 1 << 14), st.none() | st.integers(0, 255))
    return st.lists(drawn, min_size=1, max_size=4)


@settings(max_examples=25, deadline=None)
@given(st.integers(2_000, 70_000), messages(70_000))
def test_messages_travel_to_h2_and_back_without_exceeding_a_window(
    window: int, sent: list[Message]
) -> None:
    async def check() -> None:
        async with referee(Driver.OWN) as made, h2_bot(made.connection.socket) as bot:
            await bot.call(window=window)
            for number, (size, piece, padding) in enumerate(sent):
                content = bytes([number]) * size
                sending = asyncio.create_task(bot.send(content, piece=piece, padding=padding))
                received = await (made.connection.receive() if number else made.first())
                assert received == content
                await sending
                answering = asyncio.create_task(made.connection.send(content))
                assert await bot.receive() == content
                assert await answering

    run(check())
