"""How are lists shown: as a table for people, as JSON or CSV for programs?"""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from arena.errors import BadInput
from arena.replays.story import plain

Row = Mapping[str, Any]
_BARS = "▁▂▃▄▅▆▇█"


def format_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `--json` and `--csv`, of which it takes one."""
    whats = {"as_json": "Print a JSON document.", "as_csv": "Print comma-separated values."}
    for name, what in reversed(whats.items()):
        flag = name.replace("as_", "--")
        command = click.option(flag, name, is_flag=True, callback=_alone, help=what)(command)
    return command


def _alone(ctx: click.Context, option: click.Parameter, value: bool) -> bool:
    # The one that was typed first is there already.
    if value and (ctx.params.get("as_json") or ctx.params.get("as_csv")):
        raise BadInput("either --json or --csv, not both")
    return value


def show(
    rows: Sequence[Row],
    headings: Mapping[str, str],
    *,
    as_json: bool = False,
    as_csv: bool = False,
    written: Mapping[str, Callable[[Any], str]] | None = None,
    spare: Sequence[str] = (),
) -> None:
    """Print rows. `headings` gives the columns of the table, `written` how values are shown.

    The columns named in `spare` are left out, one after the other, if a window is too narrow.
    """
    if as_json:
        click.echo(json.dumps([dict(row) for row in rows], indent=2, default=str))
    elif as_csv:
        click.echo(_csv(rows), nl=False)
    else:
        kept = fitting([rows], headings, written or {}, spare)
        for line in table_lines(rows, kept, written or {}):
            click.echo(line)
        tell_missing(headings, kept)


def fitting(
    tables: Sequence[Sequence[Row]],
    headings: Mapping[str, str],
    written: Mapping[str, Callable[[Any], str]],
    spare: Sequence[str],
) -> dict[str, str]:
    """Return the columns with which all tables fit into the window, if this is one."""
    kept = dict(headings)
    # A terminal that does not know its size says 0.
    room = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
    for name in spare:
        lines = (line for rows in tables for line in table_lines(rows, kept, written))
        if not room or all(columns_of(line) <= room for line in lines):
            break
        del kept[name]
    return kept


def tell_missing(headings: Mapping[str, str], kept: Mapping[str, str]) -> None:
    """Say what a wider window would show."""
    if missing := [heading for name, heading in headings.items() if name not in kept]:
        click.echo(f"A wider window also shows: {', '.join(missing)}.", err=True)


def _csv(rows: Sequence[Row]) -> str:
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        # It may be shown on a terminal, too.
        writer.writerows(
            {key: plain(value) if isinstance(value, str) else value for key, value in row.items()}
            for row in rows
        )
    return out.getvalue()


def table_lines(
    rows: Sequence[Row], headings: Mapping[str, str], written: Mapping[str, Callable[[Any], str]]
) -> list[str]:
    """Write rows as a table, its headings first."""
    cells = [
        [plain(written.get(key, _text)(row[key]).replace("\n", " ")) for key in headings]
        for row in rows
    ]
    numeric = [
        all(isinstance(row[key], int | float | None) for row in rows) and bool(rows)
        for key in headings
    ]
    table = [list(headings.values()), *cells]
    widths = [max(columns_of(line[column]) for line in table) for column in range(len(headings))]
    lines = []
    for line in table:
        padded = [
            _padded(cell, width, right=right)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return lines


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else str(value)


def columns_of(text: str) -> int:
    """Count the columns that a text takes on a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def _padded(text: str, width: int, *, right: bool) -> str:
    blank = " " * (width - columns_of(text))
    return blank + text if right else text + blank


def counted(number: int, word: str) -> str:
    """Write how many there are of something: no faults, 1 fault, 2 faults."""
    return f"{number or 'no'} {word}" + ("" if number == 1 else "s")


def sparkline(values: Sequence[float]) -> str:
    """Draw how a figure went, one character a value."""
    if not values:
        return ""
    low, high = min(values), max(values)
    steps = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((value - low) * steps)] for value in values)
