"""Options of commands that play matches with workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from arena.referee.clock import CORES
from arena.workers.pool import DEFAULT_TABLES


def worker_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--jobs`, `--tables` and `--quiet` to a command."""
    jobs = click.option(
        "--jobs",
        type=click.IntRange(1, 256),
        default=CORES,
        show_default="number of cores",
        help="Number of worker processes.",
    )
    tables = click.option(
        "--tables",
        type=click.IntRange(1, 1024),
        default=DEFAULT_TABLES,
        show_default=True,
        help="Matches that each worker plays at once.",
    )
    quiet = click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
    return jobs(tables(quiet(command)))
