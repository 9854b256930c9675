"""The connection to one bot with our own gRPC server, which runs in the event loop alone.

A bot may send up to 64 KiB that nobody waits for. Only while the referee waits for a message, the
bot is allowed to send the rest of it: a bot that sends more fills its own pipe and nothing else.
"""

from __future__ import annotations

import asyncio
import re
import socket as sockets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from arena.referee.players.connection import HARD_LIMIT, ONE_CALL, Connection
from arena.referee.players.frame_socket import FrameSocket
from arena.referee.players.http2_connection import Http2Connection, Status
from arena.referee.players.http2_rules import Http2Error
from arena.wire import http2
from arena.wire.envelope import METHOD, SERVICE

_PATH = f"/{SERVICE}/{METHOD}".encode()
_REQUIRED = {b":method": b"POST", b"te": b"trailers"}
_CONTENT_TYPE = re.compile(rb"application/grpc([+;].*)?")
_MOST_CONNECTIONS = 16
"""Maximum number of connections that a bot can make, with or without a call."""
_PAUSE_S = 1.0
"""How long no connection is accepted after the machine could not accept one."""
_OK, _RESOURCE_EXHAUSTED, _UNIMPLEMENTED, _INTERNAL = 0, 8, 12, 13
_COMPRESSED = "messages must not be compressed"
_MIB, _GIB = 1 << 20, 1 << 30


