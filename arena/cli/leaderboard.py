"""Who is best?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from arena.cli.db import db_option, reading
from arena.cli.tables import (
    Row,
    fitting,
    format_options,
    show,
    sparkline,
    table_lines,
    tell_missing,
)
from arena.cli.watching import Picture, changes, every_option, watch
from arena.errors import BadInput
from arena.games.registry import game_named
from arena.replays.story import plain
from leaderboard.boards import Standing
from leaderboard.boards import head_to_head as meetings_of
from leaderboard.boards import leaderboard as standings_of
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
    "history": "course",
}
_SPARE = ("changed", "history", "mean_place", "sigma", "mu")
"""What a narrow window does without."""
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
    "history": "course",
}
"""What matters most comes first: a narrow terminal does not show the rest."""
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
_WRITTEN: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("score", "mu", "sigma", "mean_place"), "{:.2f}".format),
    "share": "{:.0%}".format,
    "history": sparkline,
}


@click.command()
@click.argument("game_id", metavar="[GAME]", required=False)
@click.option("--head-to-head", is_flag=True, help="Show how everybody did against everybody.")
@click.option("--watch", "is_watched", is_flag=True, help="Go on, and mark what changes.")
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
    """Show the ratings of a game, or of all.

    The conservative rating is μ - 3σ. With --watch it follows a running event until Ctrl-C, and
    marks what has changed since the last picture.

    Example: arena leaderboard meow
    """
    if game_id is not None:
        game_named(game_id)
    if is_watched and (head_to_head or as_json or as_csv):
        raise BadInput("--watch shows ratings to people: leave the other option out")
    with reading(db) as store:
        if is_watched:
            watch(_pictures(store, game_id), every_s=every_s)
            return
        lines = meetings_of(store, game_id) if head_to_head else standings_of(store, game_id)
    rows: list[Row] = [line._asdict() for line in lines]
    if as_json or as_csv:
        show(rows, {}, as_json=as_json, as_csv=as_csv)
    elif rows:
        if head_to_head:
            _show_by_variant(rows, _MEETINGS)
        else:
            _show_by_variant(rows, _BOARD, _SPARE)
    else:
        click.echo(_nobody(game_id))


def show_boards(reader: Reader) -> None:
    """Print the leaderboards of all games."""
    _show_by_variant([line._asdict() for line in standings_of(reader)], _BOARD, _SPARE)


def _nobody(game_id: str | None) -> str:
    return f"nobody has played {game_id or 'anything'} yet: try `arena event run`"


def _show_by_variant(
    rows: Sequence[Row], headings: Mapping[str, str], spare: Sequence[str] = ()
) -> None:
    kept = fitting(list(_by_variant(rows).values()), headings, _WRITTEN, spare)
    for line in _lines_by_variant(rows, kept):
        click.echo(line)
    tell_missing(headings, kept)


def _by_variant(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    boards: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        boards.setdefault((row["game"], row["variant"]), []).append(row)
    return boards


def _lines_by_variant(rows: Sequence[Row], headings: Mapping[str, str]) -> list[str]:
    lines: list[str] = []
    for (game, variant), board in _by_variant(rows).items():
        title, *others = table_lines(board, headings, _WRITTEN)
        blank = [""] if lines else []
        lines += [*blank, click.style(plain(f"{game}, {variant}"), bold=True), title]
        for row, line in zip(board, others, strict=True):
            colour = row.get("colour")
            lines.append(click.style(line, fg=colour) if colour else line)
    return lines


def _pictures(reader: Reader, game_id: str | None) -> Iterator[Picture | None]:
    """Yield the boards whenever they change, with what is new marked."""
    before: list[Standing] = []
    for number, is_changed in enumerate(changes(reader)):
        now = standings_of(reader, game_id) if is_changed else before
        if number and now == before:
            yield None
        elif now:
            yield _lines_by_variant(_marked(now, before), _WATCHED)
        else:
            yield [_nobody(game_id)]
        before = now


def _marked(now: Sequence[Standing], before: Sequence[Standing]) -> list[Row]:
    """Mark what has changed in rank and rating; where nothing was before, nothing is new."""
    known = {_who(line): line for line in before}
    rows: list[Row] = []
    for line in now:
        old = known.get(_who(line), line)
        up = old.rank - line.rank
        is_new = bool(before) and _who(line) not in known
        marks = {
            "moved": "new" if is_new else _arrow(up, str(abs(up))),
            "gained": _arrow(line.score - old.score, f"{abs(line.score - old.score):.2f}"),
            "colour": "green" if is_new or up > 0 else "red" if up < 0 else None,
        }
        rows.append(line._asdict() | marks)
    return rows


def _who(line: Standing) -> tuple[str, str, str, int]:
    return line.game, line.variant, line.bot, line.version


def _arrow(up: float, amount: str) -> str:
    return f"↑{amount}" if up > 0 else f"↓{amount}" if up < 0 else ""
