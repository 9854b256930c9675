"""The order of leaderboards, and the frames of `arena leaderboard --watch`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from arena.api.rows import with_estimates
from arena.cli.terminal.columns import Row, headings_of, with_version
from arena.cli.terminal.styling import wrap_lines
from arena.cli.terminal.tables import screen_lines
from arena.cli.terminal.watching import Frame, poll_changes
from leaderboard.queries.leaderboards import LeaderboardRow
from leaderboard.queries.leaderboards import leaderboard as standings_of
from leaderboard.store import Reader

_WATCHED = headings_of(
    *("rank", "moved", "bot", "score", "gained", "estimate", "ranks", "matches", "wins", "faults"),
    *("sigma", "mean_place", "history"),
) | {"moved": "", "gained": "", "mean_place": "place"}
_WATCHED_OPTIONAL = ("mean_place", "sigma", "ranks", "wins", "history", "matches", "faults")
"""Columns omitted, in this order, where the terminal is too narrow."""


def ordered(lines: list[LeaderboardRow], order: str) -> list[LeaderboardRow]:
    """Rank the bots of each variant by strength, if asked to; bots without one come last."""
    if order == "trueskill":
        return lines
    boards: dict[int, list[LeaderboardRow]] = {}
    for line in lines:
        boards.setdefault(line.variant_id, []).append(line)
    return [
        line._replace(rank=rank)
        for board in boards.values()
        for rank, line in enumerate(
            sorted(board, key=lambda each: each.strength_rank or len(lines) + each.rank), start=1
        )
    ]


def by_variant(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Group rows by game and variant, which are the title of their table."""
    boards: dict[str, list[Row]] = {}
    for row in rows:
        boards.setdefault(f"{row['game']}, {row['variant']}", []).append(row)
    return boards


def no_matches(game_id: str | None) -> str:
    """Say that there is nothing to show."""
    return f"no matches{f' of {game_id}' if game_id else ''} yet: try `arena event run`"


def leaderboard_frames(
    reader: Reader, game_id: str | None, variant: str | None, order: str
) -> Iterator[Frame | None]:
    """Yield the boards whenever they change, with changes marked."""
    before: list[LeaderboardRow] = []
    for number, is_changed in enumerate(poll_changes(reader)):
        now = ordered(standings_of(reader, game_id), order) if is_changed else before
        now = [line for line in now if variant in (None, line.variant)]
        if number and now == before:
            yield None
        elif now:
            yield partial(_watched_lines, mark_changes(now, before))
        else:
            yield partial(wrap_lines, [no_matches(game_id)])
        before = now


def _watched_lines(rows: Sequence[Row], columns: int) -> list[str]:
    return screen_lines(by_variant(rows), _WATCHED, columns, _WATCHED_OPTIONAL)


def mark_changes(now: Sequence[LeaderboardRow], before: Sequence[LeaderboardRow]) -> list[Row]:
    """Mark changes of rank and rating, and new bots; the first board has no marks."""
    known = {_key(line): line for line in before}
    rows: list[Row] = []
    for line in now:
        old = known.get(_key(line), line)
        up = old.rank - line.rank
        is_new = bool(before) and _key(line) not in known
        marks = {
            "moved": "new" if is_new else _arrow(up, str(abs(up))),
            "gained": _arrow(line.score - old.score, f"{abs(line.score - old.score):.2f}"),
            "colour": "green" if is_new or up > 0 else "red" if up < 0 else None,
        }
        rows.append(with_version(with_estimates(line._asdict() | marks)))
    return rows


def _key(line: LeaderboardRow) -> tuple[str, str, str, int]:
    return line.game, line.variant, line.bot, line.version


def _arrow(up: float, amount: str) -> str:
    return f"↑{amount}" if up > 0 else f"↓{amount}" if up < 0 else ""
