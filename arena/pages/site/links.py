"""Links to bots, events and matches, as HTML.

Templates would take several times as long, and the pages of a league have tens of thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from markupsafe import Markup, escape

from arena.indices import VersionId
from arena.pages.site import addresses
from arena.pages.site.data import LeagueData, variant_title
from arena.text import plain
from leaderboard.matches import StoredMatch
from leaderboard.result import PLAYED, seat_ending_words


class Links:
    """Writes the links of all pages from which the same way leads to the first page."""

    def __init__(self, league: LeagueData, replays: Mapping[int, str], root: str) -> None:
        """Take the paths of the matches that have pages, by their ids, and the way."""
        self._league = league
        self._replays = replays
        self._root = root
        # Bound here, so that what is kept is forgotten with the league.
        self._name: Callable[[VersionId], str] = cache(self._make_name)
        self._bot: Callable[[VersionId], Markup] = cache(self._make_bot)

    def bot(self, version: VersionId) -> Markup:
        """Name a version, with a link to its bot."""
        return self._bot(version)

    def bot_named(self, name: str) -> Markup:
        """Name a bot without a version."""
        return Markup(self._link(addresses.page("bots", self._league.bot_slugs[name]), name))

    def event(self, event: int) -> Markup:
        """Name an event."""
        details = self._league.events[event]
        return Markup(self._link(addresses.page("events", details.slug), details.event.name))

    def variant(self, variant: int) -> Markup:
        """Name a variant with its game."""
        path = addresses.page("variants", self._league.variant_slugs[variant])
        title = escape(plain(variant_title(self._league.variants[variant])))
        return Markup(f'<a href="{self._root}{path}">{title}</a>')

    def pair(self, one: VersionId, other: VersionId) -> str:
        """Return the address of the page of two versions' bots; empty if they are one bot."""
        league = self._league
        slugs = [league.bot_slugs[league.versions[each].bot] for each in (one, other)]
        return "" if slugs[0] == slugs[1] else self._root + addresses.pair_page(*slugs)

    def match(self, match: StoredMatch) -> Markup:
        """Name a match by its number; it has a link if it has a page."""
        text, path = f"match {match.result.number}", self._replays.get(match.id)
        if path is None:
            return Markup(f'<span class="at">{text}</span>')
        return Markup(f'<a class="at" href="{self._root}{path}">{text}</a>')

    def placing(self, match: StoredMatch) -> Markup:
        """List the bots of a match, best place first."""
        rows = []
        for seat in sorted(match.result.seats, key=lambda seat: seat.place):
            ending = ""
            if seat.ending != PLAYED:
                ending = f' <span class="bad">{escape(seat_ending_words(seat.ending))}</span>'
            rows.append(
                f"<li><b>{seat.place}</b> {self._name(seat.version)} <i>{seat.score}</i>{ending}"
            )
        return Markup(f'<ol class="placing">{"".join(rows)}</ol>')

    def _make_name(self, number: VersionId) -> str:
        version = self._league.versions[number]
        return f"{self.bot_named(version.bot)}<small>@{version.number}</small>"

    def _make_bot(self, version: VersionId) -> Markup:
        title = self._league.versions[version].title
        # It may be written from right to left.
        shown = f' <bdi class="title">{escape(plain(title))}</bdi>' if title else ""
        return Markup(f'<span class="bot">{self._name(version)}{shown}</span>')

    def _link(self, path: str, name: str) -> str:
        shown = escape(plain(name))
        return f'<a class="name" href="{self._root}{path}" title="{shown}">{shown}</a>'
