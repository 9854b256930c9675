"""Run commands as a user would type them."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from arena.cli import main


def arena(*words: object, typed: str | None = None) -> Result:
    """Run a command; `typed` goes to its standard input."""
    return CliRunner().invoke(main, list(map(str, words)), input=typed)


def arena_on(db: Path, *words: str) -> Result:
    """Run a command on a league as a user would type it."""
    return arena(*words, "--db", db)
