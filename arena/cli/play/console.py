"""Where a person plays: on a terminal with a board that stays in place, or through pipes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import click

from arena.cli.terminal.output import is_full_terminal
from arena.cli.terminal.signals import end_on_signal
from arena.games.layout import WIDTH

Text = Callable[[int], str]
"""Writes a text, of several lines, for a number of columns."""
Complete = Callable[[str], Sequence[str]]
"""Returns what a typed text may become."""


class Console(Protocol):
    """What a person sees and types."""

    def say(self, text: str) -> None:
        """Add to what has happened."""

    def show(self, board: Text, choices: Text, complete: Complete) -> None:
        """Show the table and the choices of the next question, in place of the last."""

    def watch(self, board: Text) -> None:
        """Show the table while others play."""

    def note(self, text: Text) -> None:
        """Answer what was typed, until something else is typed."""

    def ask(self, prompt: str) -> str | None:
        """Return a typed line; None at the end of the input."""

    def hand_over(self, name: str) -> None:
        """Hide everything until this person sits at the keyboard."""


class PlainConsole:
    """Reads lines from standard input and prints everything below what came before."""

    def __init__(self, *, to_stderr: bool) -> None:
        """Print to standard output, or to standard error."""
        self._to_stderr = to_stderr

    def say(self, text: str) -> None:
        """Print a text."""
        click.echo(text, err=self._to_stderr)

    def show(self, board: Text, choices: Text, complete: Complete) -> None:
        """Print the table and the choices."""
        self.say(f"\n{board(WIDTH)}\n\n{choices(WIDTH)}")

    def watch(self, board: Text) -> None:
        """Do nothing: what has happened is enough, and the table is printed with the question."""

    def note(self, text: Text) -> None:
        """Print an answer."""
        self.say(text(WIDTH))

    def ask(self, prompt: str) -> str | None:
        """Print the prompt, and read a line."""
        click.echo(prompt, nl=False, err=self._to_stderr)
        line = sys.stdin.readline()
        if not line:
            self.say("")
        return line or None

    def hand_over(self, name: str) -> None:
        """Do nothing: nobody looks at a pipe."""


@contextmanager
def open_console(*, has_person: bool, to_stderr: bool) -> Iterator[Console]:
    """Use the terminal if there is one and a person plays; restore it afterwards."""
    stream = sys.stderr if to_stderr else sys.stdout
    if not has_person or not is_full_terminal(sys.stdin, stream):
        yield PlainConsole(to_stderr=to_stderr)
        return
    # Imported here: it takes as long as all the rest, and only people need it.
    from arena.cli.play.prompt import TerminalConsole

    console = TerminalConsole(stream)
    with end_on_signal():
        try:
            yield console
        finally:
            console.close()
