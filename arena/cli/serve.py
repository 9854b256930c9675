"""The commands for a league that others submit to: `serve`, `author`, `season` and `backup`."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from arena.cli.group import Subgroup
from arena.cli.options import number_option
from arena.cli.options.league import db_option, now, reading, writing_bots
from arena.cli.terminal.output import say
from arena.cli.terminal.tables import format_options, show_rows
from arena.errors import BadInput, LeagueNotWritten
from arena.text import plain
from leaderboard.authors import (
    AUTHOR,
    ROLES,
    add_author,
    all_authors,
    bots_of,
    invite,
    rename_author,
    replace_tokens,
    revoke_author,
)
from leaderboard.seasons import all_seasons, request_close

_EXTRA = "pip install 'arena-league[serve]'"
_CONFIG = Path("league.toml")


@click.command()
@click.argument(
    "config", type=click.Path(path_type=Path, dir_okay=False), default=_CONFIG, required=False
)
@click.option("--init", "is_new", is_flag=True, help="Write the file CONFIG, with comments.")
def serve(config: Path, is_new: bool) -> None:
    """Serve a league that others submit to, and play it.

    CONFIG describes it; default: league.toml. Matches are played for as long as this runs. Ctrl-C,
    or a kill, loses nothing: the next start goes on where this one stopped.

    Example: arena serve --init
    """
    missing = [name for name in ("fastapi", "uvicorn", "multipart") if find_spec(name) is None]
    if missing:
        raise BadInput(f"this needs {', '.join(missing)}, which is not installed: {_EXTRA}")
    # Imported late: FastAPI is an extra, and takes most of a second.
    from arena.serve.config import TEMPLATE
    from arena.serve.server import serve as serve_league

    if not is_new:
        serve_league(config, say=lambda text: say(text, err=True))
        return
    try:
        with config.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(file=config))
    except FileExistsError:
        raise BadInput(f"{config} already exists: remove it first, or name another file") from None
    say(plain(f"wrote {config}: edit it, then run `arena serve {config}`"))


@click.group(cls=Subgroup, invoke_without_command=True)
@db_option
@format_options
@click.pass_context
def author(ctx: click.Context, db: Path, as_json: bool, as_csv: bool) -> None:
    """List the people who may submit to a league, and add some.

    Example: arena author
    """
    if ctx.invoked_subcommand:
        return
    with reading(db) as store:
        rows = [
            each._asdict() | {"author": each.name, "bots": " ".join(bots_of(store, each.id))}
            for each in all_authors(store)
        ]
    _show(rows, "author role added revoked bots", as_json=as_json, as_csv=as_csv)


@author.command()
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default=AUTHOR,
    show_default=True,
    help="An organiser also sees the submissions of all others, with the bots' output.",
)
@db_option
def add(name: str, role: str, db: Path) -> None:
    """Add an author and print their token, once.

    Example: arena author add ada
    """
    with writing_bots(db) as writer:
        token = add_author(writer, name, role=role, now=now())
    _print_token(name, token)


@author.command()
@click.argument("name")
@db_option
def token(name: str, db: Path) -> None:
    """Print a new token of an author, and end the old ones.

    An author who was revoked may then submit again.

    Example: arena author token ada
    """
    with writing_bots(db, create=False) as writer:
        _print_token(name, replace_tokens(writer, name, now=now()))


def _print_token(name: str, token: str) -> None:
    say(plain(f"the token of {name}, which is shown only now:"), err=True)
    say(token)


@author.command()
@click.argument("name")
@db_option
def revoke(name: str, db: Path) -> None:
    """End the tokens of an author; their bots play on.

    Example: arena author revoke ada
    """
    with writing_bots(db, create=False) as writer:
        revoke_author(writer, name, now=now())
    say(plain(f"{name} may not submit any more; `arena bots retire` ends their bots"))


@author.command()
@click.argument("name")
@click.argument("new")
@db_option
def rename(name: str, new: str, db: Path) -> None:
    """Give an author another name; bots and tokens stay theirs.

    Example: arena author rename ada countess
    """
    with writing_bots(db, create=False) as writer:
        rename_author(writer, name, new)
    say(plain(f"{name} is now called {new}"))


@author.command("invite")
@number_option("--days", most=365, default=14, help="Days for which they can be used.")
@number_option("--count", most=1000, default=1, help="How many links.")
@db_option
def invite_author(days: int, count: int, db: Path) -> None:
    """Print invitations: links with which someone takes a name.

    Whoever opens one chooses a name and gets a token, once. Put the address of the league before
    them.

    Example: arena author invite --count 30
    """
    with writing_bots(db) as writer:
        for _ in range(count):
            say(f"/join/{invite(writer, now=now(), days=days)}")


@click.group(cls=Subgroup, invoke_without_command=True)
@db_option
@format_options
@click.pass_context
def season(ctx: click.Context, db: Path, as_json: bool, as_csv: bool) -> None:
    """List the seasons of a league, or close one.

    Example: arena season
    """
    if ctx.invoked_subcommand:
        return
    with reading(db) as store:
        rows = [
            each._asdict()
            | {"season": each.name, "finals": " ".join(final["event"] for final in each.board)}
            for each in all_seasons(store)
        ]
    _show(rows, "season opened closed finals", as_json=as_json, as_csv=as_csv)


def _show(rows: list[dict[str, Any]], columns: str, *, as_json: bool, as_csv: bool) -> None:
    keys = columns.split()
    shown = [{key: row[key] for key in keys} for row in rows]
    show_rows(shown, dict(zip(keys, keys, strict=True)), as_json=as_json, as_csv=as_csv)


@season.command()
@click.argument("next_name", metavar="NEXT")
@db_option
def close(next_name: str, db: Path) -> None:
    """Close the open season with a final, and open the season NEXT.

    The ladders end after their rounds, the final is played on fresh deals by the bots as they are,
    and its standings are kept. `arena serve` does this, now or when it is started again.

    Example: arena season close autumn
    """
    with writing_bots(db, create=False) as writer:
        closing = request_close(writer, next_name)
    say(plain(f"{closing.name} ends with its final; then {next_name} is opened"))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@db_option
def backup(file: Path, db: Path) -> None:
    """Copy the league to a file, even while it is served.

    FILE gets one consistent state; it takes the place of an earlier copy.
    It has the secrets of events that are not over, so keep it private.

    Example: arena backup monday.db
    """
    partial = file.with_name(f"{file.name}.{os.getpid()}.half")
    with reading(db):
        try:
            os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            source = sqlite3.connect(f"{db.absolute().as_uri()}?mode=ro", uri=True)
            with closing(source), closing(sqlite3.connect(partial)) as copy:
                source.backup(copy)
            partial.replace(file)
        except (OSError, sqlite3.Error) as error:
            raise LeagueNotWritten(f"{file} cannot be written: {error}") from None
        finally:
            partial.unlink(missing_ok=True)
    say(plain(f"{file}: {file.stat().st_size:,} bytes; check it with `arena verify --db {file}`"))
