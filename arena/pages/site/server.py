"""Serve a report while an event is running.

A small server, by default for this machine only, serves the pages of the report and nothing else.
The files are not changed: a script is added to the pages as they are sent. The script asks every
second whether the report has changed, and then reloads the page.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote, urlsplit

from arena.pages.content_policy import hash_of
from arena.pages.local_server import HOST, PageHandler, serve_pages
from arena.pages.site.addresses import INDEX, is_address
from arena.pages.site.render import policy

_STAMP = "/stamp"


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

    with serve_pages(Handler, port, host=host) as address:
        yield address


class _Handler(PageHandler):
    website: Site

    def do_GET(self) -> None:
        """Send a page, or the stamp."""
        address = urlsplit(self.path).path
        if self.is_misdirected():
            return
        if address == _STAMP:
            self.send_content(self.website.stamp.encode(), "text/plain")
            return
        content = self.website.page(unquote(address).lstrip("/") or INDEX)
        if content is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            self.send_content(content, "text/html")


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
