"""Whoever breaks a rule of HTTP/2 or gRPC is refused, as other servers refuse it."""

from __future__ import annotations

import asyncio

import hpack
import pytest

from arena.referee.players.connection import Driver
from arena.wire import http2
from tests.referee.listening import referee, run
from tests.referee.raw_bot import REQUEST, call, connect, data, headers, message

SETTINGS = http2.frame(http2.SETTINGS, 0, 0)
START = http2.PREFACE + SETTINGS
HELLO = data(message(b"hello"))
CALL = START + call(headers()) + HELLO
ENDED = START + call(headers()) + data(message(b"hello"), http2.END_STREAM)


def request(*first: tuple[str, str], without: str = "", **more: str) -> bytes:
    """Encode a call with other headers first or last; an underscore stands for a hyphen."""
    usual = [(name, value) for name, value in REQUEST.items() if name != without]
    last = [(name.replace("_", "-"), value) for name, value in more.items()]
    return START + call(hpack.Encoder().encode([*first, *usual, *last])) + HELLO


def trailers(*fields: tuple[str, str], flags: int = http2.END_HEADERS | http2.END_STREAM) -> bytes:
    """Encode the headers that end a call."""
    return CALL + http2.frame(http2.HEADERS, flags, 1, hpack.Encoder().encode(fields))


def after_call(kind: int, stream: int, payload: bytes, flags: int = 0) -> bytes:
    """Encode a call, and a frame."""
    return CALL + http2.frame(kind, flags, stream, payload)


