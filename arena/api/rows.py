"""Tables of rows that show themselves, in a terminal and in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, TypeVar

from arena.text import plain
from leaderboard.strength.words import strength_text

R = TypeVar("R")
_WIDEST = 32
"""Longer texts are cut where they are shown."""


class Rows(list[R]):
    """A list of rows, each a dict or a named tuple: `pandas.DataFrame(rows)` is a table of them."""

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the headings, and the texts of every row."""
        rows = [_values(row) for row in self]
        headings = list(rows[0]) if rows else []
        return headings, [[_text(row[heading]) for heading in headings] for row in rows]

    def __repr__(self) -> str:
        """Write a table."""
        if not self:
            return "no rows"
        headings, rows = self.cells()
        lines = [headings, *rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )

    def _repr_html_(self) -> str:
        headings, rows = self.cells()
        return _table([headings, *([escape(cell) for cell in row] for row in rows)])


class Ranking(Rows[R]):
    """Bots in the order of their ranks, with the intervals of their strengths."""

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the usual columns, and the texts of every row."""
        rows = [with_estimates(_values(row)) for row in self]
        several = len({(row.get("game"), row.get("variant")) for row in rows}) > 1
        names = ["game", "variant"] * several + list(_COLUMNS)
        names = [name for name in names if rows and name in rows[0]]
        named = [{**row, "bot": f"{row['bot']}@{row['version']}"} for row in rows]
        headings = [_COLUMNS.get(name, name) for name in names]
        return headings, [[_text(row[name]) for name in names] for row in named]

    def _repr_html_(self) -> str:
        headings, rows = self.cells()
        reaches = [reach_of(_values(row)) for row in self]
        low = min((reach[0] for reach in reaches if reach), default=0.0)
        high = max((reach[1] for reach in reaches if reach), default=1.0)
        lines = [
            [*map(escape, row), _bar(reach, low, high)]
            for row, reach in zip(rows, reaches, strict=True)
        ]
        return _table([[*headings, "95 % interval"], *lines])


_COLUMNS = {
    "rank": "rank",
    "bot": "bot",
    "score": "rating",
    "points": "points",
    "estimate": "strength",
    "ranks": "ranks",
    "matches": "matches",
    "wins": "wins",
    "mean_place": "mean place",
    "faults": "faults",
}


def with_estimates(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the columns `estimate`, as 31.2 ± 1.4 or "at least 33.0", and `ranks`, as 1–3."""
    estimate = strength_text(row["strength"], row["strength_low"], row["strength_high"])
    ranks = ""
    if row["best_rank"] is not None:
        ranks = "–".join(dict.fromkeys((f"{row['best_rank']}", f"{row['worst_rank']}")))
    return {**row, "estimate": estimate, "ranks": ranks}


# Values of rows differ in type, hence Any.


def _values(row: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = row._asdict() if hasattr(row, "_asdict") else row
    return found


def _text(value: Any) -> str:
    if value is None:
        return ""
    text = f"{value:.2f}" if isinstance(value, float) else plain(str(value))
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def reach_of(row: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the interval of a strength; None before a deal is complete.

    An end that the results leave open is drawn at the strength itself.
    """
    strength, low, high = row["strength"], row["strength_low"], row["strength_high"]
    if strength is None:
        return None
    return strength if low is None else low, strength if high is None else high


def _bar(reach: tuple[float, float] | None, low: float, high: float) -> str:
    """Draw an interval on the scale that all rows share."""
    if reach is None:
        return ""
    start, end = (100 * (value - low) / (high - low or 1) for value in reach)
    return (
        '<svg width="120" height="12" viewBox="-3 0 106 10" stroke="currentColor">'
        f'<path d="M{start:.1f} 5H{end:.1f}" stroke-width="2"/>'
        f'<circle cx="{(start + end) / 2:.1f}" cy="5" r="3" fill="currentColor"/></svg>'
    )


def _table(lines: Iterable[Iterable[str]]) -> str:
    """Write cells, which are HTML, as a table with a heading."""
    head, *body = (list(line) for line in lines)
    titles = "".join(f"<th>{title}</th>" for title in head)
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{rows}</tbody></table>"