class OwnConnection(Connection):
    """A connection without threads or tasks."""

    def __init__(self, socket: Path, on_close: Callable[[], None]) -> None:
        """Listen on `socket`; call `on_close` when the call ends."""
        super().__init__(socket, on_close)
        self._loop = asyncio.get_running_loop()
        self._listener = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM)
        self._connections: list[Http2Connection] = []
        self._carrier: Http2Connection | None = None
        """The connection of the call."""
        self._received = bytearray()
        """Received data that is not yet a complete message."""
        self._has_input = True
        """Whether the bot may still send messages."""
        self._window = http2.DEFAULT_WINDOW
        """Bytes that the bot may still send."""
        self._reader: asyncio.Future[bytes | None] | None = None
        """Waits for the next message."""
        self._unsent = bytearray()
        """Data for which the bot's windows are too small."""
        self._writer: asyncio.Future[None] | None = None
        """Waits until everything is sent."""
        self._is_finishing = False

    async def __aenter__(self) -> Self:
        """Start listening."""
        try:
            self._listener.setblocking(False)
            self._listener.bind(str(self.socket))
            self._listener.listen(_MOST_CONNECTIONS)
        except OSError:
            self._listener.close()
            raise self._cannot_listen() from None
        self._loop.add_reader(self._listener, self._connect)
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the call and stop listening."""
        self.close()
        self._stop_listening()
        for connection in self._connections:
            connection.close()

    def close(self) -> None:
        """End the call once all messages are sent."""
        if self._carrier and not self.is_closed and not self._is_finishing:
            self._is_finishing = True
            self.send_more()

    async def receive(self) -> bytes | None:
        """Wait for the next message; None if the bot has closed the call."""
        message = self._take_message()
        if message is not None or not self._has_input:
            return message
        self._reader = self._loop.create_future()
        self._extend_window()
        try:
            return await self._reader
        finally:
            self._reader = None

    async def send(self, message: bytes) -> bool:
        """Send a message; return False if the bot has closed the call."""
        if self.is_closed:
            return False
        assert self._carrier
        if self._unsent or not self._carrier.send_message(message):
            self._unsent += http2.PREFIX.pack(0, len(message)) + message
            self.send_more()
        while (self._unsent or self._carrier.is_full) and not self.is_closed:
            self._writer = self._loop.create_future()
            await self._writer
        return not self.is_closed

    def accept(self, connection: Http2Connection, headers: Mapping[bytes, bytes]) -> Status | None:
        """Take a call, or return why it is refused."""
        if self._carrier:
            return Status(_RESOURCE_EXHAUSTED, ONE_CALL)
        refusal = _refusal_of(headers)
        if refusal:
            self.violation = f"its call was refused: {refusal.sentence}"
            return refusal
        # It may have made mistakes before.
        self.violation = ""
        self._carrier = connection
        self._called.set_result(None)
        return None

    def take_data(self, data: memoryview, size: int) -> None:
        """Take a piece of a message, which used up `size` bytes of the call's window."""
        self._window -= size
        if self._window < 0:
            raise Http2Error(http2.FLOW_CONTROL_ERROR, "more data than was allowed")
        self._received += data
        if self._reader is None or self._reader.done():
            return
        message = self._take_message()
        if message is not None:
            self._reader.set_result(message)
        elif self._has_input:
            self._extend_window()

    def end_input(self) -> None:
        """Note that the bot sends no more messages."""
        self._has_input = False
        if self._reader and not self._reader.done():
            self._reader.set_result(None)

    def note_violation(self, connection: FrameSocket, reason: str) -> None:
        """Note that a connection is about to be closed, and why."""
        if self._carrier in (None, connection):
            self.violation = self.violation or f"it broke the rules of gRPC: {reason}"

    def note_failure(self, error: Exception) -> None:
        """Note that a connection is about to be closed because of a mistake of ours."""
        self.failure = error
        if not self._called.done():
            self._called.set_result(None)
        self.lose_call()

    def lose_call(self) -> None:
        """Note that the call is over."""
        self._end_call()
        self._unsent.clear()
        self._wake_writer()
        self.end_input()

    def send_more(self) -> None:
        """Continue to send: there may be space again."""
        assert self._carrier
        while self._unsent and self._carrier.send_part(self._unsent):
            pass
        if self._unsent or self._carrier.is_full:
            return
        self._wake_writer()
        if self._is_finishing and not self.is_closed:
            self._finish(Status(_OK))

    def _wake_writer(self) -> None:
        if self._writer and not self._writer.done():
            self._writer.set_result(None)

    def _take_message(self) -> bytes | None:
        """Remove a complete message from what was received."""
        received = self._received
        if len(received) < http2.PREFIX.size:
            return None
        compressed, size = http2.PREFIX.unpack_from(received)
        if compressed:
            self.violation = "it sent a compressed message"
            self._finish(Status(_INTERNAL, _COMPRESSED))
            return None
        if size > HARD_LIMIT:
            self.violation = f"it announced a message of {_round_up(size)}"
            sentence = f"Received message larger than max ({size} vs. {HARD_LIMIT})"
            self._finish(Status(_RESOURCE_EXHAUSTED, sentence))
            return None
        end = http2.PREFIX.size + size
        if len(received) < end:
            return None
        message = bytes(received[http2.PREFIX.size : end])
        del received[:end]
        assert self._carrier
        self._carrier.renew_allowance()
        return message

    def _finish(self, status: Status) -> None:
        """End the call from this side."""
        if self._carrier and not self.is_closed:
            self._carrier.finish(status)
        self._received.clear()
        self.lose_call()

    def _extend_window(self) -> None:
        """Let the bot send the message that is awaited."""
        end, received = http2.PREFIX.size, len(self._received)
        if received >= end:
            end += http2.PREFIX.unpack_from(self._received)[1]
        missing = max(http2.DEFAULT_WINDOW, end) - received - self._window
        # Unless the message needs it, a small extension is not worth a frame.
        if self._window < end - received or missing > http2.DEFAULT_WINDOW // 2:
            assert self._carrier
            self._window += missing
            self._carrier.extend_window(missing)

    def _connect(self) -> None:
        """Accept a connection."""
        try:
            socket, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionError):
            return
        except OSError:
            # Too many open files, for example. The loop would call this repeatedly.
            self._loop.remove_reader(self._listener)
            self._loop.call_later(_PAUSE_S, self._listen_again)
            return
        socket.setblocking(False)
        self._connections.append(Http2Connection(socket, self))
        if len(self._connections) == _MOST_CONNECTIONS:
            self._stop_listening()

    def _listen_again(self) -> None:
        if self._listener.fileno() >= 0:
            self._loop.add_reader(self._listener, self._connect)

    def _stop_listening(self) -> None:
        if self._listener.fileno() >= 0:
            self._loop.remove_reader(self._listener)
            self._listener.close()


def _refusal_of(headers: Mapping[bytes, bytes]) -> Status | None:
    """Return why a call is refused, whatever other calls there are."""
    if headers[b":path"] != _PATH:
        return Status(_UNIMPLEMENTED, "Method not found!")
    for name, value in _REQUIRED.items():
        if headers.get(name) != value:
            return Status(_INTERNAL, f"{name.decode()} must be {value.decode()}")
    if not _CONTENT_TYPE.fullmatch(headers.get(b"content-type", b"")):
        return Status(_INTERNAL, "content-type must be application/grpc")
    if headers.get(b"grpc-encoding", b"identity") != b"identity":
        return Status(_UNIMPLEMENTED, _COMPRESSED)
    return None


def _round_up(size: int) -> str:
    unit, name = (_GIB, "GiB") if size >= _GIB else (_MIB, "MiB")
    return f"{-(-size // unit)} {name}"
