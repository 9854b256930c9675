"""The page of an event: how far it is, its standings by round, its newest results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from arena.indices import VersionId
from arena.pages.pictures import Row
from arena.pages.sharing import Share
from arena.pages.site.charts import Chart, Point, chart_of
from arena.pages.site.data import EventDetails, LeagueData, group_faults, variant_title
from arena.pages.site.variant_pages import CrossRow, cross_rows
from leaderboard.bots import Version
from leaderboard.matches import StoredMatch
from leaderboard.standings import ADJUSTED, APART

ON_EVENT_PAGE = 200
"""An event with more matches than this lists them on separate pages."""
ON_LIST = 250
"""Number of matches on such a page."""
NEWEST = 6
_FAULTS_LISTED = 200
_ROUNDS_SHOWN = 12
"""A table by round has no more columns; a chart shows any number of rounds."""


class PointsByRound(NamedTuple):
    """What a bot did round by round."""

    version: VersionId
    rounds: list[tuple[float, list[int]] | None]
    """Its mean points, and the opponents that it met; None where it did not play."""


def event_context(
    league: LeagueData, details: EventDetails, replays: Collection[int]
) -> dict[str, Any]:
    """Return what the page of an event shows; `replays` are the matches that have pages."""
    event, standing = details.event, details.standing
    rounds = _points_by_round(details)
    parts = parts_of(details)
    title = variant_title(league.variants[details.variant])
    return {
        "details": details,
        "event": event,
        "standing": standing,
        "adjusted_words": ADJUSTED,
        "apart_words": APART,
        "heat": _heat(details),
        "progress": _progress_chart(details, rounds, league.versions),
        "by_round": _round_rows(details, rounds),
        "round_count": len({number for number, _ in rounds}),
        "newest": [match for match in details.matches if match.id in replays][-NEWEST:][::-1],
        "kinds": group_faults(details.faults),
        "faults": details.faults[:_FAULTS_LISTED],
        "parts": parts,
        "matches": [match for match in details.matches if match.id in replays][-ON_EVENT_PAGE:]
        if parts
        else details.matches,
        "share": Share(_headline(details), f"{event.kind} of {title}, {details.tables}."),
        "rows": _preview_rows(details),
    }


def list_context(details: EventDetails, number: int) -> dict[str, Any]:
    """Return what a part of an event's list of matches shows."""
    parts = parts_of(details)
    matches = parts[number - 1]
    numbers = f"{matches[0].result.number}–{matches[-1].result.number}"
    return {
        "details": details,
        "event": details.event,
        "parts": parts,
        "matches": matches,
        "number": number,
        "share": Share(f"{details.event.name}: matches {numbers}", f"All matches {numbers}."),
    }


def parts_of(details: EventDetails) -> list[Sequence[StoredMatch]]:
    """Split an event's matches into lists, if they are too many for its page."""
    matches = details.matches
    if len(matches) <= ON_EVENT_PAGE:
        return []
    return [matches[first : first + ON_LIST] for first in range(0, len(matches), ON_LIST)]


def _headline(details: EventDetails) -> str:
    event, lines = details.event, details.standing.lines
    if not details.matches or not lines:
        return f"{event.name} is about to begin"
    best = [details.standing.field[line.entrant] for line in lines if line.rank == lines[0].rank]
    who = " and ".join(version.bot for version in best[:3])
    verb = "leads" if len(best) == 1 else "lead"
    if event.status == "finished":
        verb = "wins" if len(best) == 1 else "share the first place of"
        return f"{who} {verb} {event.name}"
    return f"{who} {verb} in {event.name}"


def _preview_rows(details: EventDetails) -> list[Row]:
    lines = details.standing.lines
    most = max((float(line.points) for line in lines), default=0.0) or 1.0
    return [
        Row(
            details.standing.names[line.entrant],
            f"{float(line.points):.2f}",
            float(line.points) / most,
        )
        for line in lines
    ]


_Rounds = Mapping[tuple[int, VersionId], list[tuple[float, list[VersionId]]]]
"""The results of a version in a round: its points, and its opponents."""


def _points_by_round(details: EventDetails) -> _Rounds:
    found: defaultdict[tuple[int, VersionId], list[tuple[float, list[VersionId]]]] = defaultdict(
        list
    )
    for match in details.matches:
        if match.result.is_played:
            for number, seat in enumerate(match.result.seats):
                others = [
                    other.version
                    for at, other in enumerate(match.result.seats)
                    if at != number and (other.team is None or other.team != seat.team)
                ]
                found[match.round, seat.version].append((seat.points, others))
    return found


def _progress_chart(
    details: EventDetails, rounds: _Rounds, versions: Mapping[int, Version]
) -> Chart | None:
    """Show the mean points per match after each round."""
    numbers = sorted({number for number, _ in rounds})
    if len(numbers) < 3:
        return None
    lines = []
    for line in details.standing.lines:
        version = details.standing.field[line.entrant].id
        total, count, points = 0.0, 0, []
        for number in numbers:
            for own, _ in rounds.get((number, version), []):
                total += own
                count += 1
            if count:
                points.append(Point(number, total / count))
        lines.append((str(versions[version]), points))
    return chart_of("Mean points per match so far", lines, word="rounds", from_zero=True)


def _round_rows(details: EventDetails, rounds: _Rounds) -> list[PointsByRound]:
    """Return a row for each bot and a cell for each round: empty for many rounds."""
    numbers = sorted({number for number, _ in rounds})
    if not 1 < len(numbers) <= _ROUNDS_SHOWN:
        return []
    ranks = {
        details.standing.field[line.entrant].id: at
        for at, line in enumerate(details.standing.lines, start=1)
    }
    rows = []
    for version in ranks:
        cells: list[tuple[float, list[int]] | None] = []
        for number in numbers:
            played = rounds.get((number, version))
            met = {ranks[other] for _, others in played or [] for other in others}
            mean = sum(points for points, _ in played or []) / len(played or [1])
            cells.append((mean, sorted(met)) if played else None)
        rows.append(PointsByRound(version, cells))
    return rows


def _heat(details: EventDetails) -> list[CrossRow]:
    standing = details.standing
    versions = [standing.field[line.entrant].id for line in standing.lines]
    met = {
        (one, other): result
        for one, row in zip(versions, standing.against, strict=True)
        for other, result in zip(versions, row, strict=True)
        if result
    }
    return cross_rows(versions, met)
