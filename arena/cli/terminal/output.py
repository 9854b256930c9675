"""Print text for people: wrapped between words where it goes to a terminal, as it is elsewhere."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from arena.cli.terminal.styling import wrap_lines


def columns_of(stream: Any) -> int:
    """Return the columns of a terminal; 0 for anything else, or if they are unknown."""
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except OSError:
        return 0


def is_full_terminal(*streams: Any) -> bool:
    """Tell whether these are a terminal on which a program can draw."""
    able = os.environ.get("TERM") not in ("dumb", "unknown", None)
    return able and all(stream.isatty() for stream in streams)


def say(text: str = "", *, err: bool = False, after: str = "") -> None:
    """Print a text; `after` is what the line already contains."""
    columns = columns_of(sys.stderr if err else sys.stdout)
    click.echo(wrapped(after + text, columns).removeprefix(after), err=err)


def print_json(document: Any) -> None:
    """Print a document for programs."""
    # Imported late: `arena --help` prints none.
    import json

    click.echo(json.dumps(document, indent=2, default=str))


def wrapped(text: str, columns: int) -> str:
    """Wrap the lines of a text between words; a word that is too long stays whole."""
    return "\n".join(wrap_lines(text.split("\n"), columns, break_words=False))
