"""The tables of `arena leaderboard`: columns and colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.api.rows import with_estimates
from arena.cli.terminal.columns import Row, headings_of, with_version
from arena.cli.terminal.intervals import with_intervals
from arena.cli.terminal.tables import print_tables
from arena.submission.lookup import house_bots
from leaderboard.queries.leaderboards import LeaderboardRow, verdict

BOARD = headings_of(
    *("rank", "bot", "score", "interval", "ranks", "better_than_next", "matches", "faults"),
)
WHOLE_BOARD = headings_of(
    *("rank", "bot", "score", "mu", "sigma", "estimate", "ranks", "chance_first", "chance_next"),
    *("matches", "wins", "mean_place", "faults", "changed", "history"),
)
MODELS_BOARD = headings_of(
    *("rank", "bot", "points", "interval", "ranks", "matches", "mean_place", "faults"),
)
_OPTIONAL = (
    *("changed", "history", "mean_place", "sigma", "mu", "wins"),
    *("chance_next", "chance_first", "score", "matches", "better_than_next"),
)
"""Columns omitted, in this order, where the terminal is too narrow."""


def board_row(line: LeaderboardRow) -> Row:
    """Return a line as tables show it: the leader and the user's own bots have colours."""
    row = with_version(with_estimates(line._asdict()))
    colour = "green" if line.rank == 1 else None if line.bot in house_bots() else "cyan"
    chance = line.chance_next
    return {"colour": colour, **row, "better_than_next": "" if chance is None else verdict(chance)}


def by_variant(lines: Iterable[LeaderboardRow]) -> dict[str, list[LeaderboardRow]]:
    """Group lines by game and variant, which are the title of their table."""
    boards: dict[str, list[LeaderboardRow]] = {}
    for line in lines:
        boards.setdefault(f"{line.game}, {line.variant}", []).append(line)
    return boards


def print_boards(lines: Sequence[LeaderboardRow], *, whole: bool = False) -> None:
    """Print leaderboards, with all columns if they are `whole`."""
    headings = WHOLE_BOARD if whole else BOARD
    drawn = {
        title: with_intervals([board_row(line) for line in board], headings)
        for title, board in by_variant(lines).items()
    }
    print_tables(drawn, headings, _OPTIONAL)


def no_matches(game_id: str | None) -> str:
    """Say that there is nothing to show."""
    return f"no matches{f' of {game_id}' if game_id else ''} yet: try `arena event run`"
