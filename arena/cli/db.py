"""Which league is meant?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from leaderboard.store import Store, Writer


def db_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `--db`."""
    return click.option(
        "--db",
        "db",
        callback=_meant,
        type=click.Path(path_type=Path, dir_okay=False),
        default=Path("arena.db"),
        envvar="ARENA_DB",
        show_default=True,
        show_envvar=True,
        help="The file of the league.",
    )(command)


def _meant(ctx: click.Context, option: click.Parameter, value: Path) -> Path:
    """Let `arena bots --db FILE show NAME` mean the same as `arena bots show NAME --db FILE`."""
    group = ctx.parent
    if group and _is_typed(group) and not _is_typed(ctx):
        return Path(group.params["db"])
    return value


def _is_typed(ctx: click.Context) -> bool:
    return ctx.get_parameter_source("db") is ParameterSource.COMMANDLINE


def reading(db: Path) -> Store:
    """Open a league that must be there, for a `with` block."""
    return Store.open(db)


@contextmanager
def writing(db: Path, *, create: bool = True) -> Iterator[Writer]:
    """Open a league to write; with `create`, start it if it is not there."""
    with Store.open(db, create=create) as store, store.writing() as writer:
        yield writer


def now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)
