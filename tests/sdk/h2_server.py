"""A server of one call, made with h2, which raises an error if the client breaks HTTP/2."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, Event, RequestReceived, SettingsAcknowledged
from h2.settings import SettingCodes

from arena.sdk.call import Call

METHOD = "/some.Service/Method"
End = Callable[[H2Connection], None]
"""Ends a call."""
ANSWER = [(":status", "200"), ("content-type", "application/grpc")]


@dataclass(frozen=True, slots=True)
class Manner:
    """How a server echoes messages."""

    window: int = 65_535
    """The initial window of the call's stream, set while the call begins."""
    later_windows: Sequence[int] = ()
    """The initial windows that it sets next, each when the client has acknowledged the last."""
    piece: int = 16_384
    """The most data that it sends in one frame."""
    padding: int | None = None
    """How much padding its data have."""


class H2Server:
    """The server's end; it uses h2 on a thread."""

    def __init__(self, listener: socket.socket, manner: Manner, end: End | None) -> None:
        """Serve the first connection."""
        self._listener, self._manner, self._end = listener, manner, end
        self.h2 = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self._windows = [manner.window, *manner.later_windows]
        self._unsent = b""
        self._is_called = self._is_over = False
        self.problem: Exception | None = None
        """Of which rule h2 says that the client has broken it."""

    def serve(self) -> None:
        """End the call at once, or echo until the client ends it."""
        connection, _ = self._listener.accept()
        with connection:
            connection.settimeout(60)
            self.h2.initiate_connection()
            try:
                connection.sendall(self.h2.data_to_send())
                while received := connection.recv(1 << 16):
                    for event in self.h2.receive_data(received):
                        if not self._is_over:
                            self._handle(event)
                    self._send()
                    connection.sendall(self.h2.data_to_send())
                    if self._is_over:
                        return
            except ConnectionError:
                return
            except Exception as error:
                self.problem = error

    def _handle(self, event: Event) -> None:
        if isinstance(event, RequestReceived) and self._end:
            self._is_over = True
            self._end(self.h2)
        elif isinstance(event, RequestReceived):
            self._is_called = True
            self.h2.send_headers(1, ANSWER)
        elif isinstance(event, DataReceived):
            self._unsent += event.data
            if event.flow_controlled_length:
                self.h2.increment_flow_control_window(event.flow_controlled_length)
        elif isinstance(event, SettingsAcknowledged) and self._windows:
            # By h2's account, an acknowledgement is for all settings that were sent before.
            self.h2.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: self._windows.pop(0)})
        left = self.h2.remote_flow_control_window(1) if self._is_called else 1
        if left < 1:
            # By itself, h2 does not extend a window that settings have closed.
            self.h2.increment_flow_control_window(self._manner.window - left, 1)

    def _send(self) -> None:
        padding = self._manner.padding
        overhead = 0 if padding is None else padding + 1
        while self._unsent:
            window = min(self.h2.local_flow_control_window(1), self.h2.max_outbound_frame_size)
            size = min(len(self._unsent), self._manner.piece, window - overhead)
            assert size > 0, "the client's windows are large"
            self.h2.send_data(1, self._unsent[:size], pad_length=padding)
            self._unsent = self._unsent[size:]


@contextmanager
def h2_call(manner: Manner, end: End | None = None) -> Iterator[Call]:
    """Call a server, which echoes or ends the call; fail if the client breaks a rule."""
    with TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = f"{folder}/socket"
        listener.bind(path)
        listener.listen()
        server = H2Server(listener, manner, end)
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            with closing(Call(path, METHOD)) as call:
                yield call
        finally:
            thread.join()
            if server.problem:
                raise server.problem
