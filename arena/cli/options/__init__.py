"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from math import inf
from typing import Any

import click

from arena.cli.terminal.values import Number

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
"""What adds options to a command, which has arguments of many types."""


def number_option(
    *names: str,
    least: float = 1,
    most: float = inf,
    whole: bool = True,
    above: bool = False,
    default: float | None = None,
    help: str,
    **more: Any,
) -> Decorator:
    """Return an option for a number within limits; its help shows the default."""
    kind = Number(least, most, whole=whole, above=above)
    shown = {"show_default": default is not None} | more
    return click.option(*names, type=kind, default=default, help=help, **shown)


def add_options(
    *options: Decorator, packed: dict[str, Callable[..., Any]] | None = None
) -> Decorator:
    """Return what adds options to a command, in this order.

    Options that are parameters of a function in `packed` are passed to it, and the command gets
    what it returns as one argument.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for name, make in (packed or {}).items():
            command = _pack(command, name, make)
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _pack(command: Callable[..., Any], name: str, make: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def wrapper(*args: Any, **values: Any) -> Any:
        parts = {part: values.pop(part) for part in signature(make).parameters}
        return command(*args, **values, **{name: make(**parts)})

    # Its parameters are the options, not those of the command.
    del wrapper.__dict__["__wrapped__"]
    return wrapper
