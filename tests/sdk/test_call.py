"""The SDK's gRPC client works with grpcio's server, and copes with anything a server may send."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sdk.call import Call, CallFailed

METHOD = "/some.Service/Method"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
Behaviour = Callable[[Iterator[bytes], Any], Iterator[bytes]]


@contextmanager
def serve_and_call(
    behaviour: Behaviour, *, most_bytes: int = -1, method: str = METHOD
) -> Iterator[tuple[Call, grpc.Server]]:
    """Serve one method with grpcio, and call it."""
    handler = grpc.stream_stream_rpc_method_handler(behaviour)
    limits = {"grpc.max_receive_message_length": most_bytes, "grpc.max_send_message_length": -1}
    with TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        server = grpc.server(pool, options=tuple(limits.items()))
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("some.Service", {"Method": handler}),)
        )
        path = f"{folder}/socket"
        server.add_insecure_port(f"unix:{path}")
        server.start()
        try:
            with contextlib.closing(Call(path, method)) as call:
                yield call, server
        finally:
            server.stop(None).wait()


def echo(messages: Iterator[bytes], _: Any) -> Iterator[bytes]:
    """Echo every message."""
    yield from messages


@pytest.mark.parametrize("size", [0, 1, 16_384, 16_385, 65_535, 65_536, 3_000_000])
def test_messages_of_any_size_travel_both_ways(size: int) -> None:
    with serve_and_call(echo) as (call, _):
        for number in range(3):
            message = bytes([number]) * size
            call.write(message)
            assert call.read() == message


def test_thousands_of_messages_use_up_no_window() -> None:
    with serve_and_call(echo) as (call, _):
        for number in range(3000):
            message = struct.pack("L", number) * 100
            call.write(message)
            assert call.read() == message


def test_several_messages_may_come_at_once() -> None:
    def three_for_one(messages: Iterator[bytes], _: Any) -> Iterator[bytes]:
        for message in messages:
            yield from (message, b"", message * 2)

    with serve_and_call(three_for_one) as (call, _):
        call.write(b"ab")
        assert [call.read() for _ in range(3)] == [b"ab", b"", b"abab"]


def test_reading_after_the_end_of_the_call_returns_none() -> None:
    def once(messages: Iterator[bytes], _: Any) -> Iterator[bytes]:
        yield next(messages)

    with serve_and_call(once) as (call, _):
        call.write(b"a")
        assert (call.read(), call.read(), call.read()) == (b"a", None, None)
        call.write(b"nobody reads this")


def test_a_message_that_the_server_rejects_is_reported() -> None:
    with serve_and_call(echo, most_bytes=1000) as (call, _):
        call.write(bytes(2000))
        with pytest.raises(CallFailed, match=r"status 8: .*\(2000 vs. 1000\)"):
            call.read()


def test_an_unknown_method_is_reported() -> None:
    with serve_and_call(echo, method="/some.Service/Other") as (call, _):
        with pytest.raises(CallFailed, match="status 12: Method not found"):
            call.read()


def test_a_server_that_goes_away_ends_the_call() -> None:
    with serve_and_call(echo) as (call, server):
        call.write(b"a")
        assert call.read() == b"a"
        server.stop(None).wait()
        with contextlib.suppress(CallFailed):
            assert call.read() is None


# Some valid behaviour never occurs with grpcio's server: these tests write the frames themselves.


def frame(kind: int, flags: int = 0, stream: int = 1, payload: bytes = b"") -> bytes:
    """Encode a frame."""
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def message(content: bytes) -> bytes:
    """Encode a message with its gRPC prefix."""
    return b"\0" + len(content).to_bytes(4) + content


class Server:
    """The server end of a socket; the test controls every byte."""

    def __init__(self, folder: str) -> None:
        """Listen."""
        self.path = f"{folder}/socket"
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen()
        self._received = b""

    def accept(self) -> None:
        """Accept the call, and read its opening frames."""
        self.socket, _ = self._listener.accept()
        self.socket.settimeout(20)
        assert self._take(len(PREFACE)) == PREFACE
        assert [self.take()[0] for _ in range(3)] == [4, 8, 1]

    def take(self) -> tuple[int, int, int, bytes]:
        """Read a frame: its type, flags, stream and payload."""
        head = self._take(9)
        payload = self._take(int.from_bytes(head[:3]))
        return head[3], head[4], int.from_bytes(head[5:]), payload

    def _take(self, size: int) -> bytes:
        while len(self._received) < size:
            more = self.socket.recv(1 << 16)
            assert more, "the client has gone"
            self._received += more
        taken, self._received = self._received[:size], self._received[size:]
        return taken

    def close(self) -> None:
        """Close the connection."""
        self._listener.close()
        self.socket.close()


@pytest.fixture
def server() -> Iterator[Server]:
    """Yield a server with a path that is short enough for a socket."""
    with TemporaryDirectory() as folder, contextlib.closing(Server(folder)) as server:
        yield server


@contextmanager
def open_call(server: Server) -> Iterator[Call]:
    """Open a call to the server."""
    with contextlib.closing(Call(server.path, METHOD)) as call:
        server.accept()
        yield call


@pytest.fixture
def call(server: Server) -> Iterator[Call]:
    """Yield a call to the server."""
    with open_call(server) as call:
        yield call


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(frame(0, 0, 1, message(b"hello")), id="plain"),
        pytest.param(frame(0, 0x8, 1, b"\x03" + message(b"hello") + bytes(3)), id="padded"),
        pytest.param(
            frame(0, 0, 1, message(b"hello")[:7]) + frame(0, 0, 1, message(b"hello")[7:]),
            id="in two frames",
        ),
        pytest.param(
            frame(1, 0x20, 1, bytes(5)) + frame(9, 0x4, 1) + frame(0, 0, 1, message(b"hello")),
            id="after headers with a priority and a continuation",
        ),
        pytest.param(
            frame(7, 0, 0, bytes([0x7F, 255, 255, 255]) + bytes(4))
            + frame(0, 0, 1, message(b"hello")),
            id="after a goaway that spares the call",
        ),
        pytest.param(
            frame(0xEE, 0, 0, b"?") + frame(2, 0, 1, bytes(5)) + frame(0, 0, 1, message(b"hello")),
            id="after frames of other types",
        ),
        pytest.param(frame(0, 0x1, 1, message(b"hello")), id="at the end of the stream"),
    ],
)
@pytest.mark.parametrize("step", [1, 1 << 20])
def test_a_message_is_understood_in_any_frames_and_pieces(
    server: Server, call: Call, sent: bytes, step: int
) -> None:
    def send() -> None:
        for at in range(0, len(sent), step):
            server.socket.sendall(sent[at : at + step])

    thread = threading.Thread(target=send)
    thread.start()
    assert call.read() == b"hello"
    thread.join()


def test_pings_and_settings_are_answered(server: Server, call: Call) -> None:
    sent = frame(4, 0, 0) + frame(6, 0, 0, b"12345678") + frame(0, 0, 1, message(b""))
    server.socket.sendall(sent)
    assert call.read() == b""
    assert server.take() == (4, 1, 0, b"")
    assert server.take() == (6, 1, 0, b"12345678")


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(frame(3, 0, 1, bytes(4)), id="reset"),
        pytest.param(frame(7, 0, 0, bytes(8)), id="goaway"),
        pytest.param(frame(1, 0x5, 1, b"\x88"), id="headers that end it"),
        pytest.param(frame(0, 0x1, 1), id="data that end it"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"\0", id="a piece of a frame"),
    ],
)
def test_a_call_may_end_in_many_ways(server: Server, call: Call, sent: bytes) -> None:
    server.socket.sendall(sent)
    if len(sent) < 2:
        server.socket.shutdown(socket.SHUT_WR)
    assert call.read() is None


def test_a_compressed_message_is_refused(server: Server, call: Call) -> None:
    server.socket.sendall(frame(0, 0, 1, b"\1" + message(b"x")[1:]))
    with pytest.raises(CallFailed, match="compressed"):
        call.read()


def frames() -> st.SearchStrategy[bytes]:
    """Draw frames that may be invalid."""
    payloads = st.one_of(st.binary(max_size=40), st.binary(max_size=20).map(message))
    drawn = st.builds(frame, st.integers(0, 10), st.integers(0, 255), st.integers(0, 1), payloads)
    return st.lists(st.one_of(drawn, st.binary(max_size=12)), max_size=6).map(b"".join)


@given(frames())
def test_the_call_ends_whatever_bytes_a_server_sends(sent: bytes) -> None:
    with TemporaryDirectory() as folder, contextlib.closing(Server(folder)) as server:
        with open_call(server) as call, contextlib.suppress(CallFailed):
            server.socket.sendall(sent)
            server.socket.shutdown(socket.SHUT_WR)
            while call.read() is not None:
                pass
            call.write(b"too late")
