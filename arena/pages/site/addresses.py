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
ANALYSIS = "analysis.html"
"""How good the chances are that analyses give."""
_PATH = re.compile(
    r"(?:[a-z0-9_-]+/)*[a-z0-9_-]+\.html|variants/[a-z0-9_-]+\.(?:csv|json)"
    r"|analysis/[a-z0-9_-]+/[0-9]{1,15}\.json"
    r"|pictures/(?:[a-z0-9_-]+/)*[a-z0-9_-]+\.(?:svg|png)"
)
_PICTURE = re.compile(r"pictures/(replays/.+)\.(?:svg|png)")


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


def page(kind: str, *names: str | int) -> str:
    """Return the path of a page: its kind is the folder, and its names lead to it."""
    return f"{kind}/{'/'.join(map(str, names))}.html"


def variant_files(slug: str) -> tuple[str, str, str]:
    """Return the paths of a variant's data: standings and head-to-head as CSV, all as JSON."""
    return f"variants/{slug}.csv", f"variants/{slug}-head-to-head.csv", f"variants/{slug}.json"


def pair_page(one: str, other: str) -> str:
    """Return the path of the page of two bots, whatever their order."""
    return page("pairs", "--".join(sorted((one, other))))


def analysis_file(slug: str, match: int) -> str:
    """Return the path of the analysis of an event's match."""
    return f"analysis/{slug}/{match}.json"


def picture_path(page: str, suffix: str) -> str:
    """Return the path of the picture of a page."""
    return f"pictures/{page.removesuffix('.html')}.{suffix}"


def page_of_picture(path: str) -> str | None:
    """Return the path of the match that a picture shows; None if it is another path."""
    found = _PICTURE.fullmatch(path)
    return f"{found[1]}.html" if found else None


def is_address(path: str) -> bool:
    """Tell whether a path could be one of ours; such a path cannot leave its folder."""
    return _PATH.fullmatch(path) is not None
