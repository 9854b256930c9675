"""How tests start bots: caged as everywhere, where this machine can."""

from __future__ import annotations

import os

from arena.manifest import Manifest
from arena.sandbox.cage import Cage, NoneCage
from arena.sandbox.cages import NoCage, best_cage
from arena.sandbox.process import Launch


def cage() -> Cage:
    """Return the best cage there is; outside CI, none if there is none."""
    try:
        return best_cage()
    except NoCage:
        if os.environ.get("CI"):
            raise
        return NoneCage()


def launcher(bot: Manifest) -> Launch:
    """Prepare a bot, and return what starts it; no cage takes a mere command line."""
    return (NoneCage() if bot.is_foreign else cage()).launcher(bot, {})
