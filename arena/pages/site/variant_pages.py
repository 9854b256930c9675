"""The page of a variant, and its data as CSV and JSON.

Its bots are ranked by strength, because only strengths say how certain their order is.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.indices import VersionId
from arena.pages.site.boards import Board, CrossRow, board_of, cross_rows
from arena.pages.site.data import EventDetails, LeagueData
from arena.pages.site.folder import STAMP
from leaderboard.bots import Version
from leaderboard.queries.leaderboards import LeaderboardRow, Variant
from leaderboard.queries.rating_histories import PastRatings

SURE, PROBABLE = 0.95, 0.8
"""The least chances at which a bot is called stronger than another, and probably stronger."""
NEW = "new"
_NO_RATING = "-"


class Movement(NamedTuple):
    """A bot's ratings and ranks before the last events, and how far it has moved since."""

    scores: str
    ranks: str
    """The values before each event, the latest first; a dash where there was none."""
    score_moved: str
    rank_moved: str
    """Since the latest event."""


class VariantDetails(NamedTuple):
    """Everything shown about a variant."""

    board: Board
    lines: list[LeaderboardRow]
    """Ranked by strength; those without one come last."""
    leader: str
    """Says whether it is known who is first."""
    scale: tuple[float, float]
    """The lower end of all intervals of strengths, and the width of their range."""
    heat: list[CrossRow]
    past: list[PastRatings]
    earlier: dict[VersionId, Movement]
    events: list[EventDetails]
    """The newest first."""
    played: int
    behind: int
    """The number of matches that the strengths do not count yet."""


def variant_details(league: LeagueData, variant: Variant) -> VariantDetails:
    """Return what the page of a variant shows."""
    rated = [line for line in league.ratings if line.variant_id == variant.id and line.rank]
    lines = sorted(rated, key=lambda line: line.strength_rank or len(rated) + line.rank)
    met = {
        (meeting.version_id, meeting.opponent_id): meeting.result
        for line in lines
        for meeting in league.meetings.get(line.version_id, [])
        if meeting.variant_id == variant.id
    }
    past = [each for each in league.past if each.variant == variant.id]
    events = [details for details in league.events.values() if details.variant == variant.id]
    return VariantDetails(
        board=board_of(league, variant, rated),
        lines=lines,
        leader=_leader(lines, league.versions),
        scale=_scale(lines),
        heat=cross_rows([line.version_id for line in lines], met) if met else [],
        past=past,
        earlier=_earlier(rated, past),
        events=events[::-1],
        played=sum(details.played for details in events),
        behind=max((line.strength_behind for line in lines), default=0),
    )


def verdict(chance: float) -> str:
    """Say in a word whether a bot is really better than the next."""
    return "yes" if chance >= SURE else "probably" if chance >= PROBABLE else "open"


def _leader(lines: Sequence[LeaderboardRow], versions: Mapping[int, Version]) -> str:
    known = [line for line in lines if line.chance_first is not None]
    if not known:
        return ""
    best = max(known, key=lambda line: line.chance_first or 0.0)
    chance = f"{best.chance_first:.0%}".replace("%", " %")
    name = versions[best.version_id]
    if (best.chance_first or 0.0) >= SURE:
        return f"{name} is the strongest, with a chance of {chance}."
    return f"It is open who is the strongest: {name} has the best chance, {chance}."


def _scale(lines: Iterable[LeaderboardRow]) -> tuple[float, float]:
    ends = [
        end
        for line in lines
        if line.strength is not None and line.strength_error is not None
        for end in (line.strength - line.strength_error, line.strength + line.strength_error)
    ]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    return low, (high - low) or 1.0


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
        found[line.version_id] = Movement(
            " ".join(_NO_RATING if score is None else f"{score:.2f}" for score in own_scores),
            " ".join(_NO_RATING if rank is None else str(rank) for rank in own_ranks),
            _moved(own_scores[0], round(line.score, 2), 2) if past else "",
            _moved(own_ranks[0], line.rank, 0, sign=-1) if past else "",
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
    variant = details.board.variant
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
            for effect in league.seats_of_variants.get(variant.id, [])
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
