"""The page of a variant, and its data as CSV and JSON.

Its bots are ranked by strength, because only strengths say how certain their order is.
"""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.indices import VersionId
from arena.pages.pictures import Row
from arena.pages.sharing import Share
from arena.pages.site import addresses
from arena.pages.site.charts import (
    DEVIATIONS,
    Chart,
    PlacedInterval,
    Point,
    Scale,
    chart_of,
    interval_on,
    scale_of,
)
from arena.pages.site.data import EventDetails, LeagueData, variant_title
from arena.pages.site.folder import STAMP
from arena.text import quantity
from leaderboard.bots import Version
from leaderboard.queries.leaderboards import SURE, LeaderboardRow, Variant
from leaderboard.queries.rating_histories import PastRatings
from leaderboard.result import HeadToHead
from leaderboard.strength.words import never_compared, strength_text

CROSSTABLE = 40
"""Maximum number of bots in a crosstable."""
NEW = "new"
_NO_RATING = "-"


class Movement(NamedTuple):
    """A bot's ratings and ranks before the last events, and how far it has moved since."""

    scores: str
    ranks: str
    """The values before each event, the latest first; a dash where there was none."""
    rank: int
    """By rating, today."""
    score_moved: str
    rank_moved: str
    """Since the latest event."""


class CrossRow(NamedTuple):
    """A row of a crosstable."""

    version: VersionId
    cells: list[tuple[VersionId, HeadToHead | None]]
    """The version of each column, and its results against it."""


class VariantDetails(NamedTuple):
    """Everything shown about a variant."""

    variant: Variant
    title: str
    ratings: Chart | None
    progress: Chart | None
    """The strengths of the versions of each bot that has several."""
    lines: list[LeaderboardRow]
    """Ranked by strength; those without one come last."""
    leader: str
    """Says whether it is known who is first."""
    scale: Scale
    """Of the strengths."""
    intervals: list[PlacedInterval | None]
    """For each line."""
    heat: list[CrossRow]
    beyond: list[str]
    """What the results of pairs say beyond strengths."""
    past: list[PastRatings]
    earlier: dict[VersionId, Movement]
    events: list[EventDetails]
    """The newest first."""
    played: int
    behind: int
    """The number of matches that the strengths do not count yet."""


def variant_details(league: LeagueData, variant: Variant) -> VariantDetails:
    """Return what the page of a variant shows."""
    lines = [line for line in league.ratings if line.variant_id == variant.id and line.rank]
    met = {
        (meeting.version_id, meeting.opponent_id): meeting.result
        for line in lines
        for meeting in league.meetings.get(line.version_id, [])
        if meeting.variant_id == variant.id
    }
    past = [each for each in league.past if each.variant == variant.id]
    events = [details for details in league.events.values() if details.variant == variant.id]
    scale = scale_of(end for line in lines for end in ends_of(line) if end is not None)
    return VariantDetails(
        variant=variant,
        title=variant_title(variant),
        ratings=rating_chart(league, lines),
        progress=progress_chart(league, variant),
        lines=lines,
        leader=_leader(lines, league.versions),
        scale=scale,
        intervals=[interval_on(scale, line.strength, *ends_of(line)) for line in lines],
        heat=cross_rows([line.version_id for line in lines], met) if met else [],
        beyond=league.beyond[variant.id],
        past=past,
        earlier=_earlier(lines, past),
        events=events[::-1],
        played=sum(details.played for details in events),
        behind=max((line.strength_behind for line in lines), default=0),
    )


def _leader(lines: Sequence[LeaderboardRow], versions: Mapping[int, Version]) -> str:
    known = [line for line in lines if line.chance_first is not None]
    apart = never_compared(known)
    if apart:
        return f"Nobody knows who is the strongest. {apart[0]}"
    if not known:
        return ""
    best = max(known, key=lambda line: line.chance_first or 0.0)
    chance = chance_text(best.chance_first)
    name = versions[best.version_id]
    if (best.chance_first or 0.0) >= SURE:
        return f"{name} is the strongest, with a chance of {chance}."
    return f"It is open who is the strongest: {name} has the best chance, {chance}."


def chance_text(chance: float | None) -> str:
    """Write a chance in percent; an estimate is never certain."""
    if chance is None:
        return ""
    if not 0.005 <= chance < 0.995:
        return "over 99 %" if chance > 0.5 else "under 1 %"
    return f"{chance * 100:.0f} %"


def ends_of(line: LeaderboardRow) -> tuple[float | None, float | None]:
    """Return the ends of the interval of a strength; None where the results leave it open."""
    return line.strength_low, line.strength_high


