"""Our server of HTTP/2 agrees with another implementation on what is valid."""

from __future__ import annotations

import asyncio

import hpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.players.connection import Driver
from arena.wire import http2
from tests.referee.h2_peer import h2_bot, h2_refuses
from tests.referee.listening import referee, run
from tests.referee.raw_bot import REQUEST, call, connect, data, headers

START = http2.PREFACE + http2.frame(http2.SETTINGS, 0, 0)
ENDS = http2.END_HEADERS | http2.END_STREAM
Message = tuple[int, int, int | None]
"""The size of a message, of its pieces, and of their padding."""


def messages(most: int) -> st.SearchStrategy[list[Message]]:
    """Draw messages of a bot."""
    sizes = st.integers(0, 2_000) | st.integers(0, most)
    # Smaller pieces are a flood of frames, which is refused.
    drawn = st.tuples(sizes, st.integers(1_000, 1 << 14), st.none() | st.integers(0, 255))
    return st.lists(drawn, min_size=1, max_size=4)


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


STREAMS = st.sampled_from([0, 1, 1, 1, 1, 2, 3])
FIELDS = [
    *REQUEST.items(),
    (":path", "/"),
    (":status", "200"),
    (":x", "y"),
    ("X", "y"),
    ("x", "a\nb"),
    ("x", " a"),
    ("x", "a"),
    ("te", "gzip"),
    ("connection", "close"),
]


def blocks() -> st.SearchStrategy[bytes]:
    """Draw encoded headers; most are valid."""
    fields = st.lists(st.sampled_from(FIELDS), max_size=2)
    changed = st.tuples(fields, fields).map(lambda more: [*more[0], *REQUEST.items(), *more[1]])
    # h2 knows no rules of gRPC, and demands `:authority`, which RFC 9113 does not.
    names = (":method", ":scheme", ":path")
    missing = st.sampled_from([[f for f in REQUEST.items() if f[0] != n] for n in names])
    return st.one_of(st.just(list(REQUEST.items())), changed, missing).map(
        lambda fields: hpack.Encoder().encode(fields)
    )


def frames() -> st.SearchStrategy[bytes]:
    """Draw a frame that a client may send, or not."""
    of_any_kind = st.builds(
        http2.frame,
        # No GOAWAY: for h2 it ends the connection, but a call that was made goes on.
        st.sampled_from([2, 3, 4, 5, 6, 8, 9, 0xEE]),
        st.sampled_from([0, 0, 1]),
        # Not 3: h2 ignores that a stream is reset which was never opened.
        st.sampled_from([0, 1, 1, 2]),
        st.sampled_from([0, 4, 4, 5, 6, 8, 8, 9]).map(bytes) | st.binary(max_size=9),
    )
    settings_ = st.dictionaries(
        st.sampled_from([1, 2, 3, 4, 5, 6, 9]),
        st.sampled_from([0, 1, 2, 16_384, 65_535, 2**24, 2**31]),
        max_size=2,
    ).map(http2.settings_frame)
    window = st.builds(
        http2.window_update, STREAMS, st.sampled_from([0, 1, 2**31 - 65_536, 2**31 - 1])
    )
    piece = st.builds(data, st.sampled_from([b"", b"x"]), st.sampled_from([0, 0, 1]), STREAMS)
    padded = st.builds(
        data, st.sampled_from([b"", b"\0", b"\1x", b"\1", b"\5x"]), st.just(http2.PADDED), STREAMS
    )
    last = st.builds(
        http2.frame,
        st.just(http2.HEADERS),
        st.sampled_from([http2.END_HEADERS, ENDS, ENDS, 0]),
        # Not 3: we refuse a second call, and then ignore what follows on its stream.
        st.sampled_from([0, 1, 1, 2]),
        st.just(b"") | blocks(),
    )
    return st.one_of(of_any_kind, settings_, window, piece, padded, last)


def sent_by_client() -> st.SearchStrategy[bytes]:
    """Draw everything that a client sends."""
    opening = blocks().map(call) | st.just(call(headers()))
    more = st.lists(frames(), max_size=3).map(b"".join)
    return st.tuples(st.just(START), opening, more).map(b"".join)


def we_refuse(sent: bytes) -> bool:
    """Return whether our server refuses the bytes of a client."""

    async def check() -> bool:
        async with referee(Driver.OWN) as made, connect(made.connection.socket) as bot:
            await bot.send(sent + http2.frame(http2.PING, 0, 0, b"the last"))
            while frame := await bot.take():
                if frame.payload == b"the last":
                    return False
            return True

    return asyncio.run(check())


def check_agreement(sent: bytes) -> None:
    """Check that both refuse the bytes, or neither does."""
    assert we_refuse(sent) == h2_refuses(sent + http2.frame(http2.PING, 0, 0, b"the last"))


@given(sent_by_client())
def test_we_refuse_what_h2_refuses_and_nothing_else(sent: bytes) -> None:
    check_agreement(sent)


@pytest.mark.slow
@settings(max_examples=1500)
@given(sent_by_client())
def test_we_refuse_what_h2_refuses_in_many_cases(sent: bytes) -> None:
    check_agreement(sent)
