"""Leaderboards as pages show them: lines, rating curves and crosstables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.indices import VersionId
from arena.pages.site.curves import Chart, chart_of
from arena.pages.site.data import LeagueData, variant_title
from leaderboard.queries.leaderboards import LeaderboardRow, Variant
from leaderboard.result import HeadToHead

CURVES = 24
"""Maximum number of curves in a chart: eight colours, each solid, dashed and dotted."""
CROSSTABLE = 40
"""Maximum number of bots in a crosstable."""


class Board(NamedTuple):
    """A leaderboard with its curves."""

    variant: Variant
    title: str
    lines: list[LeaderboardRow]
    chart: Chart | None
    shown: list[LeaderboardRow]
    """The versions that have curves, in the order of the legend."""


class CrossRow(NamedTuple):
    """A row of a crosstable."""

    version: VersionId
    cells: list[HeadToHead | None]
    """Its results against the version of each row."""


def board_of(league: LeagueData, variant: Variant, lines: list[LeaderboardRow]) -> Board:
    """Return a leaderboard with the curves of its first lines."""
    shown = lines[:CURVES]
    histories = [league.histories[line.variant_id, line.version_id] for line in shown]
    chart = chart_of(histories) if histories else None
    return Board(variant, variant_title(variant), lines, chart, shown)


def cross_rows(
    versions: Sequence[VersionId], met: Mapping[tuple[VersionId, VersionId], HeadToHead]
) -> list[CrossRow]:
    """Return the results of the first of these versions against each other."""
    first = versions[:CROSSTABLE]
    return [CrossRow(one, [met.get((one, other)) for other in first]) for one in first]
