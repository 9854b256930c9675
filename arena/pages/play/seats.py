"""The people at a table in the browser: who reads which address, and what they are shown."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Iterable, Sequence
from threading import Event, Lock
from typing import Any, NamedTuple

from arena.analysis.assessment import Effort
from arena.analysis.engine import analyse, suggest
from arena.games.registry import AnyGame, variant_words
from arena.indices import Seat
from arena.pages.match_data import event_fields, result_data
from arena.pages.play.feed import SeatFeed
from arena.pages.play.player import BrowserPlayer
from arena.pages.replay_page import replay_page
from arena.pages.template import (
    hash_of,
    match_look,
    pieces_of,
    policy_of,
    templates,
)
from arena.records import Entrant, Record
from arena.referee.clock import Clock
from arena.replays.format import write_replay

_TOKEN_BYTES = 32
_HINT_S = 1.0
"""CPU time for a hint."""
_ANALYSIS_S, _MOST_THINKING_S = 20.0, 0.1
"""CPU time for the analysis of a match, and at most for one decision."""
_SCRIPTS = ("choosing.js", "choose_{}.js", "table.js", "connection.js")


class SeatPage(NamedTuple):
    """A page, and its content policy."""

    content: bytes
    policy: str


class BrowserTable:
    """The seats of one table that are played in the browser, each behind a secret token."""

    def __init__(
        self,
        game: AnyGame,
        parameters: Any,
        names: Sequence[str],
        seats: Iterable[Seat],
        *,
        clock: Clock | None = None,
    ) -> None:
        """Prepare the pages of some seats; the type of parameters is the game's own, hence Any."""
        self._names = names
        self._clock = clock
        self.feeds = {seat: SeatFeed(game, names, seat) for seat in seats}
        self.tokens = {seat: secrets.token_urlsafe(_TOKEN_BYTES) for seat in self.feeds}
        self._pages = {
            seat: seat_page(game, parameters, names, seat, clock=str(clock) if clock else "")
            for seat in self.feeds
        }
        self._game = game
        self._record: Record | None = None
        self._thinking = Lock()
        self.again = Event()
        """Set when somebody wants another match."""

    def player(self, seat: Seat) -> BrowserPlayer:
        """Return the player of a seat."""
        return BrowserPlayer(Entrant(self._names[seat]), self.feeds[seat], self._clock)

    def find(self, token: str) -> SeatFeed | None:
        """Return the feed behind a token; how long that takes does not depend on the token."""
        given = token.encode()
        found = None
        for seat, own in self.tokens.items():
            if hmac.compare_digest(own.encode(), given):
                found = self.feeds[seat]
        return found

    def page(self, feed: SeatFeed) -> SeatPage:
        """Return the page of a seat."""
        return self._pages[feed.seat]

    def finish(self, record: Record, *, saved: str, command: str) -> None:
        """Show the result, where the replay was saved, and the command for another match."""
        self._record = record
        result = {**result_data(record), "saved": saved, "command": command}
        for feed in self.feeds.values():
            feed.finish(result)

    def replay(self, *, with_analysis: bool = False) -> bytes | None:
        """Return the page of the whole match, once it is over; an analysis takes some seconds."""
        record = self._record
        if record is None:
            return None
        if not with_analysis:
            return replay_page(record).encode()
        decisions = max(1, len(record.decisions))
        effort = Effort(think_s=min(_MOST_THINKING_S, _ANALYSIS_S / decisions))
        # One at a time: each takes all cores.
        with self._thinking:
            return replay_page(record, analysis=analyse(record, effort)).encode()

    def saved_replay(self) -> bytes | None:
        """Return the replay as a file, once the match is over."""
        return None if self._record is None else write_replay(self._record)

    def ask_for_another(self) -> str:
        """Ask for another match; return why that is impossible, or an empty text."""
        if self._record is None:
            return "The match is not over."
        self._record = None
        self.again.set()
        return ""

    def hint(self, feed: SeatFeed, number: int) -> str:
        """Name what search would do at a decision, from the view of the seat; empty if it is over.

        With a clock there are no hints: people play for a result.
        """
        view = feed.view_of_turn(number)
        if view is None or self._clock:
            return ""
        with self._thinking:
            best = suggest(self._game, view, Effort(_HINT_S), secrets.token_bytes(32))
        return str(self._game.action_text(best))

    def close(self, sentence: str) -> None:
        """Tell all pages that the table is closed."""
        for feed in self.feeds.values():
            feed.close(sentence)

    def idle_s(self) -> float:
        """Return for how many seconds no page has asked for anything that it still waits for."""
        if self._thinking.locked() or any(feed.waiting for feed in self.feeds.values()):
            return 0.0
        return time.monotonic() - max(feed.last_read for feed in self.feeds.values())


def seat_page(
    game: AnyGame, parameters: Any, names: Sequence[str], seat: Seat, *, clock: str = ""
) -> SeatPage:
    """Return the page of a seat: the match comes later, in updates."""
    style, script = match_look(game, __package__, _SCRIPTS, ("play.css",))
    pieces, drawn = pieces_of(game, parameters)
    data = {
        "pieces": pieces,
        "title": game.title,
        "aim": game.aim,
        "variant": variant_words(game, parameters),
        "names": list(names),
        "sides": game.sides(len(names), parameters),
        "viewpoint": seat,
        "clock": clock,
        "event_fields": event_fields(game),
    }
    page = templates(__package__).get_template("play.html")
    content = page.render(
        title=f"{game.title}: {names[seat]}", style=style, script=script, symbols=drawn, data=data
    )
    allowed = (
        f"script-src {hash_of(script)}",
        "connect-src 'self'",
        "img-src data:",
        "frame-ancestors 'none'",
    )
    return SeatPage(content.encode(), policy_of(style, *allowed))
