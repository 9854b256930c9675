"""Render the pages of a league.

All text goes through the templates, which escape it: names are untrusted. A content policy in each
page allows its one style and its one script, and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from arena import __version__
from arena.pages.site import addresses
from arena.pages.site.boards import Board, CrossRow, board_of, cross_rows
from arena.pages.site.curves import DEVIATIONS, SHOWN
from arena.pages.site.data import EventDetails, LeagueData, group_faults, variant_title
from arena.pages.site.folder import STAMP
from arena.pages.site.highlights import Highlights
from arena.pages.site.seat_effects import SeatEffect
from arena.pages.site.variant_pages import VariantDetails, data_files, variant_details, verdict
from arena.pages.template import hash_of, policy_of, templates
from arena.text import plain
from leaderboard.bots import Version
from leaderboard.matches import StoredMatch
from leaderboard.queries.leaderboards import HeadToHeadRow
from leaderboard.result import FORFEIT, PLAYED, seat_ending_words
from leaderboard.standings import ADJUSTED

PACKAGE, FOLDER = "arena.pages.site", "templates"
"""Where the templates are."""
ON_INDEX = 20
"""Number of bots of each variant on the first page."""
_LABEL = 14
"""Number of characters of a name at the end of a curve."""
ON_EVENT_PAGE = 200
"""An event with more matches than this lists them on separate pages."""
ON_LIST = 250
"""Number of matches on such a page."""
FAULTS_LISTED = 200
Page = tuple[str, str]
"""Path and text. The context of a template differs from page to page, hence Any."""


class BotInVariant(NamedTuple):
    """A bot's results in one variant."""

    board: Board
    meetings: list[HeadToHeadRow]
    seat_effects: list[SeatEffect]
    accounts: list[dict[str, Any]]


def page_paths(league: LeagueData) -> list[str]:
    """List the paths of a league's pages, without its replays."""
    paths = [addresses.INDEX, addresses.NOT_FOUND]
    for slug in league.variant_slugs.values():
        paths += [addresses.variant_page(slug), *addresses.variant_files(slug)]
    paths += [addresses.bot_page(slug) for slug in league.bot_slugs.values()]
    for details in league.events.values():
        paths.append(addresses.event_page(details.slug))
        lists = range(1, len(_parts(details)) + 1)
        paths += [addresses.list_page(details.slug, number) for number in lists]
    return paths


def pages(
    league: LeagueData, highlights: Mapping[str, Highlights], replays: Collection[int]
) -> Iterator[Page]:
    """Yield every page; `replays` are the ids of the matches that have a replay page."""
    environment, site = _environment(), _site(league, replays)

    def page(path: str, template: str, **context: Any) -> Page:
        root = "../" * path.count("/")
        return path, environment.get_template(template).render(root=root, **site, **context)

    details = [variant_details(league, variant) for variant in league.variants.values()]
    yield page(
        addresses.INDEX,
        "index.html",
        boards=[each.board for each in details if each.board.lines],
        events=list(reversed(league.events.values())),
        on_index=ON_INDEX,
    )
    yield page(addresses.NOT_FOUND, "not_found.html")
    for each in details:
        yield from _variant_pages(page, league, each)
    yield from _event_pages(page, league, replays)
    yield from _bot_pages(page, league, highlights)


def _variant_pages(
    page: Callable[..., Page], league: LeagueData, details: VariantDetails
) -> Iterator[Page]:
    variant = details.board.variant.id
    slug = league.variant_slugs[variant]
    files = addresses.variant_files(slug)
    yield page(
        addresses.variant_page(slug),
        "variant.html",
        **details._asdict(),
        files=files,
        effects=league.seats_of_variants.get(variant, []),
        lucks=[each for each in league.luck if each.variant == variant],
    )
    yield from zip(files, data_files(league, details), strict=True)


def _event_pages(
    page: Callable[..., Page], league: LeagueData, replays: Collection[int]
) -> Iterator[Page]:
    for details in league.events.values():
        parts = _parts(details)
        yield page(
            addresses.event_page(details.slug),
            "event.html",
            details=details,
            standing=details.standing,
            adjusted_words=ADJUSTED,
            event=details.event,
            heat=_event_heat(details),
            kinds=group_faults(details.faults),
            faults=details.faults[:FAULTS_LISTED],
            parts=parts,
            matches=_on_event_page(details, replays),
        )
        for number, part in enumerate(parts, start=1):
            path = addresses.list_page(details.slug, number)
            context = {"details": details, "event": details.event, "parts": parts}
            yield page(path, "matches.html", **context, matches=part, number=number)


def _event_heat(details: EventDetails) -> list[CrossRow]:
    standing = details.standing
    versions = [standing.field[line.entrant].id for line in standing.lines]
    met = {
        (one, other): result
        for one, row in zip(versions, standing.against, strict=True)
        for other, result in zip(versions, row, strict=True)
        if result
    }
    return cross_rows(versions, met)


