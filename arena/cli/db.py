"""Which league is meant?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from leaderboard.store import Store, Writer


def db_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `--db`."""
    return click.option(
        "--db",
        "db",
        type=click.Path(path_type=Path, dir_okay=False),
        default=Path("arena.db"),
        envvar="ARENA_DB",
        show_default=True,
        show_envvar=True,
        help="The file of the league.",
    )(command)


@contextmanager
def reading(db: Path) -> Iterator[Store]:
    """Open a league that must be there."""
    with Store.open(db) as store:
        yield store


@contextmanager
def writing(db: Path) -> Iterator[Writer]:
    """Open a league to write, and start it if it is not there."""
    with Store.open(db, create=True) as store, store.writing() as writer:
        yield writer


def now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)
