"""Serve a league's pages while an event is running.

A small server, by default for this machine only. Pages are made when someone opens them, from the
state of the league that was read last, with all replays. A script in each page asks every second
whether the league has changed, and then reloads it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http import HTTPStatus
from threading import Lock
from urllib.parse import unquote, urlsplit

from arena.errors import ArenaError
from arena.pages.local_server import HOST, PageHandler, serve_pages
from arena.pages.site.addresses import INDEX, NOT_FOUND, is_address
from arena.pages.site.pages import Content, Options, Site, read_site
from leaderboard.store import Reader

_STAMP = "/stamp"
Opened = Callable[[], AbstractContextManager[Reader]]
"""Opens the league for one request: each has its own thread."""


class LiveSite:
    """The pages of a league that changes."""

    def __init__(self, reader: Reader, opened: Opened, options: Options | None = None) -> None:
        """Read the league."""
        self._opened = opened
        self._options = options or Options()
        self._lock = Lock()
        self.update(reader)

    def update(self, reader: Reader) -> None:
        """Read the league again: open pages will reload."""
        stamp = os.urandom(8).hex()
        site = read_site(reader, self._options._replace(stamp=stamp))
        with self._lock:
            self._site: Site = site
            self._made: dict[str, Content] = {}

    @property
    def stamp(self) -> str:
        """Changes whenever the league has been read again."""
        return self._site.options.stamp

    def page(self, path: str) -> Content | None:
        """Return a page; None if it does not exist."""
        with self._lock:
            site, made = self._site, self._made
        if path in made or not is_address(path):
            return made.get(path)
        try:
            with self._opened() as reader:
                content = site.page(path, reader)
        except ArenaError:
            return None
        # Only pages that exist are kept: anyone may ask for anything.
        if content:
            made[path] = content
        return content


@contextmanager
def serve(site: LiveSite, port: int, *, host: str = HOST) -> Iterator[str]:
    """Serve a site until the end of the block; yield its address.

    With the default host, only this machine can read it.
    """

    class Handler(_Handler):
        website = site

    with serve_pages(Handler, port, host=host) as address:
        yield address


class _Handler(PageHandler):
    website: LiveSite

    def do_GET(self) -> None:
        """Send a page, or the stamp."""
        address = urlsplit(self.path).path
        if self.is_misdirected():
            return
        if address == _STAMP:
            self.send_content(self.website.stamp.encode(), "text/plain; charset=utf-8")
            return
        path = unquote(address).lstrip("/") or INDEX
        found, status = self.website.page(path), HTTPStatus.OK
        if found is None:
            found, status = self.website.page(NOT_FOUND), HTTPStatus.NOT_FOUND
        assert found
        self.send_content(found.content, found.kind, status=status)
