"""Render the pages of a league.

All text goes through the templates, which escape it: names are untrusted. A content policy in each
page allows its one style and nothing else, in particular no script.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from arena.games.registry import game_named
from arena.pages.content_policy import policy_of
from arena.pages.site import addresses
from arena.pages.site.curves import DEVIATIONS, Chart, chart_of
from arena.pages.site.data import EventDetails, League, group_faults
from arena.pages.site.highlights import Highlights
from arena.pages.site.seat_effects import SeatEffect
from arena.text import plain
from leaderboard.matches import StoredMatch
from leaderboard.queries import LeaderboardRow, Meeting, Variant
from leaderboard.result import FORFEIT, PLAYED, seat_ending_words
from leaderboard.standings import ADJUSTED

CURVES = 8
"""Maximum number of curves in a chart; more would be hard to distinguish."""
CROSSTABLE = 40
"""Maximum number of bots in a crosstable."""
ON_EVENT_PAGE = 200
"""An event with more matches than this lists them on separate pages."""
ON_LIST = 250
"""Number of matches on such a page."""
FAULTS_LISTED = 200
Page = tuple[str, str]
"""Path and text. The context of a template differs from page to page, hence Any."""


class Board(NamedTuple):
    """A leaderboard with its curves."""

    variant: Variant
    title: str
    lines: list[LeaderboardRow]
    chart: Chart | None
    shown: list[LeaderboardRow]
    """The versions that have curves, in the order of the legend."""


class BotInVariant(NamedTuple):
    """A bot's results in one variant."""

    board: Board
    meetings: list[Meeting]
    seat_effects: list[SeatEffect]
    accounts: list[dict[str, Any]]


def page_paths(league: League) -> list[str]:
    """List the paths of a league's pages, without its replays."""
    paths = [addresses.INDEX]
    paths += [addresses.bot_page(slug) for slug in league.bot_slugs.values()]
    for details in league.events.values():
        paths.append(addresses.event_page(details.slug))
        lists = range(1, len(_parts(details)) + 1)
        paths += [addresses.list_page(details.slug, number) for number in lists]
    return paths


def pages(
    league: League, highlights: Mapping[str, Highlights], replays: Collection[int]
) -> Iterator[Page]:
    """Yield every page; `replays` are the ids of the matches that have a replay page."""
    environment = _environment(league, replays)

    def page(path: str, template: str, **context: Any) -> Page:
        root = "../" * path.count("/")
        return path, environment.get_template(template).render(root=root, **context)

    boards = [_board(league, variant) for variant in league.variants.values()]
    yield page(
        addresses.INDEX,
        "index.html",
        boards=[board for board in boards if board.lines],
        events=list(reversed(league.events.values())),
    )
    yield from _event_pages(page, league, replays)
    yield from _bot_pages(page, league, highlights)


def _event_pages(
    page: Callable[..., Page], league: League, replays: Collection[int]
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
            lines=details.standing.lines[:CROSSTABLE],
            kinds=group_faults(details.faults),
            faults=details.faults[:FAULTS_LISTED],
            parts=parts,
            matches=_on_event_page(details, replays),
        )
        for number, part in enumerate(parts, start=1):
            path = addresses.list_page(details.slug, number)
            context = {"details": details, "event": details.event, "parts": parts}
            yield page(path, "matches.html", **context, matches=part, number=number)


def _bot_pages(
    page: Callable[..., Page], league: League, highlights: Mapping[str, Highlights]
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


def _board(league: League, variant: Variant) -> Board:
    lines = [line for line in league.ratings if line.variant_id == variant.id and line.rank]
    return _with_chart(league, variant, lines)


def _with_chart(league: League, variant: Variant, lines: list[LeaderboardRow]) -> Board:
    shown = lines[:CURVES]
    histories = [league.histories[line.variant_id, line.version_id] for line in shown]
    title = f"{game_named(variant.game).title}, {variant.name}"
    return Board(variant, title, lines, chart_of(histories) if histories else None, shown)


def _variants_of(league: League, own: Collection[int]) -> list[BotInVariant]:
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
            if met.variant == variant.id
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
            board = _with_chart(league, variant, lines)
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


def templates() -> Environment:
    """Return the templates, which escape all text."""
    return Environment(
        loader=PackageLoader("arena.pages.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )


def _environment(league: League, replays: Collection[int]) -> Environment:
    environment = templates()
    environment.filters["ending_words"] = seat_ending_words
    environment.filters["two"] = lambda value: "" if value is None else f"{float(value):.2f}"
    environment.filters["one"] = "{:.1f}".format
    environment.filters["percent"] = lambda value: "" if value is None else f"{value:.1%}"
    environment.filters["seconds"] = lambda ms: f"{ms / 1000:.1f}"

    def bot_href(version: int) -> str:
        return addresses.bot_page(league.bot_slugs[league.versions[version].bot])

    def event_href(event: int) -> str:
        return addresses.event_page(league.events[event].slug)

    def replay_href(match: StoredMatch) -> str | None:
        slug = league.events[match.event].slug
        return addresses.replay_path(slug, match.result.number) if match.id in replays else None

    environment.globals |= {
        "league": league,
        "style": style(),
        "policy": policy(),
        "deviations": DEVIATIONS,
        "version_of": league.versions.__getitem__,
        "bot_href": bot_href,
        "event_href": event_href,
        "list_href": addresses.list_page,
        "replay_href": replay_href,
        "is_fault": lambda ending: ending not in (PLAYED, FORFEIT),
        "full_name": str,
        "by_place": lambda match: sorted(match.result.seats, key=lambda seat: seat.place),
    }
    return environment


def _printable(value: Any) -> Any:
    """Replace characters that are invisible or change the direction of text."""
    return plain(value) if type(value) is str and not value.isprintable() else value


@cache
def style() -> str:
    """Return the style of every page."""
    return files("arena.pages.site").joinpath("templates", "site.css").read_text(encoding="utf-8")


@cache
def policy() -> str:
    """Return the content policy of every page."""
    return policy_of(style())
