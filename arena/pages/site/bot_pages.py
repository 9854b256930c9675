"""The pages of a bot, and of two bots against each other."""

from __future__ import annotations

import tomllib
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from arena.indices import VersionId
from arena.pages.pictures import Row
from arena.pages.sharing import Share
from arena.pages.site.charts import (
    Chart,
    PlacedInterval,
    Point,
    Scale,
    chart_of,
    interval_on,
    scale_of,
)
from arena.pages.site.data import LeagueData, group_faults, variant_title
from arena.pages.site.highlights import Highlights
from arena.pages.site.seat_effects import SeatEffect
from arena.pages.site.variant_pages import ends_of, rating_chart
from arena.submission.manifest import text_in
from arena.text import quantity
from leaderboard.matches import StoredMatch
from leaderboard.queries.leaderboards import HeadToHeadRow, LeaderboardRow, Variant
from leaderboard.result import HeadToHead

_SAMPLES = 80
"""Maximum number of points on a curve of time or memory."""
_LATEST = 8
"""Number of matches on the page of a pair."""
_LANGUAGES = {
    "python": "Python", "python3": "Python", "node": "JavaScript", "java": "Java", "ruby": "Ruby",
    "php": "PHP", "lua": "Lua", "perl": "Perl", "deno": "TypeScript", "bun": "JavaScript",
    "bash": "shell", "sh": "shell",
}  # fmt: skip
Pair = tuple[str, str]
"""The names of two bots, in the order of their pages' names."""
Usage = dict[tuple[int, VersionId], tuple[list[float], list[float]]]
"""Seconds and MiB in each match, by variant and version."""


class BotInVariant(NamedTuple):
    """A bot's results in one variant."""

    variant: Variant
    title: str
    lines: list[LeaderboardRow]
    """Its versions, the newest first."""
    of: int
    """The number of ranked versions."""
    scale: Scale
    intervals: list[PlacedInterval | None]
    ratings: Chart | None
    meetings: list[HeadToHeadRow]
    seat_effects: list[SeatEffect]
    accounts: list[dict[str, Any]]
    charts: list[Chart]
    """Time and memory over its matches."""

    @property
    def best(self) -> LeaderboardRow | None:
        """The version that is ranked best."""
        ranked = [line for line in self.lines if line.rank]
        return min(ranked, key=lambda line: line.rank, default=None)


def bot_context(
    league: LeagueData, usage: Callable[[], Usage], name: str, highlights: Highlights | None
) -> dict[str, Any]:
    """Return what the page of a bot shows."""
    versions = league.bots[name]
    own = {version.id for version in versions}
    entries = _variants_of(league, usage(), own)
    newest = versions[-1]
    faults = [
        fault
        for details in league.events.values()
        for fault in details.faults
        if fault.version in own
    ]
    ranks = [
        f"{entry.title}: rank {entry.best.rank} of {entry.of}" for entry in entries if entry.best
    ]
    about = text_in(newest.manifest, "description")
    return {
        "name": name,
        "versions": versions,
        "newest": newest,
        "author": newest.author,
        "language": language_of(newest.manifest),
        "about": about,
        "variants": entries,
        "kinds": group_faults(faults),
        "highlights": highlights,
        "share": Share(name, " · ".join([*([about] if about else []), *ranks]) or "A bot."),
        "rows": [
            Row(entry.title, f"rank {rank} of {entry.of}", 1 - (rank - 1) / max(1, entry.of))
            for entry in entries
            if entry.best and (rank := entry.best.rank)
        ],
    }


def language_of(manifest: str) -> str:
    """Say in which language a bot is written, as far as its command tells."""
    try:
        command = tomllib.loads(manifest).get("command")
    except (ValueError, RecursionError):
        return ""
    if not isinstance(command, list) or not command or not isinstance(command[0], str):
        return ""
    return _LANGUAGES.get(command[0].rpartition("/")[2], "its own program")


