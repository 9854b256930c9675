"""Print rows as a table, as JSON or as CSV."""

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
from arena.text import plain

Row = Mapping[str, Any]
_BARS = "▁▂▃▄▅▆▇█"


def format_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--json` and `--csv`, which exclude each other, to a command."""
    help_texts = {"as_json": "Print as JSON.", "as_csv": "Print as CSV."}
    for name, what in reversed(help_texts.items()):
        flag = name.replace("as_", "--")
        command = click.option(flag, name, is_flag=True, callback=_refuse_both, help=what)(command)
    return command


def _refuse_both(ctx: click.Context, option: click.Parameter, value: bool) -> bool:
    # The option that came first is already in the parameters.
    if value and (ctx.params.get("as_json") or ctx.params.get("as_csv")):
        raise BadInput("use either --json or --csv, not both")
    return value


def show_rows(
    rows: Sequence[Row],
    headings: Mapping[str, str],
    *,
    as_json: bool = False,
    as_csv: bool = False,
    formats: Mapping[str, Callable[[Any], str]] | None = None,
    optional: Sequence[str] = (),
) -> None:
    """Print rows. `headings` are the columns of the table, and `formats` format their values.

    The `optional` columns are omitted, one after another, if the terminal is too narrow.
    """
    if as_json:
        click.echo(json.dumps([dict(row) for row in rows], indent=2, default=str))
    elif as_csv:
        click.echo(_csv(rows), nl=False)
    else:
        kept = columns_that_fit([rows], headings, formats or {}, optional)
        for line in table_lines(rows, kept, formats or {}):
            click.echo(line)
        print_hidden_columns(headings, kept)


def columns_that_fit(
    tables: Sequence[Sequence[Row]],
    headings: Mapping[str, str],
    formats: Mapping[str, Callable[[Any], str]],
    optional: Sequence[str],
) -> dict[str, str]:
    """Return the columns with which all tables fit into the terminal, if there is one."""
    kept = dict(headings)
    # A terminal of unknown size reports 0.
    width = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
    for name in optional:
        lines = (line for rows in tables for line in table_lines(rows, kept, formats))
        if not width or all(display_width(line) <= width for line in lines):
            break
        del kept[name]
    return kept


def print_hidden_columns(headings: Mapping[str, str], kept: Mapping[str, str]) -> None:
    """Name the columns that were omitted."""
    if missing := [heading for name, heading in headings.items() if name not in kept]:
        click.echo(f"Omitted columns (the terminal is too narrow): {', '.join(missing)}.", err=True)


def _csv(rows: Sequence[Row]) -> str:
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _csv_value(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _csv_value(value: Any) -> Any:
    """Return a value as CSV has it: a list with blanks between, a flag as true or false."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        # The output may go to a terminal.
        return plain(value)
    if isinstance(value, list | tuple):
        return " ".join(str(_csv_value(each)) for each in value)
    return value


def table_lines(
    rows: Sequence[Row], headings: Mapping[str, str], formats: Mapping[str, Callable[[Any], str]]
) -> list[str]:
    """Format rows as a table, headings first."""
    cells = [
        [plain(formats.get(key, _text)(row[key]).replace("\n", " ")) for key in headings]
        for row in rows
    ]
    numeric = [
        all(isinstance(row[key], int | float | None) for row in rows) and bool(rows)
        for key in headings
    ]
    table = [list(headings.values()), *cells]
    widths = [max(display_width(line[column]) for line in table) for column in range(len(headings))]
    lines = []
    for line in table:
        padded = [
            _pad(cell, width, right=right)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return lines


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def display_width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def _pad(text: str, width: int, *, right: bool) -> str:
    blank = " " * (width - display_width(text))
    return blank + text if right else text + blank


def sparkline(values: Sequence[float]) -> str:
    """Draw values as a sparkline, one character each."""
    if not values:
        return ""
    low, high = min(values), max(values)
    steps = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((value - low) * steps)] for value in values)
