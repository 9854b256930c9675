"""Print rows as a table, as JSON or as CSV."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import click

from arena.cli.options import add_options
from arena.cli.terminal.columns import COLUMNS, Row
from arena.cli.terminal.output import columns_of, print_json, say
from arena.cli.terminal.styling import wrap, wrap_lines
from arena.errors import BadInput
from arena.text import display_width, plain

_ALWAYS = 2
"""Columns that are never omitted, from the left."""
_GAP = 2
"""Spaces between columns."""
_LEAST_WRAPPED = 16
"""Columns that a text has at least, if it is wrapped."""


def _refuse_both(ctx: click.Context, option: click.Parameter, value: bool) -> bool:
    # The option that came first is already in the parameters.
    if value and (ctx.params.get("as_json") or ctx.params.get("as_csv")):
        raise BadInput("use either --json or --csv, not both")
    return value


format_options = add_options(
    click.option("--json", "as_json", is_flag=True, callback=_refuse_both, help="Print as JSON."),
    click.option("--csv", "as_csv", is_flag=True, callback=_refuse_both, help="Print as CSV."),
)


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
        print_json([dict(row) for row in rows])
    elif as_csv:
        click.echo(_csv(rows), nl=False)
    else:
        print_tables({"": rows}, headings, optional)


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


def width_of(rows: Sequence[Row], names: Mapping[str, str]) -> int:
    """Return the columns that a table takes."""
    return _Cells(rows, names).width(names)


def print_tables(
    tables: Mapping[str, Sequence[Row]], headings: Mapping[str, str], optional: Sequence[str] = ()
) -> None:
    """Print tables of the same columns, each below its title, and name the columns left out."""
    lines, omitted = fit_tables(tables, headings, columns_of(sys.stdout), optional)
    for line in lines:
        click.echo(line)
    if omitted:
        say(omitted, err=True)


def fit_tables(
    tables: Mapping[str, Sequence[Row]],
    headings: Mapping[str, str],
    columns: int,
    optional: Sequence[str] = (),
) -> tuple[list[str], str]:
    """Return the lines of tables, by their titles, and a sentence about the columns left out.

    Without a limit, `columns` is 0.
    """
    kept = columns_that_fit(list(tables.values()), headings, optional, columns)
    lines: list[str] = []
    for title, rows in tables.items():
        lines += [""] if lines else []
        above = wrap_lines([plain(title)] if title else [], columns)
        heading, *blocks = _table_blocks(rows, kept, columns)
        lines += [*(click.style(line, bold=True) for line in above), *heading]
        lines += [line for block in blocks for line in block]
    missing = [heading for name, heading in headings.items() if name not in kept and heading]
    sentence = f"Omitted columns (the terminal is too narrow): {', '.join(missing)}."
    return lines, sentence if missing else ""


def _csv(rows: Sequence[Row]) -> str:
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _csv_value(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _csv_value(value: Any) -> Any:
    """Return a value as CSV has it: a list with spaces between, a flag as true or false."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        # The output may go to a terminal.
        return plain(value)
    if isinstance(value, list | tuple):
        return " ".join(str(_csv_value(each)) for each in value)
    return value


def _table_blocks(
    rows: Sequence[Row], headings: Mapping[str, str], columns: int
) -> list[list[str]]:
    """Return the lines of the headings, and those of each row."""
    cells = _Cells(rows, headings)
    if columns and cells.least_width(headings) > columns:
        return [[], *(_stacked(line, headings, columns) for line in cells.lines[1:])]
    widths = cells.fitted_widths(headings, columns)
    numeric = [cells.numeric[name] for name in headings]
    above, *lines = ([line[name] for name in headings] for line in cells.lines)
    colours = [[_colour(name, row) for name in headings] for row in rows]
    return [
        [click.style(line, dim=True) for line in _block(above, widths, numeric)],
        *(_block(line, widths, numeric, own) for line, own in zip(lines, colours, strict=True)),
    ]


def _colour(name: str, row: Row) -> str | None:
    """Return the colour of a cell: that of its value, or that of its row."""
    own = COLUMNS[name].colour(row[name]) if name in COLUMNS else None
    return own or row.get("colour")


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


def _block(
    cells: Sequence[str],
    widths: Sequence[int],
    numeric: Sequence[bool],
    colours: Sequence[str | None] = (),
) -> list[str]:
    """Return the lines of one row, with its texts wrapped."""
    colours = colours or [None] * len(cells)
    parts = [
        wrap(cell, width, break_words=False, indent=0)
        for cell, width in zip(cells, widths, strict=True)
    ]
    return [
        (" " * _GAP)
        .join(
            _pad(cell, width, right=right, colour=colour)
            for cell, width, right, colour in zip(line, widths, numeric, colours, strict=True)
        )
        .rstrip()
        for line in zip_longest(*parts, fillvalue="")
    ]


def _stacked(cells: Mapping[str, str], headings: Mapping[str, str], columns: int) -> list[str]:
    """Return one row with its cells below each other, each after its heading."""
    lines = [f"  {heading}: {cells[name] or '–'}" for name, heading in headings.items() if heading]
    lines[0] = lines[0].lstrip()
    return wrap_lines(lines, columns, break_words=False)


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


def _pad(text: str, width: int, *, right: bool, colour: str | None) -> str:
    blank = " " * (width - display_width(text))
    shown = click.style(text, fg=colour) if colour and text else text
    return blank + shown if right else shown + blank