PROTOCOL, CLOSED, SIZE = http2.PROTOCOL_ERROR, http2.STREAM_CLOSED, http2.FRAME_SIZE_ERROR
FLOW = http2.FLOW_CONTROL_ERROR
LONG_HEADERS = http2.literal(b"name", bytes(100)) * 200
BOMB = b"\x40" + http2.string(b"name") + b"\x7f\x81\x1d" + bytes(3840) + b"\xbe" * 4000
"""A long header in the dynamic table, and thousands of references to it."""
FORBIDDEN = {
    "3.4 no HTTP/2": (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", PROTOCOL),
    "3.4 no SETTINGS first": (http2.PREFACE + call(headers()), PROTOCOL),
    "3.4 an acknowledgement first": (
        http2.PREFACE + http2.frame(http2.SETTINGS, http2.ACK, 0),
        PROTOCOL,
    ),
    "4.2 a large frame": (START + b"\xff" * 9, SIZE),
    "4.3 interrupted headers": (
        START
        + http2.frame(http2.HEADERS, 0, 1, headers())
        + http2.frame(http2.PING, 0, 0, bytes(8)),
        PROTOCOL,
    ),
    "4.3 headers that make no sense": (START + call(b"\xff" * 20), http2.COMPRESSION_ERROR),
    "4.3 headers that decompress to much": (START + call(BOMB), http2.COMPRESSION_ERROR),
    "4.3 long headers": (
        START
        + http2.frame(http2.HEADERS, 0, 1, LONG_HEADERS[:16_000])
        + http2.frame(http2.CONTINUATION, 0, 1, LONG_HEADERS[16_000:]),
        http2.ENHANCE_YOUR_CALM,
    ),
    "4.3 endless headers": (
        START
        + http2.frame(http2.HEADERS, 0, 1, b"")
        + http2.frame(http2.CONTINUATION, 0, 1, b"") * 20_000,
        http2.ENHANCE_YOUR_CALM,
    ),
    "6.1 more padding than there is": (CALL + data(b"\xff" + bytes(5), http2.PADDED), PROTOCOL),
    "6.9 more data than was allowed": (CALL + data(message(bytes(10_000))) * 10, FLOW),
    "4.2 HEADERS shorter than their priority": (
        START + http2.frame(http2.HEADERS, http2.END_HEADERS | http2.HAS_PRIORITY, 1, b"abc"),
        SIZE,
    ),
    "5.1 DATA after END_STREAM": (ENDED + HELLO, CLOSED),
    "5.1 HEADERS after END_STREAM": (ENDED + call(headers()), CLOSED),
    "5.1 DATA after RST_STREAM": (
        after_call(http2.RST_STREAM, 1, bytes(4)) + HELLO,
        CLOSED,
    ),
    "5.1 DATA on a new stream": (CALL + data(b"x", stream=3), PROTOCOL),
    "5.1 RST_STREAM of a new stream": (after_call(http2.RST_STREAM, 3, bytes(4)), PROTOCOL),
    "5.1 WINDOW_UPDATE of a new stream": (CALL + http2.window_update(3, 1), PROTOCOL),
    "5.1.1 a stream of the server": (CALL + data(b"x", stream=2), PROTOCOL),
    "5.1.1 a lower stream": (
        START + call(headers(), stream=5) + call(headers(), stream=3),
        CLOSED,
    ),
    "6.1 DATA on the connection": (CALL + data(b"x", stream=0), PROTOCOL),
    "6.2 HEADERS on the connection": (START + call(headers(), stream=0), PROTOCOL),
    "6.3 PRIORITY of the connection": (after_call(http2.PRIORITY, 0, bytes(5)), PROTOCOL),
    "6.3 PRIORITY of four bytes": (after_call(http2.PRIORITY, 1, bytes(4)), SIZE),
    "6.4 RST_STREAM of the connection": (after_call(http2.RST_STREAM, 0, bytes(4)), PROTOCOL),
    "6.4 RST_STREAM of three bytes": (after_call(http2.RST_STREAM, 1, bytes(3)), SIZE),
    "6.5 SETTINGS on a stream": (after_call(http2.SETTINGS, 1, b""), PROTOCOL),
    "6.5 half a setting": (after_call(http2.SETTINGS, 0, bytes(3)), SIZE),
    "6.5 an acknowledgement with settings": (
        after_call(http2.SETTINGS, 0, bytes(6), http2.ACK),
        SIZE,
    ),
    "6.5.2 ENABLE_PUSH 2": (CALL + http2.settings_frame({http2.ENABLE_PUSH: 2}), PROTOCOL),
    "6.5.2 a large INITIAL_WINDOW_SIZE": (
        CALL + http2.settings_frame({http2.INITIAL_WINDOW_SIZE: 1 << 31}),
        FLOW,
    ),
    "6.5.2 a small MAX_FRAME_SIZE": (
        CALL + http2.settings_frame({http2.MAX_FRAME_SIZE: http2.DEFAULT_FRAME - 1}),
        PROTOCOL,
    ),
    "6.5.2 a large MAX_FRAME_SIZE": (
        CALL + http2.settings_frame({http2.MAX_FRAME_SIZE: http2.LARGEST_FRAME + 1}),
        PROTOCOL,
    ),
    "6.6 PUSH_PROMISE": (after_call(http2.PUSH_PROMISE, 1, bytes(4)), PROTOCOL),
    "6.7 PING on a stream": (after_call(http2.PING, 1, bytes(8)), PROTOCOL),
    "6.7 PING of seven bytes": (after_call(http2.PING, 0, bytes(7)), SIZE),
    "6.7 an answer of seven bytes": (after_call(http2.PING, 0, bytes(7), http2.ACK), SIZE),
    "6.8 GOAWAY on a stream": (after_call(http2.GOAWAY, 1, bytes(8)), PROTOCOL),
    "6.8 GOAWAY of seven bytes": (after_call(http2.GOAWAY, 0, bytes(7)), SIZE),
    "6.9 WINDOW_UPDATE of nothing for the call": (CALL + http2.window_update(1, 0), PROTOCOL),
    "6.9 WINDOW_UPDATE of nothing for all": (CALL + http2.window_update(0, 0), PROTOCOL),
    "6.9 WINDOW_UPDATE of three bytes": (after_call(http2.WINDOW_UPDATE, 1, bytes(3)), SIZE),
    "6.9.1 a window that is too large": (CALL + http2.window_update(0, (1 << 31) - 1), FLOW),
    "6.10 CONTINUATION of complete headers": (after_call(http2.CONTINUATION, 1, b""), PROTOCOL),
    "8.1 headers within a call": (trailers(flags=http2.END_HEADERS), PROTOCOL),
    "8.2.1 a name in capitals": (request(X="y"), PROTOCOL),
    "8.2.1 a name with a space": (request(("a b", "c")), PROTOCOL),
    "8.2.1 a name with a colon": (request(("a:", "b")), PROTOCOL),
    "8.2.1 a line break in a value": (request(x="a\nb"), PROTOCOL),
    "8.2.1 a zero in a value": (request(x="a\0"), PROTOCOL),
    "8.2.1 a space before a value": (request(x=" a"), PROTOCOL),
    "8.2.1 a space after a value": (request(x="a "), PROTOCOL),
    "8.2.2 a connection header": (request(connection="close"), PROTOCOL),
    "8.2.2 a transfer-encoding": (request(transfer_encoding="chunked"), PROTOCOL),
    "8.2.2 another te": (request(te="gzip"), PROTOCOL),
    "8.3 a pseudo-header after others": (request(("x", "y")), PROTOCOL),
    "8.3 an unknown pseudo-header": (request((":x", "y")), PROTOCOL),
    "8.3 the pseudo-header of an answer": (request((":status", "200")), PROTOCOL),
    "8.3 a pseudo-header at the end": (trailers((":path", "/")), PROTOCOL),
    "8.3.1 two paths": (request((":path", "/")), PROTOCOL),
    "8.3.1 no path": (request(without=":path"), PROTOCOL),
    "8.3.1 an empty path": (request((":path", ""), without=":path"), PROTOCOL),
    "8.3.1 no method": (request(without=":method"), PROTOCOL),
    "8.3.1 no scheme": (request(without=":scheme"), PROTOCOL),
}
"""By section of RFC 9113: what is sent, and the error that closes the connection."""


@pytest.mark.parametrize("rule", FORBIDDEN)
def test_what_http2_forbids_closes_the_connection_with_the_error(rule: str) -> None:
    sent, code = FORBIDDEN[rule]

    async def check() -> None:
        async with referee(Driver.OWN) as made, connect(made.connection.socket) as bot:
            sending = asyncio.create_task(bot.send(sent))
            frames = await bot.take_rest()
            await sending
            goaway = frames[-1]
            assert (goaway.kind, int.from_bytes(goaway.payload[4:8])) == (http2.GOAWAY, code)
            reason = goaway.payload[8:].decode()
            assert made.connection.violation == f"it broke the rules of gRPC: {reason}"

    run(check())


ALLOWED = {
    "an unknown setting": http2.settings_frame({0xEEEE: 7}),
    "an unknown flag": http2.frame(http2.PING, 0xF0, 0, bytes(8)),
    "an answer to a ping": http2.frame(http2.PING, http2.ACK, 0, bytes(8)),
    "an answer to settings": http2.frame(http2.SETTINGS, http2.ACK, 0),
    "the largest window": http2.window_update(1, http2.LARGEST_WINDOW - http2.DEFAULT_WINDOW),
    "more than a call that was refused": (
        call(headers(), stream=3)
        + data(b"x", stream=3)
        + http2.window_update(3, 1)
        + http2.frame(http2.HEADERS, http2.END_HEADERS | http2.END_STREAM, 3, b"")
    ),
}


@pytest.mark.parametrize("what", ALLOWED)
def test_what_http2_allows_does_not_disturb_the_call(what: str) -> None:
    async def check() -> None:
        async with referee(Driver.OWN) as made, connect(made.connection.socket) as bot:
            await bot.send(CALL + ALLOWED[what] + data(message(b"go on")))
            assert await made.first() == b"hello"
            assert await made.connection.receive() == b"go on"
            assert made.connection.violation == ""

    run(check())


@pytest.mark.parametrize(
    ("sent", "status", "sentence"),
    [
        (request((":method", "GET"), without=":method"), b"13", ":method must be POST"),
        (request(without="te"), b"13", "te must be trailers"),
        (request(without="content-type"), b"13", "content-type must be application/grpc"),
        (
            request(without="content-type", content_type="application/grpc-web"),
            b"13",
            "content-type must be application/grpc",
        ),
        (request(grpc_encoding="gzip"), b"12", "messages must not be compressed"),
        (request((":path", "/a/b"), without=":path"), b"12", "Method not found!"),
    ],
    ids=["method", "te", "no content-type", "grpc-web", "compression", "path"],
)
def test_what_grpc_forbids_is_refused_in_words(sent: bytes, status: bytes, sentence: str) -> None:
    async def check() -> None:
        async with referee(Driver.OWN) as made, connect(made.connection.socket) as bot:
            await bot.send(sent)
            refusal = await bot.take_kind(http2.HEADERS, stream=1)
            found = dict(hpack.Decoder().decode(refusal.payload, raw=True))
            assert (found[b"grpc-status"], found[b"grpc-message"]) == (status, sentence.encode())
            assert made.connection.violation == f"its call was refused: {sentence}"

    run(check())


def test_a_bot_that_was_refused_may_try_again() -> None:
    async def check() -> None:
        async with referee(Driver.OWN) as made:
            async with connect(made.connection.socket) as bot:
                await bot.send(request(without="te"))
                await bot.take_kind(http2.HEADERS)
            async with connect(made.connection.socket) as bot:
                await bot.send(CALL)
                assert await made.first() == b"hello"
                assert made.connection.violation == ""

    run(check())
