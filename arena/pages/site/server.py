"""Serve a report while an event is running.

A small server, by default for this machine only, serves the pages of the report and nothing else.
The files are not changed: a script is added to the pages as they are sent. The script asks every
second whether the report has changed, and then reloads the page.
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
from arena.pages.content_policy import hash_of
from arena.pages.site.addresses import INDEX, is_address
from arena.pages.site.render import policy

HOST = "127.0.0.1"
_STAMP = "/stamp"


class PortTaken(BadInput):
    """Another program is listening on the port."""


class Site:
    """A folder with a report, and a stamp that changes with the report."""

    def __init__(self, folder: Path) -> None:
        """Serve the pages in this folder."""
        self._folder = folder
        self.stamp = ""
        self.mark_changed()

    def mark_changed(self) -> None:
        """Change the stamp: open pages will reload."""
        self.stamp = os.urandom(8).hex()

    def page(self, path: str) -> bytes | None:
        """Return a page as it is sent; None if it does not exist."""
        stamp = self.stamp
        if not is_address(path):
            return None
        try:
            content = (self._folder / path).read_bytes()
        except OSError:
            return None
        return _with_script(content, stamp)


@contextmanager
def serve(site: Site, port: int, *, host: str = HOST) -> Iterator[str]:
    """Serve a site until the end of the block; yield its address.

    With the default host, only this machine can read it.
    """

    class Handler(_Handler):
        website = site

    try:
        server = _Server((host, port), Handler)
    except OSError as error:
        raise PortTaken(
            f"port {port} cannot be used on {host}: {error.strerror}; choose another with --port "
            "or --host"
        ) from None
    with server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://{host}:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    # The types of these arguments are the server's own, hence Any.
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore closed connections: readers leave pages at any moment."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    website: Site

    def do_GET(self) -> None:
        """Send a page, or the stamp."""
        address = urlsplit(self.path).path
        if self._host() not in ("localhost", HOST):
            # DNS rebinding: another site's name resolves to us, so its scripts could read pages.
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        elif address == _STAMP:
            self._send(self.website.stamp.encode(), "text/plain")
        else:
            content = self.website.page(unquote(address).lstrip("/") or INDEX)
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
        """Do not log requests."""


def _with_script(content: bytes, stamp: str) -> bytes:
    """Add the script to a page of the league; replays never change and need none."""
    before = f'content="{policy()}">'.encode()
    allowed = f"{policy()}; script-src {hash_of(_script())}; connect-src 'self'"
    after = f'content="{allowed}">\n<meta name="stamp" content="{stamp}">'.encode()
    if before not in content:
        return content
    page = content.replace(before, after, 1)
    # Names are escaped, so the last </body> is the page's own.
    start, end, rest = page.rpartition(b"</body>")
    return start + f"<script>{_script()}</script>\n".encode() + end + rest


@cache
def _script() -> str:
    return files("arena.pages.site").joinpath("templates", "live.js").read_text(encoding="utf-8")
