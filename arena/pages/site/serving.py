"""How is a report looked at while an event is running?

A small server, for this machine alone, gives out the pages that the report lists and nothing else.
The files stay as they are; only what is sent has a script in it, which asks now and then whether
the report has changed, and then loads its page again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit

from arena.errors import BadInput
from arena.pages.policy import hash_of
from arena.pages.site.addresses import INDEX, is_address
from arena.pages.site.rendering import policy

HOST = "127.0.0.1"
_STAMP = "/stamp"


class PortTaken(BadInput):
    """Somebody else listens there."""


class Site:
    """A folder with a report that may change, and a stamp that changes with it."""

    def __init__(self, folder: Path) -> None:
        """Serve what is in this folder."""
        self._folder = folder
        self.stamp = ""
        self.changed()

    def changed(self) -> None:
        """Let open pages know that there is something new."""
        self.stamp = os.urandom(8).hex()

    def page(self, path: str) -> bytes | None:
        """Return a page as it is sent; None if there is none of this address."""
        stamp = self.stamp
        if not is_address(path):
            return None
        try:
            content = (self._folder / path).read_bytes()
        except OSError:
            return None
        return _with_script(content, stamp)


@contextmanager
def served(site: Site, port: int) -> Iterator[str]:
    """Serve a site on this machine until the end of the block; give its address."""

    class Handler(_Handler):
        of = site

    try:
        server = _Server((HOST, port), Handler)
    except OSError as error:
        raise PortTaken(
            f"port {port} cannot be used: {error.strerror}; name another with --port"
        ) from None
    with server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    # What is handed on is the server's own affair, hence Any.
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that has hung up: people leave pages at any moment."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    of: Site

    def do_GET(self) -> None:
        """Send a page, or the stamp."""
        address = urlsplit(self.path).path
        if self._host() not in ("localhost", HOST):
            # Another site's name was made to lead here, so that its scripts could read us.
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        elif address == _STAMP:
            self._send(self.of.stamp.encode(), "text/plain")
        else:
            content = self.of.page(unquote(address).lstrip("/") or INDEX)
            if content is None:
                self.send_error(HTTPStatus.NOT_FOUND)
            else:
                self._send(content, "text/html")

    def _host(self) -> str:
        return self.headers.get("Host", "").partition(":")[0]

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *words: object) -> None:
        """Say nothing: nobody wants to know about every page."""


def _with_script(content: bytes, stamp: str) -> bytes:
    """Put the script into one of the league's pages; a replay never changes and needs none."""
    before = f'content="{policy()}">'.encode()
    allowed = f"{policy()}; script-src {hash_of(_script())}; connect-src 'self'"
    after = f'content="{allowed}">\n<meta name="stamp" content="{stamp}">'.encode()
    if before not in content:
        return content
    page = content.replace(before, after, 1)
    # Only ours can be the last one, as names have no elements of their own.
    start, end, rest = page.rpartition(b"</body>")
    return start + f"<script>{_script()}</script>\n".encode() + end + rest


@cache
def _script() -> str:
    return files("arena.pages.site").joinpath("templates", "live.js").read_text(encoding="utf-8")
