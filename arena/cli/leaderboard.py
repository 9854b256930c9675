"""The command `arena leaderboard`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from arena.cli.options.completion import complete_game, complete_variant
from arena.cli.options.league import db_option, reading
from arena.cli.terminal.columns import explain_option, print_legend, with_version
from arena.cli.terminal.output import columns_of, say
from arena.cli.terminal.strengths import show_chance, with_estimates
from arena.cli.terminal.styling import wrap
from arena.cli.terminal.tables import (
    Row,
    columns_that_fit,
    format_options,
    hidden_columns,
    print_hidden_columns,
    show_rows,
    sparkline,
    table_lines,
)
from arena.cli.terminal.watching import Frame, every_option, poll_changes, watch
from arena.errors import BadInput, UnknownName, did_you_mean
from arena.games.registry import game_named
from arena.text import plain, quantity
from leaderboard.meetings import HeadToHeadRow
from leaderboard.meetings import head_to_head as meetings_of
from leaderboard.queries import LeaderboardRow, variants
from leaderboard.queries import leaderboard as standings_of
from leaderboard.store import Reader

_BOARD = {
    "rank": "rank",
    "bot": "bot",
    "score": "rating",
    "mu": "μ",
    "sigma": "σ",
    "estimate": "strength",
    "ranks": "ranks",
    "chance_first": "first",
    "chance_next": "> next",
    "matches": "matches",
    "wins": "wins",
    "mean_place": "mean place",
    "faults": "faults",
    "changed": "last change",
    "history": "history",
}
_OPTIONAL = (
    *("changed", "history", "mean_place", "sigma", "mu"),
    *("chance_next", "chance_first", "wins"),
)
"""Columns omitted, in this order, where the terminal is too narrow."""
_WATCHED = {
    "rank": "rank",
    "moved": "",
    "bot": "bot",
    "score": "rating",
    "gained": "",
    "estimate": "strength",
    "ranks": "ranks",
    "matches": "matches",
    "wins": "wins",
    "faults": "faults",
    "sigma": "σ",
    "mean_place": "place",
    "history": "history",
}
_WATCHED_OPTIONAL = ("mean_place", "sigma", "ranks", "wins", "history", "matches", "faults")
"""Columns omitted, in this order, where the terminal is too narrow."""
_MEETINGS = {
    "bot": "bot",
    "opponent": "opponent",
    "matches": "matches",
    "ahead": "ahead",
    "tied": "tied",
    "behind": "behind",
    "share": "share",
}
_FORMATS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("score", "mu", "sigma", "mean_place"), "{:.2f}".format),
    "share": "{:.0%}".format,
    **dict.fromkeys(("chance_first", "chance_next"), show_chance),
    "history": sparkline,
}


@click.command()
@click.argument("game_id", metavar="[GAME]", required=False, shell_complete=complete_game)
@click.option(
    "--variant",
    metavar="NAME",
    shell_complete=complete_variant,
    help="Show only this variant, as the leaderboard names it.",
)
@click.option(
    "--head-to-head", is_flag=True, help="Show the results of each bot against each of the others."
)
@click.option(
    "--order",
    type=click.Choice(("trueskill", "strength")),
    default="trueskill",
    show_default=True,
    help="Rank bots by TrueSkill or by strength.",
)
@click.option(
    "--watch", "is_watched", is_flag=True, help="Keep the table up to date and mark changes."
)
@every_option
@explain_option
@db_option
@format_options
def leaderboard(
    game_id: str | None,
    variant: str | None,
    head_to_head: bool,
    order: str,
    is_watched: bool,
    every_s: float,
    is_explained: bool,
    db: Path,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show the ratings for one game or for all games.

    Bots are ranked by TrueSkill's conservative rating, μ - 3σ. Beside it is their strength with a
    95 % interval, the ranks that this leaves open, and the chance to be first: it does not depend
    on the order of the matches. --watch follows a running event until you press Ctrl-C.

    Example: arena leaderboard meow
    """
    if game_id is not None:
        game_named(game_id)
    if is_watched and (head_to_head or as_json or as_csv):
        raise BadInput("--watch cannot be used with --head-to-head, --json or --csv")
    with reading(db) as store:
        if variant is not None:
            _check_variant(store, game_id, variant)
        if is_watched:
            watch(_frames(store, game_id, variant, order), every_s=every_s)
            return
        rows: list[Row] = (
            [_meeting_columns(line) for line in meetings_of(store, game_id)]
            if head_to_head
            else [line._asdict() for line in _ordered(standings_of(store, game_id), order)]
        )
        rows = [row for row in rows if variant in (None, row["variant"])]
    if as_json or as_csv:
        show_rows(rows, {}, as_json=as_json, as_csv=as_csv)
    elif rows:
        if head_to_head:
            _print_by_variant([_with_both_versions(row) for row in rows], _MEETINGS)
        else:
            _print_boards(rows)
        if is_explained:
            print_legend(_MEETINGS if head_to_head else _BOARD)
    else:
        say(_no_matches(game_id))