def _variants_of(
    league: LeagueData, usage: Usage, own: Collection[VersionId]
) -> list[BotInVariant]:
    entries = []
    for variant in league.variants.values():
        in_variant = [line for line in league.ratings if line.variant_id == variant.id]
        lines = [line for line in in_variant if line.version_id in own]
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
            for effect in league.effects(variant.id, version)
        ]
        accounts = [
            account
            for account in league.accounts
            if account["variant_id"] == variant.id and account["version_id"] in own
        ]
        if lines or effects:
            scale = scale_of(end for line in in_variant for end in ends_of(line) if end is not None)
            entries.append(
                BotInVariant(
                    variant,
                    variant_title(variant),
                    lines,
                    sum(bool(line.rank) for line in in_variant),
                    scale,
                    [interval_on(scale, line.strength, *ends_of(line)) for line in lines],
                    rating_chart(league, lines) if len(lines) > 1 else None,
                    meetings,
                    effects,
                    accounts,
                    _usage_charts(league, usage, variant, own),
                )
            )
    return entries


def usage_of(league: LeagueData) -> Usage:
    """Collect the thinking time and the memory of every version in each variant, by match."""
    found: Usage = defaultdict(lambda: ([], []))
    for details in league.events.values():
        for match in details.matches:
            for seat in match.result.seats:
                times, memory = found[details.variant, seat.version]
                if seat.time_us is not None:
                    times.append(seat.time_us / 1e6)
                if seat.memory_kib is not None:
                    memory.append(seat.memory_kib / 1024)
    return found


def _usage_charts(
    league: LeagueData, usage: Usage, variant: Variant, own: Collection[VersionId]
) -> list[Chart]:
    """Show the thinking time and the memory of each version, match by match."""
    used = {version: usage[variant.id, version] for version in sorted(own)}
    found = []
    for at, title in enumerate(("Thinking time in a match, seconds", "Memory, MiB")):
        lines = [
            (
                str(league.versions[version]),
                _sample([Point(number, value) for number, value in enumerate(values[at], start=1)]),
            )
            for version, values in used.items()
        ]
        if any(len(points) > 2 for _, points in lines):
            found.append(chart_of(title, lines, word="matches", from_zero=True))
    return [chart for chart in found if chart]


def _sample(points: Sequence[Point]) -> list[Point]:
    """Return at most so many of the points, evenly spaced, the last one included."""
    if len(points) <= _SAMPLES:
        return list(points)
    step = (len(points) - 1) / (_SAMPLES - 1)
    return [points[round(n * step)] for n in range(_SAMPLES)]


def pairs_of(league: LeagueData) -> list[Pair]:
    """List the pairs of bots that were opponents."""
    slugs = league.bot_slugs
    met = {
        (league.versions[row.version_id].bot, league.versions[row.opponent_id].bot)
        for rows in league.meetings.values()
        for row in rows
    }
    return sorted((one, other) for one, other in met if slugs[one] < slugs[other])


def pair_context(
    league: LeagueData, latest: Callable[[], Mapping[Pair, Sequence[StoredMatch]]], pair: Pair
) -> dict[str, Any]:
    """Return what the page of two bots shows: from the first one's point of view."""
    one, other = pair
    rows = [
        row
        for version in league.bots[one]
        for row in league.meetings.get(version.id, [])
        if league.versions[row.opponent_id].bot == other
    ]
    totals: dict[int, HeadToHead] = {}
    for row in rows:
        before = totals.get(row.variant_id, HeadToHead())
        totals[row.variant_id] = HeadToHead(
            *(a + b for a, b in zip(before, row.result, strict=True))
        )
    titles = {number: variant_title(league.variants[number]) for number in totals}
    matches = sum(total.matches for total in totals.values())
    parts = [
        f"{titles[number]}: ahead in {float(total.share):.0%} of "
        f"{quantity(total.matches, 'match', 'matches')}"
        for number, total in totals.items()
    ]
    return {
        "pair": pair,
        "totals": [(number, titles[number], total) for number, total in totals.items()],
        "rows": rows,
        "count": matches,
        "latest": latest().get(pair, []),
        "share": Share(f"{one} against {other}", f"{one}: {'; '.join(parts)}."),
    }


def latest_of_pairs(league: LeagueData) -> Mapping[Pair, Sequence[StoredMatch]]:
    """Return the latest matches with replays in which two bots were opponents."""
    found: defaultdict[Pair, deque[StoredMatch]] = defaultdict(lambda: deque(maxlen=_LATEST))
    for match in league.matches():
        if not match.has_replay:
            continue
        bots = {league.versions[seat.version].bot for seat in match.result.seats}
        for pair in combinations(sorted(bots, key=league.bot_slugs.__getitem__), 2):
            found[pair].appendleft(match)
    return {pair: list(matches) for pair, matches in found.items()}
