"""Print rows as a table, as JSON or as CSV."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import click

from arena.cli.terminal.columns import COLUMNS, Row
from arena.cli.terminal.output import columns_of, say
from arena.cli.terminal.styling import display_width, wrap
from arena.errors import BadInput
from arena.text import plain

_ALWAYS = 2
"""Columns that are never omitted, from the left."""
_GAP = 2
"""Blanks between columns."""
_LEAST_WRAPPED = 16
"""Columns that a text has at least, if it is wrapped."""


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
    optional: Sequence[str] = (),
) -> None:
    """Print rows; `headings` are the columns of the table.

    The `optional` columns are omitted, one after another, if the terminal is too narrow.
    """
    if as_json:
        click.echo(json.dumps([dict(row) for row in rows], indent=2, default=str))
    elif as_csv:
        click.echo(_csv(rows), nl=False)
    else:
        columns = columns_of(sys.stdout)
        kept = columns_that_fit([rows], headings, optional, columns)
        for line in table_lines(rows, kept, columns):
            click.echo(line)
        print_hidden_columns(headings, kept)


def columns_that_fit(
    tables: Sequence[Sequence[Row]],
    headings: Mapping[str, str],
    optional: Sequence[str],
    columns: int,
) -> dict[str, str]:
    """Return the columns with which all tables fit into a terminal, of unlimited width if 0.

    The optional ones are omitted first. If that is not enough, texts are wrapped, and then columns
    are omitted from the right; the first two always stay. If not even these fit side by side, all
    columns stay, and stand below each other.
    """
    kept = dict(headings)
    cells = [_Cells(rows, headings) for rows in tables]
    for name in optional:
        if not columns or all(each.width(kept) <= columns for each in cells):
            return kept
        kept.pop(name, None)
    for name in reversed(list(kept)[_ALWAYS:]):
        if not columns or all(each.least_width(kept) <= columns for each in cells):
            return kept
        del kept[name]
    fits = all(each.least_width(kept) <= columns for each in cells)
    return kept if fits or not columns else dict(headings)


def print_hidden_columns(headings: Mapping[str, str], kept: Mapping[str, str]) -> None:
    """Name the columns that were omitted."""
    if text := hidden_columns(headings, kept):
        say(text, err=True)


def hidden_columns(headings: Mapping[str, str], kept: Mapping[str, str]) -> str:
    """Return a sentence that names the columns that were omitted; empty if there are none."""
    missing = [heading for name, heading in headings.items() if name not in kept and heading]
    if not missing:
        return ""
    return f"Omitted columns (the terminal is too narrow): {', '.join(missing)}."


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


def table_lines(rows: Sequence[Row], headings: Mapping[str, str], columns: int = 0) -> list[str]:
    """Format rows as a table, headings first; texts are wrapped if they do not fit."""
    return [line for block in table_blocks(rows, headings, columns) for line in block]


def table_blocks(
    rows: Sequence[Row], headings: Mapping[str, str], columns: int = 0
) -> list[list[str]]:
    """Return the lines of the headings, and those of each row."""
    cells = _Cells(rows, headings)
    if columns and cells.least_width(headings) > columns:
        return [[], *(_stacked(line, headings, columns) for line in cells.lines[1:])]
    widths = cells.fitted_widths(headings, columns)
    return [
        _block(
            [line[name] for name in headings], widths, [cells.numeric[name] for name in headings]
        )
        for line in cells.lines
    ]


def fitting_lines(rows: Sequence[Row], headings: Mapping[str, str], columns: int) -> list[str]:
    """Return a table for a screen, and a line that says what it leaves out."""
    kept = columns_that_fit([rows], headings, (), columns)
    missing = hidden_columns(headings, kept)
    note = [click.style(line, dim=True) for line in wrap(missing, columns)] if missing else []
    return [*table_lines(rows, kept, columns), *note]


class _Cells:
    """The cells of a table as text, headings first."""

    def __init__(self, rows: Sequence[Row], headings: Mapping[str, str]) -> None:
        self.lines = [
            dict(headings),
            *({key: _shown(key, row[key]) for key in headings} for row in rows),
        ]
        self.numeric = {
            key: bool(rows) and all(isinstance(row[key], int | float | None) for row in rows)
            for key in headings
        }

    def width(self, names: Collection[str]) -> int:
        """Return the columns that a table of these columns takes."""
        return sum(map(self._widest, names)) + _GAP * (len(names) - 1)

    def least_width(self, names: Collection[str]) -> int:
        """Return the columns that it takes if texts are wrapped."""
        return sum(map(self._narrowest, names)) + _GAP * (len(names) - 1)

    def fitted_widths(self, names: Collection[str], columns: int) -> list[int]:
        """Return the width of each column; the widest texts shrink until the table fits."""
        widths = {name: self._widest(name) for name in names}
        excess = self.width(names) - columns if columns else 0
        while excess > 0:
            spare = {name: widths[name] - self._narrowest(name) for name in names}
            if not any(spare.values()):
                break
            widths[max((name for name in names if spare[name]), key=widths.__getitem__)] -= 1
            excess -= 1
        return list(widths.values())

    def _widest(self, name: str) -> int:
        return max(display_width(line[name]) for line in self.lines)

    def _narrowest(self, name: str) -> int:
        widest = self._widest(name)
        if self.numeric[name] or widest <= _LEAST_WRAPPED:
            return widest
        words = (word for line in self.lines for word in line[name].split())
        return min(widest, max([_LEAST_WRAPPED, *map(display_width, words)]))


def _block(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> list[str]:
    """Return the lines of one row, with its texts wrapped."""
    parts = [_wrap_cell(cell, width) for cell, width in zip(cells, widths, strict=True)]
    return [
        (" " * _GAP)
        .join(
            _pad(cell, width, right=right)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        )
        .rstrip()
        for line in zip_longest(*parts, fillvalue="")
    ]


def _stacked(cells: Mapping[str, str], headings: Mapping[str, str], columns: int) -> list[str]:
    """Return one row with its cells below each other, each after its heading."""
    lines = [f"  {heading}: {cells[name] or '–'}" for name, heading in headings.items() if heading]
    lines[0] = lines[0].lstrip()
    return [part for line in lines for part in wrap(line, columns, break_words=False)]


def _wrap_cell(text: str, width: int) -> list[str]:
    if display_width(text) <= width:
        return [text]
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if display_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return [line for line in lines if line]


def _shown(name: str, value: Any) -> str:
    """Return a value as the table shows it, in one line."""
    if name in COLUMNS and (show := COLUMNS[name].format):
        text = show(value)
    elif value is None:
        text = ""
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = f"{value:,}" if isinstance(value, int) else str(value)
    return plain(text.replace("\n", " "))


def _pad(text: str, width: int, *, right: bool) -> str:
    blank = " " * (width - display_width(text))
    return blank + text if right else text + blank