def _check_variant(reader: Reader, game_id: str | None, name: str) -> None:
    """Raise an error if no event has had this variant."""
    played = [each.name for each in variants(reader) if game_id in (None, each.game)]
    if name not in played:
        hint = did_you_mean(name, sorted(set(played))) if played else _no_matches(game_id)
        raise UnknownName(f"no event has had the variant {name!r}: {hint}")


def _ordered(lines: list[LeaderboardRow], order: str) -> list[LeaderboardRow]:
    """Rank the bots of each variant by strength, if so asked; those without one come last."""
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


def _meeting_columns(line: HeadToHeadRow) -> Row:
    columns = line._asdict()
    result = columns.pop("result")
    counts = {"matches": result.matches, **result._asdict(), "share": float(result.share)}
    return columns | counts


def _with_both_versions(row: Row) -> Row:
    return with_version(with_version(row), "opponent", "opponent_version")


def print_boards(reader: Reader) -> None:
    """Print the leaderboards of all games."""
    _print_boards([line._asdict() for line in standings_of(reader)])


def _print_boards(rows: Sequence[Row]) -> None:
    shown = [with_version(with_estimates(row)) for row in rows]
    _print_by_variant(shown, _BOARD, _OPTIONAL)
    for (game, variant), board in _by_variant(rows).items():
        if behind := board[0]["strength_behind"]:
            last = quantity(behind, "match", "matches")
            text = f"{game}, {variant}: the strengths do not count the last {last} yet."
            say(plain(text), err=True)


def _no_matches(game_id: str | None) -> str:
    return f"no matches{f' of {game_id}' if game_id else ''} yet: try `arena event run`"


def _print_by_variant(
    rows: Sequence[Row], headings: Mapping[str, str], optional: Sequence[str] = ()
) -> None:
    boards = list(_by_variant(rows).values())
    kept = columns_that_fit(boards, headings, _FORMATS, optional, columns_of(sys.stdout))
    for line in _lines_by_variant(rows, kept):
        say(line)
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


def _frames(
    reader: Reader, game_id: str | None, variant: str | None, order: str
) -> Iterator[Frame | None]:
    """Yield the boards whenever they change, with changes marked."""
    before: list[LeaderboardRow] = []
    for number, is_changed in enumerate(poll_changes(reader)):
        now = _ordered(standings_of(reader, game_id), order) if is_changed else before
        now = [line for line in now if variant in (None, line.variant)]
        if number and now == before:
            yield None
        elif now:
            yield partial(_watched_lines, _mark_changes(now, before))
        else:
            yield partial(_wrap_line, _no_matches(game_id))
        before = now


def _watched_lines(rows: Sequence[Row], columns: int) -> list[str]:
    """Return the boards for a screen, and a line that says what they leave out."""
    boards = list(_by_variant(rows).values())
    kept = columns_that_fit(boards, _WATCHED, _FORMATS, _WATCHED_OPTIONAL, columns)
    missing = hidden_columns(_WATCHED, kept)
    note = [click.style(line, dim=True) for line in wrap(missing, columns)] if missing else []
    return [*_lines_by_variant(rows, kept), *note]


def _wrap_line(text: str, columns: int) -> list[str]:
    return wrap(text, columns) if columns else [text]


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
        rows.append(with_version(with_estimates(line._asdict() | marks)))
    return rows


def _key(line: LeaderboardRow) -> tuple[str, str, str, int]:
    return line.game, line.variant, line.bot, line.version


def _arrow(up: float, amount: str) -> str:
    return f"↑{amount}" if up > 0 else f"↓{amount}" if up < 0 else ""
