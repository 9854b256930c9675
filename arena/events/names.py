"""How are the bots of an event told apart?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def names_of(bots: Sequence[tuple[str, int]]) -> list[str]:
    """Name bots, given by name and version: with the version where two have one name."""
    bearers = Counter(name for name, _ in bots)
    return [f"{name}@{version}" if bearers[name] > 1 else name for name, version in bots]
