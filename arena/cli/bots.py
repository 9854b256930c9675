"""The commands `arena bots`, `bots show`, `bots retire`, `bots return` and `bots export`."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from arena.api.find_bots import league_bots
from arena.api.rows import with_estimates
from arena.cli.group import Subgroup
from arena.cli.options.completion import complete_league_bot
from arena.cli.options.league import confirm, db_option, now, reading, writing_bots, yes_option
from arena.cli.terminal.columns import (
    ACCOUNTS,
    ACCOUNTS_OPTIONAL,
    explain_option,
    headings_of,
    print_legend,
    with_version,
)
from arena.cli.terminal.output import say
from arena.cli.terminal.tables import format_options, show_rows
from arena.errors import BadInput, UnknownName, did_you_mean
from arena.submission.lookup import find_entrant, house_bots
from arena.submission.manifest import read_manifest
from arena.submission.package import pack_folder, unpack
from arena.text import plain
from arena.tournament.accounts import account_rows
from leaderboard.bots import Version, all_versions, bring_back
from leaderboard.bots import retire as retire_bot
from leaderboard.queries.accounts import accounts_of
from leaderboard.queries.faults import faults_by_bot
from leaderboard.queries.leaderboards import leaderboard
from leaderboard.store import Reader

_RECORD = headings_of(
    *("bot", "game", "variant", "rank", "score", "estimate", "ranks", "matches", "wins"),
    *("mean_place", "faults"),
)


@click.group(cls=Subgroup, invoke_without_command=True)
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
            rows[-1] |= dict.fromkeys(("title", "retired", "files", "bytes", "hash", "author"))
    headings = _version_headings(rows, "retired")
    shown = rows if as_json or as_csv else [with_version(row) for row in rows]
    show_rows(shown, headings, as_json=as_json, as_csv=as_csv)


def _version_document(version: Version) -> dict[str, Any]:
    return {
        "bot": version.bot,
        "version": version.number,
        "title": version.title or None,
        "games": " ".join(version.games),
        "submitted": version.submitted,
        "retired": version.retired,
        "files": version.files,
        "bytes": version.size,
        "hash": version.hash,
        "author": version.author or None,
    }


def _version_headings(rows: list[dict[str, Any]], *more: str) -> dict[str, str]:
    """Return the columns of versions; few leagues ask for authors."""
    author = ["author"] * any(row["author"] for row in rows)
    return headings_of("bot", "games", "submitted", *more, *author)


@bots.command("show")
@click.argument("name", shell_complete=complete_league_bot)
@db_option
@explain_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def show_bot(name: str, db: Path, is_explained: bool, as_json: bool) -> None:
    """Show a bot's versions, games, results, use of time, and faults.

    Example: arena bots show kitten
    """
    with reading(db) as store:
        _check_name(store, name)
        versions = [_version_document(version) for version in all_versions(store, name)]
        record = [line._asdict() for line in leaderboard(store) if line.bot == name]
        accounts = account_rows(store, accounts_of(store, bot=name))
        faults = [line._asdict() for line in faults_by_bot(store, name)]
    if as_json:
        document = {"versions": versions, "record": record, "accounts": accounts, "faults": faults}
        show_rows([document], {}, as_json=True)
        return
    shown = [{**with_version(row), "hash": row["hash"][:12]} for row in versions]
    show_rows(shown, _version_headings(versions, "retired", "bytes", "hash"))
    if record:
        say()
        show_rows(
            [with_version(with_estimates(line)) for line in record],
            _RECORD,
            optional=("mean_place", "faults", "wins"),
        )
    if accounts:
        say()
        used = [with_version(row) for row in accounts]
        show_rows(used, ACCOUNTS, optional=ACCOUNTS_OPTIONAL)
    if faults:
        say()
        columns = headings_of("bot", "game", "ending", "faults", "last_event")
        columns |= {"faults": "count", "last_match": "match", "last_sentence": "details"}
        show_rows([with_version(row) for row in faults], columns)
    if is_explained:
        print_legend(_RECORD, ACCOUNTS)


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

    Retiring a house bot must be confirmed, or use --yes.

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
        say(plain(f"{name} was already retired"))
        return
    say(plain(f"retired {versions}; `arena bots return {name}` brings it back"))


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
    say(plain(f"returned {versions}" if versions else f"{name} is not retired"))


@bots.command("export")
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path))
@db_option
def export_bot(name: str, folder: Path, db: Path) -> None:
    """Unpack a version of a bot into a new folder.

    NAME is a house bot, or a bot of the league: its newest version that is not retired, NAME@2 its
    second. The files are the submitted ones, byte for byte.

    Example: arena bots export kitten@1 kitten-1
    """
    if os.path.lexists(folder):
        raise BadInput(f"{folder} already exists: name a new folder")
    if not os.path.isdir(folder.parent):
        raise BadInput(f"there is no folder {folder.parent} to create {folder.name} in")
    house = house_bots()
    with ExitStack() as stack:
        league = league_bots(db, stack)
        found = find_entrant(name, league, house)
        if isinstance(found, Version):
            unpack(league.package(found), folder, expected=found.hash)
        else:
            packed = pack_folder(house[found])
            unpack(packed.blob, folder, expected=packed.hash)
    say(plain(f"{found} is in {folder}"))
