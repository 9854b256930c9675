"""The cage that tests run bots in: the best one that this machine supports."""

from __future__ import annotations

import os

from arena.sandbox.bot_process import Launch
from arena.sandbox.cage import Cage, Uncaged
from arena.sandbox.select import AUTO, NoCage, select_cage
from arena.submission.manifest import Manifest


def cage() -> Cage:
    """Return the best cage available; outside CI, fall back to none."""
    try:
        return select_cage(AUTO)
    except NoCage:
        if os.environ.get("CI"):
            raise
        return Uncaged()


def cage_name() -> str:
    """Return the name of the best cage available, or none."""
    try:
        return select_cage(AUTO).name
    except NoCage:
        return Uncaged.name


def launcher(bot: Manifest) -> Launch:
    """Prepare a bot and return its launcher; a bare command line runs without a cage."""
    return (Uncaged() if bot.is_command_line else cage()).launcher(bot, {})
