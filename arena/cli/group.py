"""How are commands found, and how do they fail?

A command is imported when it is used: the help and a leaderboard are to be there at once. It fails
with one sentence and the right exit code, 1 for no and 2 for asked wrong.
"""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from typing import Any

import click
import click.shell_completion

from arena.errors import ArenaError


class _No(click.ClickException):
    exit_code = 1


class _AskedWrong(click.ClickException):
    exit_code = 2


class ArenaGroup(click.Group):
    """A group of commands that turns our errors, and the system's, into sentences."""

    commands_there: dict[str, tuple[str, str]]
    """For each command the module that has it, under its own name, and what it does."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order in which one needs them."""
        return list(self.commands_there)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.commands_there:
            return None
        module, _ = self.commands_there[cmd_name]
        command: click.Command = getattr(import_module(module), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is meant; for a wrong word, name the one that is near."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            name = error.command_name
            raise click.NoSuchCommand(name, possibilities=self.commands_there, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what there is, without importing it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in self.commands_there.items()])

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Complete the name of a command, without importing it, or of an option."""
        return [
            click.shell_completion.CompletionItem(name, help=what)
            for name, (_, what) in self.commands_there.items()
            if name.startswith(incomplete)
        ] + click.Command.shell_complete(self, ctx, incomplete)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, with our errors and the system's as click's."""
        try:
            return super().invoke(ctx)
        except ArenaError as error:
            failure = _AskedWrong if error.exit_code == 2 else _No
            raise failure(_fit_for_a_terminal(str(error))) from error
        except OSError as error:
            # Whoever has closed the pipe that we write to knows that.
            if error.errno == errno.EPIPE:
                raise
            _drop_what_cannot_be_written()
            what = error.strerror or str(error)
            told = f"{error.filename}: {what}" if error.filename else what
            raise _No(_fit_for_a_terminal(told)) from error


def _drop_what_cannot_be_written() -> None:
    """Keep Python from trying, and failing, once more when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fit_for_a_terminal(text: str) -> str:
    """Keep a text's lines and nothing else that moves a cursor: names in it may be anybody's."""
    # Imported late, like the commands: an error is the exception.
    from arena.replays.story import plain

    return "\n".join(map(plain, text.split("\n")))
