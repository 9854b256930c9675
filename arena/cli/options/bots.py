"""Options that name bots, several at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from arena.cli.options.completion import complete_bots
from arena.cli.terminal.values import NameList


def bots_option(flag: str, what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what adds an option for the names of bots to a command."""
    return click.option(
        flag, type=NameList(), metavar="NAME,...", shell_complete=complete_bots, help=what
    )
