"""A small HTTP server for pages, by default for this machine only."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from arena.errors import BadInput

HOST = "127.0.0.1"


class PortTaken(BadInput):
    """Another program is listening on the port."""


class PageHandler(BaseHTTPRequestHandler):
    """Answers requests; subclasses define what to send."""

    timeout = 60.0
    """Seconds after which a silent connection is closed."""

    def is_misdirected(self) -> bool:
        """Refuse a request to a name that is not ours; return whether it was refused.

        DNS rebinding: another site's name resolves to us, so its scripts could read our pages. An
        address in digits cannot be made to resolve to anything else.
        """
        assert isinstance(self.server, _Server)
        if _is_own_name(self.headers.get("Host", ""), self.server.host):
            return False
        self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        return True

    def send_content(
        self,
        content: bytes,
        kind: str,
        *,
        status: HTTPStatus = HTTPStatus.OK,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send content of a media type, not to be cached."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *words: object) -> None:
        """Do not log requests."""


_POLL_S = 0.05
"""How soon a server notices that it is to stop."""


@contextmanager
def serve_pages(handler: type[PageHandler], port: int, *, host: str = HOST) -> Iterator[str]:
    """Serve until the end of the block; yield the address, which ends with a slash.

    With the default host, only this machine can read it.
    """
    try:
        server = _Server(host, port, handler)
    except OSError as error:
        raise PortTaken(
            f"port {port} cannot be used on {host}: {error.strerror}; choose another with --port "
            "or --host"
        ) from None
    with server:
        thread = Thread(target=server.serve_forever, args=(_POLL_S,), daemon=True)
        thread.start()
        try:
            yield f"http://{host}:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    def __init__(self, host: str, port: int, handler: type[PageHandler]) -> None:
        self.host = host
        super().__init__((host, port), handler)

    # The types of these arguments are the server's own, hence Any.
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore closed connections: readers leave pages at any moment."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _is_own_name(header: str, host: str) -> bool:
    try:
        name = urlsplit(f"//{header}").hostname or ""
        return name in ("localhost", host.lower()) or bool(ip_address(name))
    except ValueError:
        return False
