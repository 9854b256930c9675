"""Serve a report while an event is running.

A small server, by default for this machine only, serves the pages of the report and nothing else.
The files are not changed: a script is added to the pages as they are sent. The script asks every
second whether the report has changed, and then reloads the page. The report contains only some
replays; the others are made when someone opens their address.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote, urlsplit

from arena.pages.local_server import HOST, PageHandler, serve_pages
from arena.pages.site.addresses import INDEX, NOT_FOUND, is_address
from arena.pages.site.render import policy, script_source

_STAMP = "/stamp"
_KINDS = {"html": "text/html", "csv": "text/csv", "json": "application/json"}


class Site:
    """A folder with a report, and a stamp that changes with the report."""

    def __init__(
        self, folder: Path, make_page: Callable[[str], str | None] = lambda path: None
    ) -> None:
        """Serve the pages in this folder.

        `make_page` makes a page that is not there, by its path; several threads may call it.
        """
        self._folder = folder
        self._make_page = make_page
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
            made = self._make_page(path)
            return None if made is None else made.encode()
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
        path = unquote(address).lstrip("/") or INDEX
        content = self.website.page(path)
        if content is None:
            missing = self.website.page(NOT_FOUND) or b""
            self.send_content(missing, "text/html", status=HTTPStatus.NOT_FOUND)
        else:
            self.send_content(content, _KINDS[path.rpartition(".")[2]])


def _with_script(content: bytes, stamp: str) -> bytes:
    """Add the script to a page of the league; replays never change and need none."""
    before = f'content="{policy()}">'.encode()
    allowed = policy().replace(script_source(), script_source(_script())) + "; connect-src 'self'"
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
