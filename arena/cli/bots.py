"""The commands `arena bots`, `bots show`, `bots retire` and `bots return`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.options.completion import complete_league_bot
from arena.cli.options.confirmation import confirm, yes_option
from arena.cli.options.league import db_option, now, reading, writing_bots
from arena.cli.terminal.strengths import with_estimates
from arena.cli.terminal.tables import format_options, show_rows
from arena.errors import BadInput, UnknownName, did_you_mean
from arena.submission.house import house_bots
from arena.submission.manifest import read_manifest
from arena.text import plain
from leaderboard.bots import Version, all_versions, bring_back
from leaderboard.bots import retire as retire_bot
from leaderboard.queries import faults_by_bot, leaderboard
from leaderboard.result import seat_ending_words
from leaderboard.store import Reader


@click.group(invoke_without_command=True)
@db_option
@format_options
@click.pass_context
def bots(ctx: click.Context, db: Path, as_json: bool, as_csv: bool) -> None:
    """List the bots of the league and the house bots.

    House bots can play without being submitted.

    Example: arena bots
    """
    if ctx.invoked_subcommand:
        if as_json or as_csv:
            raise BadInput(f"put --json or --csv after `bots {ctx.invoked_subcommand}`")
        return
    rows: list[dict[str, Any]] = []
    if db.exists():
        with reading(db) as store:
            newest = {version.bot: version for version in all_versions(store)}
        rows += [_version_document(version) for version in newest.values()]
    known = {row["bot"] for row in rows}
    for name, folder in house_bots().items():
        if name not in known:
            games = " ".join(read_manifest(folder).games)
            rows.append({"bot": name, "version": None, "games": games, "submitted": "house bot"})
            rows[-1] |= {"retired": None, "files": None, "bytes": None, "hash": None}
            rows[-1] |= {"author": None}
    headings = {"bot": "bot", "version": "version", "games": "games", "submitted": "submitted"}
    headings |= {"retired": "retired"} | _author_heading(rows)
    show_rows(rows, headings, as_json=as_json, as_csv=as_csv)


def _version_document(version: Version) -> dict[str, Any]:
    return {
        "bot": version.bot,
        "version": version.number,
        "games": " ".join(version.games),
        "submitted": version.submitted,
        "retired": version.retired,
        "files": version.files,
        "bytes": version.size,
        "hash": version.hash,
        "author": version.author or None,
    }


def _author_heading(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Return the column of authors if any row has one: few leagues ask for them."""
    return {"author": "author"} if any(row["author"] for row in rows) else {}


@bots.command("show")
@click.argument("name", shell_complete=complete_league_bot)
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def show_bot(name: str, db: Path, as_json: bool) -> None:
    """Show a bot's versions, games, results and faults.

    Example: arena bots show kitten
    """
    with reading(db) as store:
        _check_name(store, name)
        versions = [_version_document(version) for version in all_versions(store, name)]
        record = [line._asdict() for line in leaderboard(store) if line.bot == name]
        faults = [line._asdict() for line in faults_by_bot(store, name)]
    if as_json:
        show_rows([{"versions": versions, "record": record, "faults": faults}], {}, as_json=True)
        return
    headings = {"version": "version", "games": "games", "submitted": "submitted"}
    headings |= {"retired": "retired", "bytes": "bytes", "hash": "hash"}
    headings |= _author_heading(versions)
    show_rows(versions, headings, formats={"hash": lambda digest: digest[:12]})
    if record:
        click.echo()
        columns = {"version": "version", "game": "game", "variant": "variant", "rank": "rank"}
        columns |= {"score": "rating", "estimate": "strength", "ranks": "ranks"}
        columns |= {"matches": "matches", "wins": "wins"}
        columns |= {"mean_place": "mean place", "faults": "faults"}
        show_rows(
            [with_estimates(line) for line in record],
            columns,
            formats={"score": "{:.2f}".format, "mean_place": "{:.2f}".format},
            optional=("mean_place", "faults", "wins"),
        )
    if faults:
        click.echo()
        columns = {"version": "version", "game": "game", "ending": "fault", "faults": "count"}
        columns |= {"last_event": "last event", "last_match": "match", "last_sentence": "details"}
        show_rows(faults, columns, formats={"ending": seat_ending_words})


def _check_name(reader: Reader, name: str) -> None:
    """Raise an error if the league does not have the bot; it may be a house bot."""
    in_league, house = {version.bot for version in all_versions(reader)}, house_bots()
    if name in in_league:
        return
    if name in house:
        raise UnknownName(f"{name} is a house bot that has not played in this league yet")
    raise UnknownName(f"no such bot: {name!r}; {did_you_mean(name, sorted({*in_league, *house}))}")


@bots.command()
@click.argument("name", shell_complete=complete_league_bot)
@yes_option
@db_option
def retire(name: str, yes: bool, db: Path) -> None:
    """Retire a bot or one of its versions from future events.

    NAME retires all versions, NAME@2 only the second. A retired version can still play if it is
    named with its number. Its results are kept. `arena bots return` brings it back.

    A house bot is retired only after a question, or with --yes.

    Example: arena bots retire kitten@1
    """
    with writing_bots(db, create=False) as writer:
        bot = name.partition("@")[0]
        _check_name(writer, bot)
        if bot in house_bots():
            confirm(f"{bot} is a house bot: retire {name} from this league", yes=yes)
        retired = retire_bot(writer, name, now=now())
    versions = ", ".join(map(str, retired))
    if not versions:
        click.echo(plain(f"{name} was already retired"))
        return
    click.echo(plain(f"retired {versions}; `arena bots return {name}` brings it back"))


@bots.command("return")
@click.argument("name", shell_complete=complete_league_bot)
@db_option
def return_bot(name: str, db: Path) -> None:
    """Bring a retired bot or one of its versions back.

    NAME brings back all versions, NAME@2 only the second. Ratings and results are as they were.

    Example: arena bots return kitten@1
    """
    with writing_bots(db, create=False) as writer:
        _check_name(writer, name.partition("@")[0])
        returned = bring_back(writer, name)
    versions = ", ".join(map(str, returned))
    click.echo(plain(f"returned {versions}" if versions else f"{name} is not retired"))
