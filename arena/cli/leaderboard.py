"""The command `arena leaderboard`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from arena.cli.options.league import db_option, reading
from arena.cli.terminal.tables import (
    Row,
    columns_that_fit,
    format_options,
    print_hidden_columns,
    show_rows,
    sparkline,
    table_lines,
)
from arena.cli.terminal.watching import Frame, every_option, poll_changes, watch
from arena.errors import BadInput
from arena.games.registry import game_named
from arena.text import plain
from leaderboard.queries import HeadToHeadRow, LeaderboardRow
from leaderboard.queries import head_to_head as meetings_of
from leaderboard.queries import leaderboard as standings_of
from leaderboard.store import Reader

_BOARD = {
    "rank": "rank",
    "bot": "bot",
    "version": "version",
    "score": "rating",
    "mu": "μ",
    "sigma": "σ",
    "matches": "matches",
    "wins": "wins",
    "mean_place": "mean place",
    "faults": "faults",
    "changed": "last change",
    "history": "history",
}
_OPTIONAL = ("changed", "history", "mean_place", "sigma", "mu")
"""Columns omitted, in this order, where the terminal is too narrow."""
_WATCHED = {
    "rank": "rank",
    "moved": "",
    "bot": "bot",
    "version": "v",
    "score": "rating",
    "gained": "",
    "sigma": "σ",
    "matches": "matches",
    "wins": "wins",
    "faults": "faults",
    "mean_place": "place",
    "history": "history",
}
"""The most important columns come first: a narrow terminal cuts off the rest."""
_MEETINGS = {
    "bot": "bot",
    "version": "version",
    "opponent": "opponent",
    "opponent_version": "version",
    "matches": "matches",
    "ahead": "ahead",
    "tied": "tied",
    "behind": "behind",
    "share": "share",
}
_FORMATS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("score", "mu", "sigma", "mean_place"), "{:.2f}".format),
    "share": "{:.0%}".format,
    "history": sparkline,
}


@click.command()
@click.argument("game_id", metavar="[GAME]", required=False)
@click.option(
    "--head-to-head", is_flag=True, help="Show the results of each bot against each of the others."
)
@click.option(
    "--watch", "is_watched", is_flag=True, help="Keep the table up to date and mark changes."
)
@every_option
@db_option
@format_options
def leaderboard(
    game_id: str | None,
    head_to_head: bool,
    is_watched: bool,
    every_s: float,
    db: Path,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show the ratings for one game or for all games.

    Bots are ranked by their conservative rating, μ - 3σ. --watch follows a running event until you
    press Ctrl-C.

    Example: arena leaderboard meow
    """
    if game_id is not None:
        game_named(game_id)
    if is_watched and (head_to_head or as_json or as_csv):
        raise BadInput("--watch cannot be used with --head-to-head, --json or --csv")
    with reading(db) as store:
        if is_watched:
            watch(_frames(store, game_id), every_s=every_s)
            return
        rows: list[Row] = (
            [_meeting_columns(line) for line in meetings_of(store, game_id)]
            if head_to_head
            else [line._asdict() for line in standings_of(store, game_id)]
        )
    if as_json or as_csv:
        show_rows(rows, {}, as_json=as_json, as_csv=as_csv)
    elif rows:
        if head_to_head:
            _print_by_variant(rows, _MEETINGS)
        else:
            _print_by_variant(rows, _BOARD, _OPTIONAL)
    else:
        click.echo(_no_matches(game_id))


def _meeting_columns(line: HeadToHeadRow) -> Row:
    columns = line._asdict()
    result = columns.pop("result")
    counts = {"matches": result.matches, **result._asdict(), "share": float(result.share)}
    return columns | counts


def print_boards(reader: Reader) -> None:
    """Print the leaderboards of all games."""
    _print_by_variant([line._asdict() for line in standings_of(reader)], _BOARD, _OPTIONAL)


def _no_matches(game_id: str | None) -> str:
    return f"no matches{f' of {game_id}' if game_id else ''} yet: try `arena event run`"


def _print_by_variant(
    rows: Sequence[Row], headings: Mapping[str, str], optional: Sequence[str] = ()
) -> None:
    kept = columns_that_fit(list(_by_variant(rows).values()), headings, _FORMATS, optional)
    for line in _lines_by_variant(rows, kept):
        click.echo(line)
    print_hidden_columns(headings, kept)


def _by_variant(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    boards: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        boards.setdefault((row["game"], row["variant"]), []).append(row)
    return boards


def _lines_by_variant(rows: Sequence[Row], headings: Mapping[str, str]) -> list[str]:
    lines: list[str] = []
    for (game, variant), board in _by_variant(rows).items():
        title, *others = table_lines(board, headings, _FORMATS)
        blank = [""] if lines else []
        lines += [*blank, click.style(plain(f"{game}, {variant}"), bold=True), title]
        for row, line in zip(board, others, strict=True):
            colour = row.get("colour")
            lines.append(click.style(line, fg=colour) if colour else line)
    return lines


def _frames(reader: Reader, game_id: str | None) -> Iterator[Frame | None]:
    """Yield the boards whenever they change, with changes marked."""
    before: list[LeaderboardRow] = []
    for number, is_changed in enumerate(poll_changes(reader)):
        now = standings_of(reader, game_id) if is_changed else before
        if number and now == before:
            yield None
        elif now:
            yield _lines_by_variant(_mark_changes(now, before), _WATCHED)
        else:
            yield [_no_matches(game_id)]
        before = now


def _mark_changes(now: Sequence[LeaderboardRow], before: Sequence[LeaderboardRow]) -> list[Row]:
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
        rows.append(line._asdict() | marks)
    return rows


def _key(line: LeaderboardRow) -> tuple[str, str, str, int]:
    return line.game, line.variant, line.bot, line.version


def _arrow(up: float, amount: str) -> str:
    return f"↑{amount}" if up > 0 else f"↓{amount}" if up < 0 else ""
