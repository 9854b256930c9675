"""Serve a table to the people who play at it in the browser.

Every seat has an address with a secret token, and the address is all that a person needs. It gives
the seat's page, the updates of its feed, and a way to decide. Whoever knows no token gets nothing.
Another site's page cannot decide either: it does not know the token, and may not send us JSON.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from threading import Condition
from typing import Any
from urllib.parse import parse_qs, urlsplit

from arena.pages.local_server import HOST, PageHandler, serve_pages
from arena.pages.play.feed import SeatFeed
from arena.pages.play.seats import BrowserTable

WAIT_S = 25.0
"""Maximum time for which a page waits for updates before it asks again."""
MAX_REQUESTS = 64
"""Requests that may wait for updates at the same time; further ones are answered at once."""
_BODY_BYTES = 1024
_CLOSING_S = 2.0
"""Maximum time for the last answers."""
_EVERY_ADDRESS = "0.0.0.0"
_PRIVATE = {
    # The address is a secret, which no link may reveal.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_AS_FILE = {"Content-Disposition": 'attachment; filename="match.replay"'}
_NOTHING = "There is nothing here. Open the whole address that arena printed for your seat."


@contextmanager
def serve_table(table: BrowserTable, port: int, *, host: str = HOST) -> Iterator[list[str]]:
    """Serve a table until the end of the block; yield the address of each seat.

    At the end the pages are told that the table is closed.
    """
    requests = _OpenRequests()

    class TableHandler(_Handler):
        browser_table = table
        open_requests = requests

    with serve_pages(TableHandler, port, host=host) as address:
        base = address.replace(f"//{_EVERY_ADDRESS}:", f"//{_own_address()}:")
        try:
            yield [f"{base}{token}/" for token in table.tokens.values()]
        finally:
            table.close("The table is closed.")
            requests.wait_for_none(_CLOSING_S)


class _OpenRequests:
    """Counts the requests that are being answered."""

    def __init__(self) -> None:
        self.count = 0
        self._changed = Condition()

    def __enter__(self) -> None:
        with self._changed:
            self.count += 1

    def __exit__(self, *reason: object) -> None:
        with self._changed:
            self.count -= 1
            self._changed.notify_all()

    def wait_for_none(self, timeout_s: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self.count, timeout_s)


class _Handler(PageHandler):
    browser_table: BrowserTable
    open_requests: _OpenRequests

    def do_GET(self) -> None:
        """Send a seat's page, its updates, or the replay of the finished match."""
        with self.open_requests:
            feed, what = self._find()
            if feed is None:
                return
            if what == "":
                page = self.browser_table.page(feed)
                self._send(
                    page.content,
                    "text/html; charset=utf-8",
                    {"Content-Security-Policy": page.policy},
                )
            elif what == "updates":
                self._send_updates(feed)
            elif what in ("replay", "analysis"):
                content = self.browser_table.replay(with_analysis=what == "analysis")
                self._send_or_refuse(content, "text/html; charset=utf-8")
            elif what == "save":
                self._send_or_refuse(
                    self.browser_table.saved_replay(), "application/octet-stream", _AS_FILE
                )
            else:
                self._refuse(_NOTHING, HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Take a decision."""
        with self.open_requests:
            feed, what = self._find()
            if feed is None:
                return
            if what not in ("move", "hint", "again"):
                self._refuse(_NOTHING, HTTPStatus.NOT_FOUND)
            elif not self._is_from_own_page():
                self._refuse("Only the page of the seat may decide.", HTTPStatus.FORBIDDEN)
            elif what == "again":
                self._answer(self.browser_table.ask_for_another())
            elif decision := self._read_decision():
                if what == "move":
                    self._answer(feed.choose(*decision))
                else:
                    hint = self.browser_table.hint(feed, decision[0])
                    self._send(hint.encode(), "text/plain; charset=utf-8")

    def _find(self) -> tuple[SeatFeed | None, str]:
        """Return the feed that is addressed, and the word after it; refuse any other request."""
        if self.is_misdirected():
            return None, ""
        _, token, *rest = [*urlsplit(self.path).path.split("/"), ""][:4]
        feed = self.browser_table.find(token)
        if feed is None:
            self._refuse(_NOTHING, HTTPStatus.NOT_FOUND)
        return feed, "/".join(rest).rstrip("/")

    def _send_updates(self, feed: SeatFeed) -> None:
        given = parse_qs(urlsplit(self.path).query)
        try:
            match, frames, version = (
                int(given.get(name, ["0"])[0]) for name in ("match", "frames", "version")
            )
            is_waiting = given.get("wait", ["0"])[0] == "yes"
        except ValueError:
            self._refuse("match, frames and version are numbers.", HTTPStatus.BAD_REQUEST)
            return
        wait_s = WAIT_S if is_waiting and self.open_requests.count <= MAX_REQUESTS else 0.0
        updates = feed.updates(match, max(0, frames), version, wait_s)
        self._send(updates, "application/json; charset=utf-8")

    def _is_from_own_page(self) -> bool:
        origin = f"http://{self.headers.get('Host', '')}"
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip()
        return self.headers.get("Origin") == origin and kind == "application/json"

    def _read_decision(self) -> tuple[int, int] | None:
        """Read the number of a decision and an action; refuse anything else."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and int(length) <= _BODY_BYTES):
            self._refuse("A decision is a small JSON object.", HTTPStatus.BAD_REQUEST)
            return None
        try:
            # JSON may have any type, hence Any.
            decision: Any = json.loads(self.rfile.read(int(length)))
            turn, action = decision["turn"], decision["action"]
            if type(turn) is type(action) is int:
                return turn, action
        except (ValueError, TypeError, LookupError, RecursionError):
            pass
        sentence = 'A decision is {"turn": number, "action": number}.'
        self._refuse(sentence, HTTPStatus.BAD_REQUEST)
        return None

    def _send_or_refuse(
        self, content: bytes | None, kind: str, headers: dict[str, str] | None = None
    ) -> None:
        """Send what there is only after the match."""
        if content is None:
            self._refuse(_NOTHING, HTTPStatus.NOT_FOUND)
        else:
            self._send(content, kind, headers)

    def _answer(self, refusal: str) -> None:
        if refusal:
            self._refuse(refusal, HTTPStatus.CONFLICT)
        else:
            self._send(b"{}", "application/json; charset=utf-8")

    def _refuse(self, sentence: str, status: HTTPStatus) -> None:
        self._send(sentence.encode(), "text/plain; charset=utf-8", status=status)

    def _send(
        self,
        content: bytes,
        kind: str,
        headers: dict[str, str] | None = None,
        status: HTTPStatus = HTTPStatus.OK,
    ) -> None:
        self.send_content(content, kind, status=status, headers={**_PRIVATE, **(headers or {})})


def _own_address() -> str:
    """Return the address by which other machines reach this one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Sends nothing: it only asks the kernel for the route to an address for examples.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return HOST
        address: str = probe.getsockname()[0]
        return address
