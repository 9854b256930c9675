"""The option `--yes`, and the question that it answers."""

from __future__ import annotations

import sys

import click

from arena.errors import BadInput
from arena.text import plain

yes_option = click.option("-y", "--yes", is_flag=True, help="Do not ask.")


def confirm(what: str, *, yes: bool) -> None:
    """Ask whether to do something; without a terminal, only `--yes` answers."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise BadInput(f"{what}? Add --yes to confirm")
    click.confirm(plain(f"{what}?"), abort=True, err=True)