def _bot_pages(
    page: Callable[..., Page], league: LeagueData, highlights: Mapping[str, Highlights]
) -> Iterator[Page]:
    faults = defaultdict(list)
    for details in league.events.values():
        for fault in details.faults:
            faults[fault.version].append(fault)
    for name, versions in league.bots.items():
        own = {version.id for version in versions}
        yield page(
            addresses.bot_page(league.bot_slugs[name]),
            "bot.html",
            name=name,
            versions=versions,
            variants=_variants_of(league, own),
            kinds=group_faults(fault for version in versions for fault in faults[version.id]),
            highlights=highlights.get(name),
        )


def _variants_of(league: LeagueData, own: Collection[int]) -> list[BotInVariant]:
    entries = []
    for variant in league.variants.values():
        lines = [
            line
            for line in league.ratings
            if line.variant_id == variant.id and line.version_id in own
        ]
        lines.sort(key=lambda line: -line.version_id)
        meetings = [
            met
            for line in lines
            # The hardest opponents first.
            for met in sorted(
                league.meetings.get(line.version_id, []), key=lambda met: met.result.share
            )
            if met.variant_id == variant.id
        ]
        effects = [
            effect
            for version in sorted(own, reverse=True)
            for effect in league.seat_effects.get(version, [])
            if effect.variant == variant.id
        ]
        accounts = [
            account
            for account in league.accounts
            if account["variant_id"] == variant.id and account["version_id"] in own
        ]
        if lines or effects:
            board = board_of(league, variant, lines)
            entries.append(BotInVariant(board, meetings, effects, accounts))
    return entries


def _parts(details: EventDetails) -> list[Sequence[StoredMatch]]:
    """Split an event's matches into lists, if they are too many for its page."""
    matches = details.matches
    if len(matches) <= ON_EVENT_PAGE:
        return []
    return [matches[first : first + ON_LIST] for first in range(0, len(matches), ON_LIST)]


def _on_event_page(details: EventDetails, replays: Collection[int]) -> list[StoredMatch]:
    """Return an event's matches; if they are too many, the latest that have replays."""
    if len(details.matches) <= ON_EVENT_PAGE:
        return details.matches
    return [match for match in details.matches if match.id in replays][-ON_EVENT_PAGE:]


@cache
def _environment() -> Environment:
    environment = templates(PACKAGE, FOLDER)
    environment.filters.update(
        ending_words=seat_ending_words,
        two=lambda value: "" if value is None else f"{float(value):.2f}",
        one="{:.1f}".format,
        percent=lambda value: "" if value is None else f"{value:.1%}",
        seconds=lambda ms: f"{ms / 1000:.1f}",
        chance=lambda value: "" if value is None else f"{value * 100:.0f} %",
        verdict=verdict,
        short_name=_short_name,
    )
    return environment


def _site(league: LeagueData, replays: Collection[int]) -> dict[str, Any]:
    """Return what all templates use."""

    def bot_href(version: int) -> str:
        return addresses.bot_page(league.bot_slugs[league.versions[version].bot])

    def event_href(event: int) -> str:
        return addresses.event_page(league.events[event].slug)

    def variant_href(variant: int) -> str:
        return addresses.variant_page(league.variant_slugs[variant])

    def replay_address(match: StoredMatch) -> str:
        return addresses.replay_path(league.events[match.event].slug, match.result.number)

    return {
        "league": league,
        "style": style(),
        "script": script(),
        "stamp": STAMP,
        "arena_version": __version__,
        "curves_shown": SHOWN,
        "policy": policy(),
        "deviations": DEVIATIONS,
        "version_of": league.versions.__getitem__,
        "bot_href": bot_href,
        "event_href": event_href,
        "list_href": addresses.list_page,
        "variant_href": variant_href,
        "variant_name": lambda variant: variant_title(league.variants[variant]),
        "replay_address": replay_address,
        "replay_href": lambda match: replay_address(match) if match.id in replays else None,
        "lacks_pages": lambda matches: any(
            match.has_replay and match.id not in replays for match in matches
        ),
        "is_fault": lambda ending: ending not in (PLAYED, FORFEIT),
        "full_name": str,
        "by_place": lambda match: sorted(match.result.seats, key=lambda seat: seat.place),
    }


def _short_name(version: Version) -> str:
    """Return the name of a version for a label, shortened from the middle if it is long."""
    name = plain(str(version))
    return name if len(name) <= _LABEL else f"{name[: _LABEL - 5]}…{name[-4:]}"


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
def policy() -> Markup:
    """Return the content policy of every page."""
    return policy_of(style(), script_source())


def script_source(*more: str) -> str:
    """Return the part of a policy that allows the script of every page, and `more` scripts."""
    return f"script-src {' '.join(hash_of(each) for each in (script(), *more))}"
