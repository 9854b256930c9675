"""Which bots has the league, and how did each of them do?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.db import db_option, now, reading, writing
from arena.cli.tables import format_options, show
from arena.errors import BadInput, UnknownName, did_you_mean
from arena.house import house_bots
from arena.manifest import read_manifest
from arena.replays.story import plain
from leaderboard.boards import faults_by_bot, leaderboard
from leaderboard.bots import Version, all_versions
from leaderboard.bots import retire as retire_bot
from leaderboard.store import Reader


@click.group(invoke_without_command=True)
@db_option
@format_options
@click.pass_context
def bots(ctx: click.Context, db: Path, as_json: bool, as_csv: bool) -> None:
    """List the bots of the league, and the house bots.

    House bots need not be submitted.

    Example: arena bots
    """
    if ctx.invoked_subcommand:
        if as_json or as_csv:
            raise BadInput(f"--json and --csv belong after `bots {ctx.invoked_subcommand}`")
        return
    rows: list[dict[str, Any]] = []
    if db.exists():
        with reading(db) as store:
            newest = {version.bot: version for version in all_versions(store)}
        rows += [_described(version) for version in newest.values()]
    known = {row["bot"] for row in rows}
    for name, folder in house_bots().items():
        if name not in known:
            games = " ".join(read_manifest(folder).games)
            rows.append({"bot": name, "version": None, "games": games, "submitted": "house bot"})
            rows[-1] |= {"retired": None, "files": None, "bytes": None, "hash": None}
    headings = {"bot": "bot", "version": "version", "games": "games", "submitted": "submitted"}
    show(rows, {**headings, "retired": "retired"}, as_json=as_json, as_csv=as_csv)


def _described(version: Version) -> dict[str, Any]:
    return {
        "bot": version.bot,
        "version": version.number,
        "games": " ".join(version.games),
        "submitted": version.submitted,
        "retired": version.retired,
        "files": version.files,
        "bytes": version.size,
        "hash": version.hash,
    }


@bots.command("show")
@click.argument("name")
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
def show_bot(name: str, db: Path, as_json: bool) -> None:
    """Show a bot's versions, its games, its record and its faults.

    Example: arena bots show kitten
    """
    with reading(db) as store:
        _check_name(store, name)
        versions = [_described(version) for version in all_versions(store, name)]
        record = [line._asdict() for line in leaderboard(store) if line.bot == name]
        faults = [line._asdict() for line in faults_by_bot(store, name)]
    if as_json:
        show([{"versions": versions, "record": record, "faults": faults}], {}, as_json=True)
        return
    headings = {"version": "version", "games": "games", "submitted": "submitted"}
    headings |= {"retired": "retired", "bytes": "bytes", "hash": "hash"}
    show(versions, headings, written={"hash": lambda digest: digest[:12]})
    if record:
        click.echo()
        columns = {"version": "version", "game": "game", "variant": "variant", "rank": "rank"}
        columns |= {"score": "rating", "matches": "matches", "wins": "wins"}
        columns |= {"mean_place": "mean place", "faults": "faults"}
        show(record, columns, written={"score": "{:.2f}".format, "mean_place": "{:.2f}".format})
    if faults:
        click.echo()
        columns = {"version": "version", "game": "game", "ending": "fault", "faults": "times"}
        columns |= {"last_event": "last in", "last_match": "match", "last_sentence": "what it was"}
        show(faults, columns)


def _check_name(reader: Reader, name: str) -> None:
    """Refuse a bot that the league has not; a house bot may be meant."""
    here, house = {version.bot for version in all_versions(reader)}, house_bots()
    if name in here:
        return
    if name in house:
        raise UnknownName(f"{name} is a house bot that has not played in this league yet")
    raise UnknownName(f"no bot is called {name!r}: {did_you_mean(name, sorted({*here, *house}))}")


@bots.command()
@click.argument("name")
@db_option
def retire(name: str, db: Path) -> None:
    """Let a bot, or one version of it, play no more unless asked for.

    NAME@2 is the second version: that is also how one is asked for. What it has played stays.

    Example: arena bots retire kitten@1
    """
    with writing(db, create=False) as writer:
        _check_name(writer, name.partition("@")[0])
        retired = retire_bot(writer, name, now=now())
    told = ", ".join(map(str, retired)) or "nothing: it was retired before"
    click.echo(plain(f"retired {told}"))
