"""The tables of `arena leaderboard`: columns, colours, and the frames of --watch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from arena.api.rows import with_estimates
from arena.cli.terminal.columns import Row, headings_of, with_version
from arena.cli.terminal.intervals import with_intervals
from arena.cli.terminal.styling import wrap_lines
from arena.cli.terminal.tables import print_tables, screen_lines
from arena.cli.terminal.watching import Frame, poll_changes
from arena.submission.lookup import house_bots
from leaderboard.queries.leaderboards import LeaderboardRow, verdict
from leaderboard.queries.leaderboards import leaderboard as standings_of
from leaderboard.store import Reader

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
_WATCHED = headings_of("rank", "moved", *list(BOARD)[1:3], "gained", *list(BOARD)[3:]) | {
    "moved": "",
    "gained": "",
}


def board_row(line: LeaderboardRow) -> Row:
    """Return a line as tables show it: the leader and the user's own bots have colours."""
    row = with_version(with_estimates(line._asdict()))
    colour = "green" if line.rank == 1 else None if line.bot in house_bots() else "cyan"
    chance = line.chance_next
    return {"colour": colour, **row, "better_than_next": "" if chance is None else verdict(chance)}


def title_of(line: LeaderboardRow) -> str:
    """Return the title of the table that has this line."""
    return f"{line.game}, {line.variant}"


def by_variant(lines: Iterable[LeaderboardRow]) -> dict[str, list[LeaderboardRow]]:
    """Group lines by game and variant, which are the title of their table."""
    boards: dict[str, list[LeaderboardRow]] = {}
    for line in lines:
        boards.setdefault(title_of(line), []).append(line)
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


def leaderboard_frames(
    reader: Reader, game_id: str | None, variant: str | None, *, by_rating: bool
) -> Iterator[Frame | None]:
    """Yield the boards whenever they change, with changes marked."""
    before: list[LeaderboardRow] = []
    for number, is_changed in enumerate(poll_changes(reader)):
        now = standings_of(reader, game_id, by_rating=by_rating) if is_changed else before
        now = [line for line in now if variant in (None, line.variant)]
        if number and now == before:
            yield None
        elif now:
            marked = mark_changes(now, before)
            boards: dict[str, list[Row]] = {}
            for line, row in zip(now, marked, strict=True):
                boards.setdefault(title_of(line), []).append(row)
            yield partial(_watched_lines, boards)
        else:
            yield partial(wrap_lines, [no_matches(game_id)])
        before = now


def _watched_lines(boards: Mapping[str, Sequence[Row]], columns: int) -> list[str]:
    drawn = {title: with_intervals(board, _WATCHED, columns) for title, board in boards.items()}
    return screen_lines(drawn, _WATCHED, columns, _OPTIONAL)


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
        }
        moved = {"colour": "green" if is_new or up > 0 else "red"} if is_new or up else {}
        rows.append({**board_row(line), **marks, **moved})
    return rows


def _key(line: LeaderboardRow) -> tuple[str, str, str, int]:
    return line.game, line.variant, line.bot, line.version


def _arrow(up: float, amount: str) -> str:
    return f"↑{amount}" if up > 0 else f"↓{amount}" if up < 0 else ""