def rating_chart(league: LeagueData, lines: Sequence[LeaderboardRow]) -> Chart | None:
    """Show the mean ratings of versions over their matches."""
    histories = [
        (
            str(league.versions[line.version_id]),
            [
                Point(sample.number, sample.mu, DEVIATIONS * sample.sigma)
                for sample in league.histories[line.variant_id, line.version_id]
            ],
        )
        for line in lines
    ]
    return chart_of("Ratings", histories, word="matches")


def progress_chart(league: LeagueData, variant: Variant) -> Chart | None:
    """Show the strengths of a bot's versions, retired ones included, from the first to the last."""
    points: defaultdict[str, list[Point]] = defaultdict(list)
    for line in league.ratings:
        if line.variant_id == variant.id and line.strength is not None:
            # A band that has only one end is not drawn.
            points[line.bot].append(Point(line.version, line.strength, line.strength_error or 0.0))
    several = [(bot, sorted(each)) for bot, each in sorted(points.items()) if len(each) > 1]
    return chart_of("Strength by version", several, word="version")


def cross_rows(
    versions: Sequence[VersionId], met: Mapping[tuple[VersionId, VersionId], HeadToHead]
) -> list[CrossRow]:
    """Return the results of the first of these versions against each other."""
    first = versions[:CROSSTABLE]
    return [CrossRow(one, [(other, met.get((one, other))) for other in first]) for one in first]


def variant_context(
    league: LeagueData, details: Callable[[], VariantDetails], slug: str
) -> dict[str, Any]:
    """Return what the page of a variant shows."""
    made = details()
    number = made.variant.id
    bots = quantity(len(made.lines), "bot")
    low = made.scale.low
    return made._asdict() | {
        "files": addresses.variant_files(slug),
        "effects": league.effects(number),
        "lucks": [each for each in league.luck if each.variant == number],
        "most": max((line.matches for line in made.lines), default=0),
        "share": Share(made.title, f"{bots}. {made.leader}".strip()),
        "rows": [
            Row(
                league.versions[line.version_id].bot,
                strength_text(line.strength, line.strength_low, line.strength_high),
                0.0 if line.strength is None else (line.strength - low) / (made.scale.high - low),
            )
            for line in made.lines
        ],
    }


def _earlier(
    lines: Sequence[LeaderboardRow], past: Sequence[PastRatings]
) -> dict[VersionId, Movement]:
    """Compare with earlier ratings; ranks are among the versions that are not retired today."""
    shown = {line.version_id for line in lines}
    ranks = []
    for each in past:
        scores = [score for version, score in each.scores.items() if version in shown]
        ranks.append(
            {
                version: 1 + sum(other > score for other in scores)
                for version, score in each.scores.items()
                if version in shown
            }
        )
    found = {}
    for line in lines:
        own_scores = [each.scores.get(line.version_id) for each in past]
        own_ranks = [each.get(line.version_id) for each in ranks]
        rank = 1 + sum(other.score > line.score for other in lines)
        found[line.version_id] = Movement(
            " ".join(_NO_RATING if score is None else f"{score:.2f}" for score in own_scores),
            " ".join(_NO_RATING if rank is None else str(rank) for rank in own_ranks),
            rank,
            _moved(own_scores[0], round(line.score, 2), 2) if past else "",
            _moved(own_ranks[0], rank, 0, sign=-1) if past else "",
        )
    return found


def _moved(was: float | None, now: float, digits: int, sign: int = 1) -> str:
    if was is None:
        return NEW
    change = sign * (now - round(was, digits))
    if abs(change) < 10**-digits / 2:
        return "0"
    return f"{'↑' if change > 0 else '↓'}{abs(change):.{digits}f}"


def data_files(league: LeagueData, details: VariantDetails) -> tuple[str, str, str]:
    """Return the data of a variant: standings and head-to-head results as CSV, all as JSON."""
    variant = details.variant
    standings = [
        {key: value for key, value in line._asdict().items() if key != "history"}
        for line in details.lines
    ]
    opponents = [
        meeting.columns()
        for line in details.lines
        for meeting in league.meetings.get(line.version_id, [])
        if meeting.variant_id == variant.id
    ]
    document = {
        "game": variant.game,
        "variant": variant.name,
        "parameters": variant.parameters,
        "written": STAMP,
        "standings": standings,
        "head_to_head": opponents,
        "seats": [
            {key: value for key, value in effect._asdict().items() if key != "version"}
            for effect in league.effects(variant.id)
        ],
        "luck": [each._asdict() for each in league.luck if each.variant == variant.id],
        "earlier_ratings": [
            {
                "event": each.event,
                "started": each.started,
                "scores": {
                    str(league.versions[version]): score for version, score in each.scores.items()
                },
            }
            for each in details.past
        ],
    }
    return _csv(standings), _csv(opponents), json.dumps(document, indent=1) + "\n"


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return out.getvalue()
