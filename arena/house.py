"""Which bots come with the arena?"""

from __future__ import annotations

from pathlib import Path

import arena
from arena.manifest import MANIFEST

_PACKAGE = Path(arena.__file__).parent
_PLACES = (_PACKAGE / "house_bots", _PACKAGE.parent / "bots")
"""Where an installed arena has them, and where a checkout does."""


def house_bots() -> dict[str, Path]:
    """Return the folders of the house bots by name."""
    for place in _PLACES:
        if place.is_dir():
            return {path.parent.name: path.parent for path in sorted(place.glob(f"*/{MANIFEST}"))}
    return {}
