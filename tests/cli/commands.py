"""Commands as a user would type them."""

from __future__ import annotations

from click.testing import CliRunner, Result

from arena.cli import main


def arena(*words: object, typed: str | None = None) -> Result:
    """Run a command; what is typed goes to its standard input."""
    return CliRunner().invoke(main, list(map(str, words)), input=typed)
