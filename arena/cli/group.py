"""A click group that imports commands when they are used, and reports errors.

`arena --help` imports no command, so that it answers at once. An error is printed as one sentence;
the exit code is 1 for a failure and 2 for a usage error.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import IO, Any

import click
import click.shell_completion

from arena.cli.options import Decorator, add_options
from arena.errors import ArenaError

_LEAST_HELP = 28
"""Columns for what an option means."""
_LONGEST_SUMMARY = 200
_HYPHEN = "\u2011"
"""Stands for a hyphen until lines are broken: names and options contain hyphens."""


class _Formatter(click.HelpFormatter):
    """Click's formatter for terminals of any width: it breaks no words, and no lines below 50."""

    def __init__(self, width: int | None = None, max_width: int | None = None) -> None:
        """Use the width of the terminal, at most 80 columns unless another maximum is given."""
        columns = min(shutil.get_terminal_size().columns, max_width or 80)
        super().__init__(width=width or columns - 2)

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write options and what they mean, which needs some room."""
        whole = [(first, second.replace("-", _HYPHEN)) for first, second in rows]
        super().write_dl(whole, min(col_max, max(4, self.width - _LEAST_HELP)), col_spacing)

    def write_text(self, text: str) -> None:
        """Write a paragraph, which click would also break after hyphens."""
        super().write_text(text.replace("-", _HYPHEN))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage as one line, which is wrapped at the end."""
        self.write(f"Usage: {prog} {args}\n")

    def getvalue(self) -> str:
        """Return the text; wrap the lines that click leaves as they are."""
        from arena.cli.terminal.output import wrapped

        return wrapped(super().getvalue().replace(_HYPHEN, "-"), self.width + 2)


class _Context(click.Context):
    formatter_class = _Formatter


class SectionedCommand(click.Command):
    """A command that lists its options in sections; see `section`."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those without a section last."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            if isinstance(option, click.Option) and (record := option.get_help_record(ctx)):
                title = getattr(option, "section", "Other options")
                sections.setdefault(title, []).append(record)
        for title in sorted(sections, key="Other options".__eq__):
            with formatter.section(title):
                formatter.write_dl(sections[title])


def section(title: str, *options: Decorator) -> Decorator:
    """Return what adds options to a command, listed together below a title."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        before = len(getattr(command, "__click_params__", ()))
        command = add_options(*options)(command)
        for option in getattr(command, "__click_params__", ())[before:]:
            option.section = title
        return command

    return decorate


class Subgroup(click.Group):
    """A group that lists its commands with the whole first sentence of their help."""

    def summaries(self, ctx: click.Context) -> list[tuple[str, str]]:
        """Return the commands and what they do, which click would cut."""
        return [
            (name, self.commands[name].get_short_help_str(_LONGEST_SUMMARY))
            for name in self.list_commands(ctx)
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(self.summaries(ctx))


class ArenaGroup(Subgroup):
    """A group that imports commands lazily and prints errors as sentences."""

    context_class = _Context
    sections: Mapping[str, Sequence[str]]
    """The titles of the sections in which its commands are listed, with their names."""
    lazy_commands: dict[str, tuple[str, str]]
    """The module of each command, which defines it under the same name, and its short help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order that a user needs them."""
        return list(self.lazy_commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.lazy_commands:
            return None
        module, _ = self.lazy_commands[cmd_name]
        command: click.Command = getattr(import_module(f"arena.cli.{module}"), cmd_name)
        for each in (command, *getattr(command, "commands", {}).values()):
            each.context_class = _Context
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; suggest similar ones if there is none of that name."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            name = error.command_name
            raise click.NoSuchCommand(name, possibilities=self.lazy_commands, ctx=ctx) from None

    def summaries(self, ctx: click.Context) -> list[tuple[str, str]]:
        """Return the commands and what they do, without importing them."""
        return [(name, what) for name, (_, what) in self.lazy_commands.items()]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in sections, with one column for all names."""
        widest = max(map(len, self.lazy_commands))
        for title, names in self.sections.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(f"{name:<{widest}}", self.lazy_commands[name][1]) for name in names]
                )

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Complete commands, without importing them, and options."""
        return [
            click.shell_completion.CompletionItem(name, help=what)
            for name, what in self.summaries(ctx)
            if name.startswith(incomplete)
        ] + click.Command.shell_complete(self, ctx, incomplete)

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Parse the options of `arena` itself."""
        with _wrapped_errors():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; turn our errors and the system's into click's."""
        with _wrapped_errors():
            return self._invoke(ctx)

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ArenaError as error:
            # The exit codes are 2 and 1.
            failure = click.UsageError if error.exit_code == 2 else click.ClickException
            raise failure(_printable(str(error))) from error
        except OSError as error:
            # The reader closed the pipe: click exits quietly.
            if error.errno == errno.EPIPE:
                raise
            _discard_unwritable_output()
            what = error.strerror or str(error)
            text = f"{error.filename}: {what}" if error.filename else what
            raise click.ClickException(_printable(text)) from error


@contextmanager
def _wrapped_errors() -> Iterator[None]:
    """Wrap what errors print between words, if it goes to a terminal."""
    try:
        yield
    except click.ClickException as error:
        show = error.show

        def show_wrapped(file: IO[Any] | None = None) -> None:
            # Imported late: only errors need it.
            from arena.cli.terminal.output import columns_of, wrapped

            written = io.StringIO()
            show(written)
            text = wrapped(written.getvalue(), columns_of(sys.stderr))
            click.echo(text, err=True, nl=False)

        error.show = show_wrapped  # type: ignore[method-assign]
        raise


def _discard_unwritable_output() -> None:
    """Keep Python from flushing again, and failing again, at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _printable(text: str) -> str:
    """Replace control characters except line breaks: the text may quote untrusted names."""
    # Imported late: only errors need it.
    from arena.text import plain

    return "\n".join(map(plain, text.split("\n")))
