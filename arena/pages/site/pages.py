"""The pages of a league, each made when it is asked for.

All text goes through the templates, which escape it: names are untrusted. A content policy in each
page allows its one style and its scripts, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import Environment
from markdown_it import MarkdownIt
from markupsafe import Markup

from arena import __version__
from arena.analysis.assessment import Analysis
from arena.games.registry import game_named
from arena.pages.pictures import PREVIEW, Row, can_make_png, picture_of, png_of, preview_of
from arena.pages.replay_page import Surroundings, replay_page
from arena.pages.sharing import ICON, Share
from arena.pages.site import addresses
from arena.pages.site.analyses import analysis_context
from arena.pages.site.bot_pages import (
    bot_context,
    latest_of_pairs,
    pair_context,
    pairs_of,
    usage_of,
)
from arena.pages.site.charts import DEVIATIONS
from arena.pages.site.data import LeagueData, read_league, variant_title
from arena.pages.site.event_pages import event_context, list_context, parts_of
from arena.pages.site.folder import STAMP
from arena.pages.site.front_page import front_context
from arena.pages.site.highlights import Highlights, highlights
from arena.pages.site.links import Links
from arena.pages.site.surroundings import surroundings_of
from arena.pages.site.variant_pages import (
    chance_text,
    data_files,
    variant_context,
    variant_details,
)
from arena.pages.template import hash_of, policy_of, templates
from arena.replays.format import read_replay
from leaderboard.matches import StoredMatch, replay_of
from leaderboard.queries.leaderboards import verdict
from leaderboard.result import FORFEIT, PLAYED, seat_ending_words
from leaderboard.store import Reader
from leaderboard.strength.words import strength_text

PACKAGE, FOLDER = "arena.pages.site", "templates"
"""Where the templates are."""
_KINDS = {
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
    "png": "image/png",
}


class Options(NamedTuple):
    """How a site presents itself."""

    title: str = "The league"
    about: str = ""
    """A few words below the title of the first page."""
    url: str = ""
    """Where it is published, with a slash at the end: messengers need whole addresses."""
    stamp: str = ""
    """Changes whenever the league does; pages that have one reload when it changes."""


class Content(NamedTuple):
    """A page as it is sent."""

    content: bytes
    kind: str
    """Its media type."""


def replay_path_of(league: LeagueData, match: StoredMatch) -> str:
    """Return the path of a match."""
    return addresses.page("replays", league.events[match.event].slug, match.result.number)


def read_site(reader: Reader, options: Options | None = None) -> Site:
    """Read a league; its site shows that state, with every replay."""
    league = read_league(reader)
    every = [match for match in league.matches() if match.has_replay]
    return Site(league, every, options or Options())


class Site:
    """The pages of one state of a league. Several threads may use it."""

    def __init__(
        self,
        league: LeagueData,
        shown: Collection[StoredMatch],
        options: Options,
        analyses: Mapping[int, Analysis] | None = None,
        best: Mapping[str, Highlights] | None = None,
    ) -> None:
        """Prepare the pages; those of matches are only the `shown` ones."""
        self.league = league
        self.analyses = analyses or {}
        self.options = options
        self._matches = {self.replay_path(match): match for match in shown}
        self._replays = {match.id: path for path, match in self._matches.items()}
        self._links = cache(partial(Links, league, self._replays))
        self._surroundings = surroundings_of(league, self._replays, options.title)
        self._highlights = best or highlights(league.matches(), league.versions)
        self._suffix = "png" if can_make_png(quickly=True) else "svg"
        self._makers = self._all_makers()

    def paths(self) -> list[str]:
        """List the paths of all pages but those of matches."""
        return list(self._makers)

    def replay_path(self, match: StoredMatch) -> str:
        """Return the path of a match."""
        return replay_path_of(self.league, match)

    def picture_path(self, page: str) -> str:
        """Return the path of the picture that a link to a page shows."""
        return addresses.picture_path(page, self._suffix)

    def page(self, path: str, reader: Reader) -> Content | None:
        """Return a page by its path; None if there is none."""
        kind = _KINDS.get(path.rpartition(".")[2])
        if kind is None:
            return None
        made = self.make(path)
        if made is None and (match := self.match_at(path)):
            stored = replay_of(reader, match.event, match.result.number)
            made = None if stored is None else self.make_replay(path, match, stored)
        if made is None:
            return None
        content = made.encode() if isinstance(made, str) else made
        return Content(content.replace(STAMP.encode(), b"just now"), kind)

    def make(self, path: str) -> str | bytes | None:
        """Make a page, unless it is that of a match."""
        maker = self._makers.get(path)
        return maker() if maker else None

    def match_at(self, path: str) -> StoredMatch | None:
        """Return the match that a page or its picture shows."""
        page = addresses.page_of_picture(path) or path
        return self._matches.get(page)

    def make_replay(self, path: str, match: StoredMatch, stored: bytes) -> str | bytes:
        """Make the page of a match, or its picture."""
        record = read_replay(stored)
        if path.endswith(".html"):
            analysis = self.analyses.get(match.id)
            return replay_page(record, surroundings=self.surroundings(match), analysis=analysis)
        return self._as_picture(picture_of(record, size=PREVIEW), path)

    def surroundings(self, match: StoredMatch) -> Surroundings:
        """Return what the page of a match links to."""
        path = self.replay_path(match)
        found = self._surroundings(match)
        return found._replace(
            picture=self._address(self.picture_path(path), "../../"),
            address=self.options.url and self.options.url + path,
        )

    def _as_picture(self, svg: str, path: str) -> str | bytes:
        return png_of(svg) if path.endswith(".png") else svg

    def _address(self, path: str, root: str) -> str:
        return (self.options.url or root) + path

    def _all_makers(self) -> dict[str, Callable[[], str | bytes]]:
        """Return the functions that make each page."""
        league = self.league
        found: dict[str, Callable[[], str | bytes]] = {}

        def add(path: str, template: str, make: Callable[[], dict[str, Any]]) -> None:
            found[path] = partial(self._render, path, template, make)

        def add_picture(page: str, make: Callable[[], str]) -> None:
            path = self.picture_path(page)
            found[path] = lambda: self._as_picture(make(), path)

        details = {
            variant.id: cache(partial(variant_details, league, variant))
            for variant in league.variants.values()
        }
        # Contexts are made once for a page and its picture.
        shown = self._replays.keys()
        front = cache(partial(front_context, league, details, shown, self.options.title))
        add(addresses.INDEX, "index.html", front)
        add_picture(addresses.INDEX, lambda: _preview(front()["share"], front()["rows"]))
        add(addresses.NOT_FOUND, "not_found.html", _not_found)
        if self.analyses:
            chances = partial(analysis_context, league, self.analyses)
            add(addresses.ANALYSIS, "analysis.html", chances)
        for game in sorted({variant.game for variant in league.variants.values()}):
            add(addresses.page("rules", game), "rules.html", partial(_rules_context, game))
        for number, slug in league.variant_slugs.items():
            page = addresses.page("variants", slug)
            context = cache(partial(variant_context, league, details[number], slug))
            add(page, "variant.html", context)
            add_picture(page, partial(_preview_of, context))
            for at, path in enumerate(addresses.variant_files(slug)):
                found[path] = partial(_data_file, league, details[number], at)
        for event in league.events.values():
            page = addresses.page("events", event.slug)
            context = cache(partial(event_context, league, event, shown))
            add(page, "event.html", context)
            add_picture(page, partial(_preview_of, context))
            for number, _ in enumerate(parts_of(event), start=1):
                path = addresses.page("events", event.slug, number)
                add(path, "matches.html", partial(list_context, event, number))
        usage, latest = cache(partial(usage_of, league)), cache(partial(latest_of_pairs, league))
        for name in league.bots:
            page = addresses.page("bots", league.bot_slugs[name])
            context = cache(partial(bot_context, league, usage, name, self._highlights.get(name)))
            add(page, "bot.html", context)
            add_picture(page, partial(_preview_of, context))
        for pair in pairs_of(league):
            path = addresses.pair_page(*(league.bot_slugs[name] for name in pair))
            add(path, "pair.html", partial(pair_context, league, latest, pair))
        return found

    def _render(self, path: str, template: str, make: Callable[[], dict[str, Any]]) -> str:
        context = make()
        root = "../" * path.count("/")
        share: Share = context["share"]
        picture = self.picture_path(path)
        share = share._replace(
            picture=self._address(picture, root) if picture in self._makers else "",
            address=self.options.url and self.options.url + path,
        )
        page = _environment().get_template(template)
        return page.render(self._shared(root) | context | {"share": share})

    def _shared(self, root: str) -> dict[str, Any]:
        """Return what all templates use on a page from which `root` leads to the first one."""
        league, is_live = self.league, bool(self.options.stamp)
        return {
            "root": root,
            "links": self._links(root),
            "league": league,
            "site": self.options,
            "icon": ICON,
            "style": style(),
            "has_analyses": bool(self.analyses),
            "scripts": [script(), live_script()] if is_live else [script()],
            "stamp": STAMP,
            "arena_version": __version__,
            "policy": policy(is_live=is_live),
            "version_of": league.versions.__getitem__,
            "variant_href": lambda number: addresses.page("variants", league.variant_slugs[number]),
            "variant_name": lambda variant: variant_title(league.variants[variant]),
            "replay_href": lambda match: self._replays[match.id],
            "picture_href": lambda match: self.picture_path(self._replays[match.id]),
            "lacks_pages": lambda matches: any(
                match.has_replay and match.id not in self._replays for match in matches
            ),
        }


def _not_found() -> dict[str, Any]:
    return {"share": Share("This page does not exist", "")}


def _rules_context(game_id: str) -> dict[str, Any]:
    game = game_named(game_id)
    text = MarkdownIt("js-default").render(game.rules().partition("\n")[2])
    return {
        "game": game,
        "rules": Markup(text),
        "share": Share(f"The rules of {game.title}", game.aim),
    }


def _preview_of(make: Callable[[], dict[str, Any]]) -> str:
    context = make()
    return _preview(context["share"], context["rows"])


def _preview(share: Share, rows: Sequence[Row]) -> str:
    return preview_of(share.title, share.description, rows)


def _data_file(league: LeagueData, details: Callable[[], Any], at: int) -> str:
    return data_files(league, details())[at]


@cache
def _environment() -> Environment:
    environment = templates(PACKAGE, FOLDER)
    environment.globals |= {
        "strength_text": strength_text,
        "rules_href": partial(addresses.page, "rules"),
        "list_href": partial(addresses.page, "events"),
        "deviations": DEVIATIONS,
        "is_fault": lambda ending: ending not in (PLAYED, FORFEIT),
    }
    environment.filters.update(
        ending_words=seat_ending_words,
        two=lambda value: "" if value is None else f"{float(value):.2f}",
        one=lambda value: "" if value is None else f"{value:.1f}",
        plainly="{:.4g}".format,
        percent=lambda value: "" if value is None else f"{value:.1%}",
        seconds=lambda ms: f"{ms / 1000:.1f}",
        chance=chance_text,
        verdict=verdict,
    )
    return environment


def _template(name: str) -> Markup:
    return Markup(files(PACKAGE).joinpath(FOLDER, name).read_text(encoding="utf-8"))


@cache
def style() -> Markup:
    """Return the style of every page."""
    return _template("site.css")


@cache
def script() -> Markup:
    """Return the script of every page, which sorts and searches tables; all works without it."""
    return _template("tables.js")


@cache
def live_script() -> Markup:
    """Return the script that reloads a page when the league has changed."""
    return _template("live.js")


@cache
def policy(*, is_live: bool = False) -> Markup:
    """Return the content policy of every page."""
    scripts = [script(), live_script()] if is_live else [script()]
    allowed = [f"script-src {' '.join(map(hash_of, scripts))}", "img-src 'self' data:"]
    return policy_of(style(), *allowed, *(["connect-src 'self'"] if is_live else []))
