"""Short ways to write typed indices."""

from __future__ import annotations

from collections.abc import Iterable

from arena.indices import EntrantIndex, VersionId


def entrants(*numbers: int) -> tuple[EntrantIndex, ...]:
    """Return entrants by their numbers."""
    return entrants_in(numbers)


def entrants_in(numbers: Iterable[int]) -> tuple[EntrantIndex, ...]:
    """Return entrants by their numbers."""
    return tuple(EntrantIndex(number) for number in numbers)


def versions(*numbers: int) -> tuple[VersionId, ...]:
    """Return versions by their ids."""
    return tuple(VersionId(number) for number in numbers)
