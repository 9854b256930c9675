"""The command `arena leaderboard`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from arena.api.rows import with_estimates
from arena.cli.event.tables import print_models
from arena.cli.leaderboard.boards import (
    BOARD,
    MODELS_BOARD,
    WHOLE_BOARD,
    by_variant,
    no_matches,
    print_boards,
)
from arena.cli.options.completion import complete_game, complete_variant
from arena.cli.options.league import db_option, reading
from arena.cli.terminal.columns import (
    MOST_OPPONENTS,
    Row,
    explain_option,
    matrix_of,
    print_legend,
    with_version,
)
from arena.cli.terminal.intervals import with_intervals
from arena.cli.terminal.output import say
from arena.cli.terminal.tables import format_options, print_tables, show_rows
from arena.errors import UnknownName, did_you_mean
from arena.games.registry import game_named
from arena.text import plain, quantity
from arena.tournament.standing import models_standings
from leaderboard.collusion.cycles import cycle_sentences
from leaderboard.queries.accounts import model_accounts
from leaderboard.queries.leaderboards import HeadToHeadRow, LeaderboardRow, variants
from leaderboard.queries.leaderboards import head_to_head as meetings_of
from leaderboard.queries.leaderboards import leaderboard as standings_of
from leaderboard.store import Reader
from leaderboard.strength.words import never_compared


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
    "--by",
    type=click.Choice(("strength", "rating")),
    default="strength",
    show_default=True,
    help="Rank bots by strength, or by TrueSkill's rating.",
)
@click.option(
    "--models", is_flag=True, help="Show the events with language models, which change no rating."
)
@click.option("--all", "is_whole", is_flag=True, help="Show all columns.")
@explain_option
@db_option
@format_options
def leaderboard(
    game_id: str | None,
    variant: str | None,
    head_to_head: bool,
    by: str,
    models: bool,
    is_whole: bool,
    is_explained: bool,
    db: Path,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show the ratings for one game or for all games.

    Bots are ranked by strength, which does not depend on the order of the matches; its 95 %
    interval is drawn. Ranks are those that the results leave open. The rating is TrueSkill's
    conservative one, μ - 3σ.

    Example: arena leaderboard meow
    """
    if game_id is not None:
        game_named(game_id)
    if models:
        _show_models(db, game_id, variant, as_json=as_json, as_csv=as_csv)
        return
    with reading(db) as store:
        if variant is not None:
            _check_variant(store, game_id, variant)
        lines = standings_of(store, game_id, by_rating=by == "rating")
        met = meetings_of(store, game_id) if head_to_head else []
        tested = {line.variant_id for line in lines} if head_to_head else set()
        beyond = {each: cycle_sentences(store, each) for each in tested}
    lines = [line for line in lines if variant in (None, line.variant)]
    met = [line for line in met if variant in (None, line.variant)]
    if as_json or as_csv:
        rows: list[Row] = [line._asdict() for line in lines]
        if head_to_head:
            rows = [{"game": each.game, "variant": each.variant, **each.columns()} for each in met]
        show_rows(rows, {}, as_json=as_json, as_csv=as_csv)
    elif not lines:
        say(no_matches(game_id))
    elif head_to_head:
        _print_matrices(lines, met, beyond)
    else:
        print_boards(lines, whole=is_whole)
        for sentence in never_compared(lines):
            say(f"{plain(sentence)}\n")
        _warn_of_old_strengths(lines)
        if is_explained:
            print_legend(WHOLE_BOARD if is_whole else BOARD)


def _show_models(
    db: Path, game_id: str | None, variant: str | None, *, as_json: bool, as_csv: bool
) -> None:
    """Print how language models and the bots beside them did, by strength, and what they cost."""
    with reading(db) as store:
        found = [
            (f"{event.game} {event.variant}", standing)
            for event, standing in models_standings(store, game_id)
            if variant in (None, event.variant)
        ]
        accounts = [account for account in model_accounts(store) if game_id in (None, account.game)]
    rows: list[Row] = [
        {"variant": title, **row} for title, standing in found for row in standing.rows()
    ]
    if as_json or as_csv:
        show_rows(rows, {}, as_json=as_json, as_csv=as_csv)
        return
    if not found:
        say("no language model has played an event yet: enter one as llm:NAME")
    for title, standing in found:
        say(title)
        shown: list[Row] = [with_version(with_estimates(row)) for row in standing.rows()]
        show_rows(with_intervals(shown, MODELS_BOARD), MODELS_BOARD)
    print_models(accounts)


def _check_variant(reader: Reader, game_id: str | None, name: str) -> None:
    """Raise an error if no event has had this variant."""
    played = [each.name for each in variants(reader) if game_id in (None, each.game)]
    if name not in played:
        hint = did_you_mean(name, sorted(set(played))) if played else no_matches(game_id)
        raise UnknownName(f"no event has had the variant {name!r}: {hint}")


def _print_matrices(
    lines: Sequence[LeaderboardRow],
    met: Sequence[HeadToHeadRow],
    beyond: Mapping[int, Sequence[str]],
) -> None:
    """Print for each variant what share of their matches each bot finished ahead of each other.

    `beyond` says by variant what that means, where strengths do not.
    """
    shares = {
        (each.variant_id, each.version_id, each.opponent_id): float(each.result.share)
        for each in met
    }
    for title, board in by_variant(lines).items():
        ids = [line.version_id for line in board[:MOST_OPPONENTS]]
        variant = board[0].variant_id
        matrix = [[shares.get((variant, one, other)) for other in ids] for one in ids]
        names = [f"{line.bot}@{line.version}" for line in board[:MOST_OPPONENTS]]
        rows, headings = matrix_of(names, matrix)
        print_tables({title: rows}, headings)
        for sentence in beyond[variant]:
            say(plain(sentence))
        say()
    say("Percentage of their matches in which the bot of a line finished ahead; a tie counts half.")


def _warn_of_old_strengths(lines: Sequence[LeaderboardRow]) -> None:
    for title, board in by_variant(lines).items():
        if behind := board[0].strength_behind:
            last = quantity(behind, "match", "matches")
            say(plain(f"{title}: the strengths do not count the last {last} yet."), err=True)
