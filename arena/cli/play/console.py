"""Where a person plays: on a terminal with a board that stays in place, or through pipes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from arena.cli.terminal.output import is_full_terminal
from arena.cli.terminal.signals import end_on_signal
from arena.games.layout import WIDTH

Text = Callable[[int], str]
"""Writes a text, of several lines, for a number of columns."""
Complete = Callable[[str], Sequence[str]]
"""Returns the completions of a typed text."""


class Console:
    """What a person sees and types. This one reads standard input, and prints line below line."""

    def __init__(self, *, to_stderr: bool) -> None:
        """Print to standard output, or to standard error."""
        self._to_stderr = to_stderr

    def say(self, text: str) -> None:
        """Add to what has happened."""
        click.echo(text, err=self._to_stderr)

    def show(self, board: Text, choices: Text, complete: Complete) -> None:
        """Show the table and the choices of the next question, in place of the last."""
        self.say(f"\n{board(WIDTH)}\n\n{choices(WIDTH)}")

    def watch(self, board: Text) -> None:
        """Show the table while others play; here it is printed with the question only."""

    def note(self, text: Text) -> None:
        """Answer what was typed, until something else is typed."""
        self.say(text(WIDTH))

    def ask(self, prompt: str) -> str | None:
        """Return a typed line; None at the end of the input."""
        click.echo(prompt, nl=False, err=self._to_stderr)
        line = sys.stdin.readline()
        if not line:
            self.say("")
        return line or None

    def hand_over(self, name: str) -> None:
        """Hide everything until this person sits at the keyboard; nobody looks at a pipe."""


@contextmanager
def open_console(*, to_stderr: bool) -> Iterator[Console]:
    """Use the terminal if there is one; restore it afterwards."""
    stream = sys.stderr if to_stderr else sys.stdout
    if not is_full_terminal(sys.stdin, stream):
        yield Console(to_stderr=to_stderr)
        return
    # Imported here: it takes as long as all the rest, and only people need it.
    from arena.cli.play.prompt import TerminalConsole

    console = TerminalConsole(stream)
    with end_on_signal():
        try:
            yield console
        finally:
            console.close()
