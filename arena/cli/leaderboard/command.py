"""The command `arena leaderboard`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from arena.api.rows import with_estimates
from arena.cli.leaderboard.boards import by_variant, leaderboard_frames, no_matches, ordered
from arena.cli.options.completion import complete_game, complete_variant
from arena.cli.options.league import db_option, reading
from arena.cli.terminal.columns import (
    Row,
    explain_option,
    headings_of,
    print_legend,
    with_version,
)
from arena.cli.terminal.output import say
from arena.cli.terminal.tables import format_options, print_tables, show_rows
from arena.cli.terminal.watching import every_option, watch
from arena.errors import BadInput, UnknownName, did_you_mean
from arena.games.registry import game_named
from arena.text import plain, quantity
from leaderboard.queries.leaderboards import head_to_head as meetings_of
from leaderboard.queries.leaderboards import leaderboard as standings_of
from leaderboard.queries.leaderboards import variants
from leaderboard.store import Reader

_BOARD = headings_of(
    *("rank", "bot", "score", "mu", "sigma", "estimate", "ranks", "chance_first", "chance_next"),
    *("matches", "wins", "mean_place", "faults", "changed", "history"),
)
_OPTIONAL = (
    *("changed", "history", "mean_place", "sigma", "mu"),
    *("chance_next", "chance_first", "wins"),
)
"""Columns omitted, in this order, where the terminal is too narrow."""
_MEETINGS = headings_of("bot", "opponent", "matches", "ahead", "tied", "behind", "share")


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
            watch(leaderboard_frames(store, game_id, variant, order), every_s=every_s)
            return
        rows: list[Row] = (
            [
                {"game": line.game, "variant": line.variant, **line.columns()}
                for line in meetings_of(store, game_id)
            ]
            if head_to_head
            else [line._asdict() for line in ordered(standings_of(store, game_id), order)]
        )
        rows = [row for row in rows if variant in (None, row["variant"])]
    if as_json or as_csv:
        show_rows(rows, {}, as_json=as_json, as_csv=as_csv)
    elif rows:
        if head_to_head:
            print_tables(by_variant([_with_both_versions(row) for row in rows]), _MEETINGS)
        else:
            _print_boards(rows)
        if is_explained:
            print_legend(_MEETINGS if head_to_head else _BOARD)
    else:
        say(no_matches(game_id))


def _check_variant(reader: Reader, game_id: str | None, name: str) -> None:
    """Raise an error if no event has had this variant."""
    played = [each.name for each in variants(reader) if game_id in (None, each.game)]
    if name not in played:
        hint = did_you_mean(name, sorted(set(played))) if played else no_matches(game_id)
        raise UnknownName(f"no event has had the variant {name!r}: {hint}")


def _with_both_versions(row: Row) -> Row:
    return with_version(with_version(row), "opponent", "opponent_version")


def print_boards(reader: Reader) -> None:
    """Print the leaderboards of all games."""
    _print_boards([line._asdict() for line in standings_of(reader)])


def _print_boards(rows: Sequence[Row]) -> None:
    boards = by_variant([with_version(with_estimates(row)) for row in rows])
    print_tables(boards, _BOARD, _OPTIONAL)
    for title, board in boards.items():
        if behind := board[0]["strength_behind"]:
            last = quantity(behind, "match", "matches")
            say(plain(f"{title}: the strengths do not count the last {last} yet."), err=True)
