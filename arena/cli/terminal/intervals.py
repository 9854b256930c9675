"""Draw the strengths of a table with their intervals, all on one scale: 29.1 ├──●──┤."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from arena.api.rows import reach_of
from arena.cli.terminal.columns import Row
from arena.cli.terminal.output import columns_of
from arena.cli.terminal.tables import width_of

COLUMN = "interval"
_LEAST, _MOST = 8, 32
_USUAL_COLUMNS = 80
_NUMBER = "{:5.1f} "


def with_intervals(
    rows: Sequence[Row], headings: Mapping[str, str], columns: int | None = None
) -> list[Row]:
    """Fill the column of the intervals, as wide as the other columns allow; `columns` are those of
    the screen, by default of standard output.
    """
    if COLUMN not in headings:
        return list(rows)
    columns = columns_of(sys.stdout) if columns is None else columns
    others = {name: heading for name, heading in headings.items() if name != COLUMN}
    room = (columns or _USUAL_COLUMNS) - width_of(rows, others) - len(_NUMBER.format(0)) - 2
    width = min(max(room, _LEAST), _MOST)
    reaches = [reach_of(row) for row in rows]
    known = [reach for reach in reaches if reach]
    low = min((reach[0] for reach in known), default=0.0)
    high = max((reach[1] for reach in known), default=1.0)

    def at(value: float) -> int:
        return round((value - low) / (high - low or 1.0) * (width - 1))

    def drawn(row: Row) -> str:
        """Draw an interval to the edge where it is open; its middle shows if it has both ends."""
        strength, start, end = (row[name] for name in ("strength", "strength_low", "strength_high"))
        first, last = at(low if start is None else start), at(high if end is None else end)
        cells = [" "] * first + ["─"] * (last - first + 1)
        cells[first], cells[last] = "←" if start is None else "├", "→" if end is None else "┤"
        if None not in (start, end):
            cells[at(strength)] = "●"
            return _NUMBER.format(strength) + "".join(cells)
        bound = f"≥{start:.1f}" if start is not None else "open" if end is None else f"≤{end:.1f}"
        return f"{bound:5} " + "".join(cells)

    return [{**row, COLUMN: "" if row["strength"] is None else drawn(row)} for row in rows]
