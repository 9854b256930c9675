"""The options that say which deals are played, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from arena.secret import Secret

_OPEN = "open deals: anybody who knows the {} can compute every deal"


def deal_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `--seed` and `--secret`."""
    seed = click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="NUMBER",
        help="Deal from a number, for experiments: anybody can compute these deals.",
    )
    secret = click.option(
        "--secret",
        metavar="HEX",
        help="Deal from the secret of an earlier run, to repeat it exactly.",
    )
    return seed(secret(command))


def repeating(secret: Secret) -> dict[str, str | int | None]:
    """Return what repeats a run, for a JSON document."""
    return {"seed": secret.seed, "secret": secret.key.hex()}


def warn_of_open_deals(secret: Secret) -> None:
    """Say so if somebody may know the deals."""
    if secret.is_open:
        what = "secret" if secret.seed is None else "seed"
        click.echo(f"warning: {_OPEN.format(what)}", err=True)
