"""How does what is told of a league become pages?

Every text goes through the templates, which escape it: names are untrusted. And a policy in each
page lets the browser use its one style and nothing else, least of all a script.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from arena.games.registry import game_named
from arena.pages.policy import policy_of
from arena.pages.site import addresses
from arena.pages.site.choosing import Highlights
from arena.pages.site.curves import DEVIATIONS, Chart, chart_of
from arena.pages.site.data import EventStory, League, kinds_of
from arena.pages.site.seats import SeatEffect
from arena.replays.story import plain
from leaderboard.report import FinishedMatch, Met, Rated, Variant
from leaderboard.results import FORFEIT, PLAYED

CURVES = 8
"""How many curves a chart can have before nobody can tell them apart."""
CROSSTABLE = 40
"""How many bots a crosstable has at most."""
ON_EVENT_PAGE = 200
"""An event with more matches than this has them on pages of their own."""
ON_LIST = 250
"""How many matches such a page has."""
FAULTS_LISTED = 200
Page = tuple[str, str]
"""Its path and its text. What a template is told differs from page to page, hence Any."""


class Board(NamedTuple):
    """A leaderboard with its curves."""

    variant: Variant
    title: str
    lines: list[Rated]
    chart: Chart | None
    shown: list[Rated]
    """Whose curves there are, in the legend's order."""


class BotInVariant(NamedTuple):
    """What a bot's page tells of one variant."""

    board: Board
    meetings: list[Met]
    seat_effects: list[SeatEffect]


def page_paths(league: League) -> list[str]:
    """List the pages that a league has, its replays aside."""
    paths = [addresses.INDEX]
    paths += [addresses.bot_page(slug) for slug in league.bot_slugs.values()]
    for story in league.events.values():
        paths.append(addresses.event_page(story.slug))
        lists = range(1, len(_parts(story)) + 1)
        paths += [addresses.list_page(story.slug, number) for number in lists]
    return paths


def pages(
    league: League, shown: Mapping[str, Highlights], replays: Collection[int]
) -> Iterator[Page]:
    """Yield every page; `replays` are the ids of the matches that have pages."""
    environment = _environment(league, replays)

    def page(path: str, template: str, **told: Any) -> Page:
        root = "../" * path.count("/")
        return path, environment.get_template(template).render(root=root, **told)

    boards = [_board(league, variant) for variant in league.variants.values()]
    yield page(
        addresses.INDEX,
        "index.html",
        boards=[board for board in boards if board.lines],
        events=list(reversed(league.events.values())),
    )
    yield from _event_pages(page, league, replays)
    yield from _bot_pages(page, league, shown)


def _event_pages(
    page: Callable[..., Page], league: League, replays: Collection[int]
) -> Iterator[Page]:
    for story in league.events.values():
        parts = _parts(story)
        yield page(
            addresses.event_page(story.slug),
            "event.html",
            story=story,
            standing=story.standing,
            event=story.event,
            lines=story.standing.lines[:CROSSTABLE],
            kinds=kinds_of(story.faults),
            faults=story.faults[:FAULTS_LISTED],
            parts=parts,
            matches=_on_event_page(story, replays),
        )
        for number, part in enumerate(parts, start=1):
            path = addresses.list_page(story.slug, number)
            told = {"story": story, "event": story.event, "parts": parts}
            yield page(path, "matches.html", **told, matches=part, number=number)


def _bot_pages(
    page: Callable[..., Page], league: League, shown: Mapping[str, Highlights]
) -> Iterator[Page]:
    faults = defaultdict(list)
    for story in league.events.values():
        for fault in story.faults:
            faults[fault.version].append(fault)
    for name, versions in league.bots.items():
        own = {version.id for version in versions}
        yield page(
            addresses.bot_page(league.bot_slugs[name]),
            "bot.html",
            name=name,
            versions=versions,
            variants=_variants_of(league, own),
            kinds=kinds_of(fault for version in versions for fault in faults[version.id]),
            highlights=shown.get(name),
        )


def _board(league: League, variant: Variant) -> Board:
    lines = [line for line in league.ratings if line.variant == variant.id and line.rank]
    return _with_chart(league, variant, lines)


def _with_chart(league: League, variant: Variant, lines: list[Rated]) -> Board:
    shown = lines[:CURVES]
    courses = [league.courses[line.variant, line.version] for line in shown]
    title = f"{game_named(variant.game).title}, {variant.name}"
    return Board(variant, title, lines, chart_of(courses) if courses else None, shown)


def _variants_of(league: League, own: Collection[int]) -> list[BotInVariant]:
    told = []
    for variant in league.variants.values():
        lines = [
            line for line in league.ratings if line.variant == variant.id and line.version in own
        ]
        lines.sort(key=lambda line: -line.version)
        meetings = [
            met
            for line in lines
            # The hardest opponents first.
            for met in sorted(league.meetings.get(line.version, []), key=lambda met: met.share)
            if met.variant == variant.id
        ]
        effects = [
            effect
            for version in sorted(own, reverse=True)
            for effect in league.seat_effects.get(version, [])
            if effect.variant == variant.id
        ]
        if lines or effects:
            told.append(BotInVariant(_with_chart(league, variant, lines), meetings, effects))
    return told


def _parts(story: EventStory) -> list[Sequence[FinishedMatch]]:
    """Return the lists that an event's matches are on, if they are too many for its own page."""
    matches = story.matches
    if len(matches) <= ON_EVENT_PAGE:
        return []
    return [matches[first : first + ON_LIST] for first in range(0, len(matches), ON_LIST)]


def _on_event_page(story: EventStory, replays: Collection[int]) -> list[FinishedMatch]:
    """Return an event's matches; if they are too many, the latest of those that have replays."""
    if len(story.matches) <= ON_EVENT_PAGE:
        return story.matches
    return [match for match in story.matches if match.id in replays][-ON_EVENT_PAGE:]


def _environment(league: League, replays: Collection[int]) -> Environment:
    environment = Environment(
        loader=PackageLoader("arena.pages.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    environment.filters["two"] = lambda value: "" if value is None else f"{float(value):.2f}"
    environment.filters["seconds"] = lambda ms: f"{ms / 1000:.1f}"

    def bot_href(version: int) -> str:
        return addresses.bot_page(league.bot_slugs[league.versions[version].bot])

    def event_href(event: int) -> str:
        return addresses.event_page(league.events[event].slug)

    def replay_href(match: FinishedMatch) -> str | None:
        slug = league.events[match.event].slug
        return addresses.replay_path(slug, match.number) if match.id in replays else None

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
        "by_place": lambda match: sorted(match.seats, key=lambda seat: seat.place),
    }
    return environment


def _printable(value: Any) -> Any:
    """Show what would turn the direction of a text, or hide in it, as a mark."""
    return plain(value) if type(value) is str and not value.isprintable() else value


@cache
def style() -> str:
    """Return the style of every page."""
    return files("arena.pages.site").joinpath("templates", "site.css").read_text(encoding="utf-8")


@cache
def policy() -> str:
    """Return what the browser may do in a page."""
    return policy_of(style())
