"""Where is each page of the site?

An event may be called anything, and its name must not become a path of its own making. So the name
of a file is made of a few harmless letters, and a number where two would be the same. Older things
are named first: what comes later never moves the page of what was there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

INDEX = "index.html"
_LONGEST = 60
_PATH = re.compile(r"(?:[a-z0-9_-]+/)*[a-z0-9_-]+\.html")


def slugs(names: Iterable[str], *, otherwise: str) -> dict[str, str]:
    """Give each name a file's name; `otherwise` is for names without a letter that is fit."""
    given: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        stem = re.sub(r"[^a-z0-9_]+", "-", name.lower())[:_LONGEST].strip("-") or otherwise
        slug, number = stem, 1
        while slug in taken:
            number += 1
            slug = f"{stem}-{number}"
        taken.add(slug)
        given[name] = slug
    return given


def bot_page(slug: str) -> str:
    """Return the path of a bot's page."""
    return f"bots/{slug}.html"


def event_page(slug: str) -> str:
    """Return the path of an event's page."""
    return f"events/{slug}.html"


def list_page(slug: str, number: int) -> str:
    """Return the path of a part of an event's list of matches."""
    return f"events/{slug}/{number}.html"


def replay_path(slug: str, match: int) -> str:
    """Return the path of the page of an event's match."""
    return f"replays/{slug}/{match}.html"


def is_address(path: str) -> bool:
    """Tell whether a path could be one of ours: it cannot leave its folder."""
    return _PATH.fullmatch(path) is not None
