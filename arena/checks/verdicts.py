"""Remember which bots have passed a check, so that the same check is not run again.

A verdict belongs to everything that it depends on: the bot's content and packages, the clock, the
limits, the cage, this arena and its Python. Only passed checks are remembered, in the user's cache.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple

from arena import __version__
from arena.errors import PlatformError
from arena.referee.clock import Clock
from arena.sandbox.packages.cache import read_cached_text, write_cached_text
from arena.sandbox.packages.lockfile import lockfile_for
from arena.submission.manifest import Manifest
from arena.submission.package import pack_folder

_PASSED = "passed"


class Terms(NamedTuple):
    """What a check depends on, apart from the bot."""

    clock: Clock
    limits: Mapping[str, int]
    cage: str
    """Its name."""


def content_hash(bot: Manifest) -> str:
    """Return the hash of a bot's folder, as the league would store it."""
    return pack_folder(bot.folder).hash


def has_passed(bot: Manifest, content: str, terms: Terms) -> bool:
    """Return whether a bot with this content has passed a check on these terms."""
    try:
        return read_cached_text(_key(bot, content, terms)) == _PASSED
    except PlatformError:
        return False  # A cache that cannot be used remembers nothing.


def remember_passed(bot: Manifest, content: str, terms: Terms) -> None:
    """Remember that a bot with this content has passed all steps on these terms."""
    with suppress(PlatformError):
        write_cached_text(_key(bot, content, terms), _PASSED)


def _key(bot: Manifest, content: str, terms: Terms) -> str:
    lock = str(lockfile_for(bot.requirements)) if bot.requirements else ""
    inputs = [
        *(__version__, sys.version, bot.name, content, lock),
        *(str(terms.clock), sorted(terms.limits.items()), terms.cage),
    ]
    return sha256(json.dumps(["check", *inputs]).encode()).hexdigest()[:32]
