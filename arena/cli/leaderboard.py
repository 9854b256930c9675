"""Who is best?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from arena.cli.db import db_option, reading
from arena.cli.tables import Row, format_options, show, sparkline
from arena.errors import UnknownGame, did_you_mean
from arena.games.registry import GAME_IDS
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


@click.command()
@click.argument("game_id", metavar="[GAME]", required=False)
@click.option("--head-to-head", is_flag=True, help="Show how everybody did against everybody.")
@db_option
@format_options
def leaderboard(
    game_id: str | None, head_to_head: bool, db: Path, as_json: bool, as_csv: bool
) -> None:
    """Show the ratings of a game, or of all: the conservative rating is μ - 3σ.

    Example: arena leaderboard meow
    """
    if game_id is not None and game_id not in GAME_IDS:
        raise UnknownGame(f"no game is called {game_id!r}: {did_you_mean(game_id, GAME_IDS)}")
    with reading(db) as store:
        lines = meetings_of(store, game_id) if head_to_head else standings_of(store, game_id)
    rows: list[Row] = [line._asdict() for line in lines]
    if as_json or as_csv:
        show(rows, {}, as_json=as_json, as_csv=as_csv)
    elif rows:
        _show_by_variant(rows, _MEETINGS if head_to_head else _BOARD)
    else:
        click.echo(f"nobody has played {game_id or 'anything'} yet: try `arena event run`")


def show_boards(reader: Reader) -> None:
    """Print the leaderboards of all games."""
    _show_by_variant([line._asdict() for line in standings_of(reader)], _BOARD)


def _show_by_variant(rows: Sequence[Row], headings: Mapping[str, str]) -> None:
    boards: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        boards.setdefault((row["game"], row["variant"]), []).append(row)
    for number, ((game, variant), board) in enumerate(boards.items()):
        if number:
            click.echo()
        click.echo(click.style(f"{game}, {variant}", bold=True))
        written: dict[str, Callable[[Any], str]] = {
            **dict.fromkeys(("score", "mu", "sigma", "mean_place"), "{:.2f}".format),
            "share": "{:.0%}".format,
            "history": sparkline,
        }
        show(board, headings, written=written)
