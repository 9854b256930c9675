"""The path of each page of the site.

An event can have any name, and a name must not become an arbitrary path. File names therefore
consist of a few harmless characters, with a number where two would be equal. Older events and bots
are named first, so that their pages never move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

INDEX = "index.html"
_LONGEST = 60
NOT_FOUND = "404.html"
_PATH = re.compile(r"(?:[a-z0-9_-]+/)*[a-z0-9_-]+\.html|variants/[a-z0-9_-]+\.(?:csv|json)")
_REPLAY = re.compile(r"replays/([a-z0-9_-]+)/([0-9]{1,15})\.html")


def slugs(names: Iterable[str], *, default: str) -> dict[str, str]:
    """Return a file name for each name; `default` is for names without a usable character."""
    given: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        stem = re.sub(r"[^a-z0-9_]+", "-", name.lower())[:_LONGEST].strip("-") or default
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


def variant_page(slug: str) -> str:
    """Return the path of a variant's page."""
    return f"variants/{slug}.html"


def variant_files(slug: str) -> tuple[str, str, str]:
    """Return the paths of a variant's data: standings and head-to-head as CSV, all as JSON."""
    return f"variants/{slug}.csv", f"variants/{slug}-head-to-head.csv", f"variants/{slug}.json"


def list_page(slug: str, number: int) -> str:
    """Return the path of a part of an event's list of matches."""
    return f"events/{slug}/{number}.html"


def replay_path(slug: str, match: int) -> str:
    """Return the path of the page of an event's match."""
    return f"replays/{slug}/{match}.html"


def read_replay_path(path: str) -> tuple[str, int] | None:
    """Return the slug and the match of a replay's path; None if it is another path."""
    found = _REPLAY.fullmatch(path)
    return (found[1], int(found[2])) if found else None


def is_address(path: str) -> bool:
    """Tell whether a path could be one of ours; such a path cannot leave its folder."""
    return _PATH.fullmatch(path) is not None
