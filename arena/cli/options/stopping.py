"""The options `--for`, `--until-sure` and `--error`, which say when an event ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from arena.cli.terminal.values import BoundedFloat
from arena.tournament.spec import DEFAULT_ERROR, MAX_ERROR, WHOLE_ORDER


def stopping_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command."""
    duration = click.option(
        "--for",
        "duration",
        metavar="TIME",
        help="For a ladder: begin no round after this time, such as 90m or 2h.",
    )
    until_sure = click.option(
        "--until-sure",
        is_flag=False,
        flag_value=WHOLE_ORDER,
        type=click.IntRange(min=0),
        metavar="[TOP]",
        help="End when the first TOP places are known; without TOP, when the whole order is.",
    )
    error = click.option(
        "--error",
        type=BoundedFloat(0, MAX_ERROR, min_open=True),
        help=f"Probability that what --until-sure knows is false; default {DEFAULT_ERROR}.",
    )
    return duration(until_sure(error(command)))
