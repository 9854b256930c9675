"""Run commands as a user would type them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from arena.cli import main


def arena(*words: object, typed: str | None = None) -> Result:
    """Run a command; `typed` goes to its standard input."""
    return CliRunner().invoke(main, list(map(str, words)), input=typed)


def arena_on(db: Path, *words: str) -> Result:
    """Run a command on a league as a user would type it."""
    return arena(*words, "--db", db)


def json_on(db: Path, *words: str) -> Any:
    """Return what a command prints about a league with `--json`."""
    return json.loads(arena_on(db, *words, "--json").stdout)


def printed(result: Result) -> str:
    """Return what a command printed that succeeded."""
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(result: Result) -> str:
    """Return the message of a command that was a usage error."""
    assert result.exit_code == 2, result.output
    return result.stderr
