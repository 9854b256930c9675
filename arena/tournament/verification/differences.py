"""Differences between what is stored and what should be, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import eq
from typing import Any

from arena.tomlfile import short_repr

AT_MOST = 20
"""The number of differences that some checks report: one cause may change many rows."""
Row = tuple[Any, ...]
"""The columns of a row without its key; Any, because the types are those of its columns."""


def compare(what: str, stored: Any, expected: Any) -> Iterator[str]:
    """Yield a sentence if two values differ."""
    if stored != expected:
        yield f"{what} is {short_repr(stored)}, but should be {short_repr(expected)}"


def compare_rows(
    where: str,
    columns: Sequence[str],
    stored: Row | None,
    expected: Row | None,
    *,
    is_same: Callable[[Any, Any], bool] = eq,
) -> Iterator[str]:
    """Yield a sentence for each column that differs; None stands for a row that is missing."""
    nothing = (None,) * len(columns)
    for column, one, other in zip(columns, stored or nothing, expected or nothing, strict=True):
        if not is_same(one, other):
            yield from compare(f"{where}: {column}", one, other)
