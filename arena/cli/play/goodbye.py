"""Say goodbye to a person who leaves a match, and how to continue it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from arena.cli.terminal.output import say, say_command
from arena.secret import Secret

_REPLACED = ("seed", "secret", "moves")


def say_goodbye(reason: str, deals: Secret, moves: Sequence[str]) -> None:
    """Print why a match ended early, and the command that plays its moves again and goes on."""
    ctx = click.get_current_context()
    words = [*ctx.command_path.split(), *_words(ctx)]
    words += [f"--{word}" if not number else word for number, word in enumerate(str(deals).split())]
    if moves:
        words += ["--moves", ",".join(moves)]
    verb = "continue it" if moves else "start it again"
    say(f"Goodbye: {reason}. To {verb}, run:", err=True)
    say_command(words, err=True)


def _words(ctx: click.Context) -> Iterator[str]:
    """Yield the words of the command line, without the options that are replaced."""
    for parameter in ctx.command.params:
        name = parameter.name or ""
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE and name not in _REPLACED:
            value = ctx.params[name]
            if isinstance(parameter, click.Option):
                yield from _option_words(parameter, value)
            else:
                yield from map(str, value if isinstance(value, tuple) else (value,))


# An option's value is of the type that its callback returns, hence Any.


def _option_words(option: click.Option, value: Any) -> Iterator[str]:
    if isinstance(value, bool):
        yield (option.opts if value else option.secondary_opts)[0]
        return
    if isinstance(value, Mapping):
        value = tuple(f"{name}={number}" for name, number in value.items())
    for each in value if option.multiple else (value,):
        yield from (option.opts[0], str(each))
