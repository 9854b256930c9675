"""Show a strength with its interval, and the interval of its rank."""

from __future__ import annotations

from arena.cli.terminal.tables import Row


def with_estimates(row: Row) -> Row:
    """Add the columns `estimate` and `ranks`, as people read them."""
    return {**row, "estimate": _estimate(row), "ranks": _ranks(row)}


def show_chance(chance: float | None) -> str:
    """Return a chance as a percentage; empty if there is none."""
    return "" if chance is None else f"{chance:.0%}"


def _estimate(row: Row) -> str:
    """Return a strength as 31.2 ± 1.4; empty if there is none."""
    if row["strength"] is None:
        return ""
    return f"{row['strength']:.1f} ± {row['strength_error']:.1f}"


def _ranks(row: Row) -> str:
    """Return the ranks that a bot may have as 1–3, or one rank if it is certain."""
    best, worst = row["best_rank"], row["worst_rank"]
    if best is None:
        return ""
    return f"{best}" if best == worst else f"{best}–{worst}"
