"""The options `--db` and `--yes`, and opening the league to read or change it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click
from click.core import ParameterSource

from arena.errors import BadInput
from arena.text import plain
from leaderboard.store import BotsWriter, Store, Writer


def _inherit_from_group(ctx: click.Context, option: click.Parameter, value: Path) -> Path:
    """Use the value given to the group: `arena bots --db FILE show NAME`."""
    group = ctx.parent
    if group and _is_given(group) and not _is_given(ctx):
        return Path(group.params["db"])
    return value


def _is_given(ctx: click.Context) -> bool:
    return ctx.get_parameter_source("db") is ParameterSource.COMMANDLINE


db_option = click.option(
    "--db",
    "db",
    callback=_inherit_from_group,
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("arena.db"),
    envvar="ARENA_DB",
    show_default=True,
    show_envvar=True,
    help="League file.",
)


def reading(db: Path) -> Store:
    """Open an existing league, for a `with` block."""
    return Store.open(db)


@contextmanager
def writing(db: Path, *, create: bool = True) -> Iterator[Writer]:
    """Open a league for writing; with `create`, create it if it does not exist."""
    with Store.open(db, create=create) as store, store.writing() as writer:
        yield writer


@contextmanager
def writing_bots(db: Path, *, create: bool = True) -> Iterator[BotsWriter]:
    """Open a league to submit or retire bots, even while an event runs."""
    with Store.open(db, create=create) as store, store.writing_bots() as writer:
        yield writer


def now() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)


yes_option = click.option("-y", "--yes", is_flag=True, help="Do not ask.")


def confirm(what: str, *, yes: bool) -> None:
    """Ask whether to do something; without a terminal, only `--yes` answers."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise BadInput(f"{what}? Add --yes to confirm")
    click.confirm(plain(f"{what}?"), abort=True, err=True)
