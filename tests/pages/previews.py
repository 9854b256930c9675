"""Read what a page says about itself where its address is shared, as a messenger does."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple


class Preview(NamedTuple):
    """What a messenger shows of a link."""

    title: str
    description: str
    picture: str
    size: tuple[int, int]
    address: str
    icon: str


class _Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.properties: dict[str, str] = {}
        self.icon = ""
        self.feed(page.partition("</head>")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "meta" and "content" in found:
            name = found.get("property") or found.get("name", "")
            # The first of two equal properties counts.
            self.properties.setdefault(name, found["content"])
        if tag == "link" and found.get("rel") == "icon":
            self.icon = found["href"]


def preview_in(page: str) -> Preview:
    """Read the tags in the head of a page; nothing of its body or its scripts is looked at."""
    tags = _Tags(page)
    found = tags.properties
    assert found["og:type"] == "website"
    assert found["description"] == found["og:description"]
    return Preview(
        found["og:title"],
        found["og:description"],
        found.get("og:image", ""),
        (int(found.get("og:image:width", 0)), int(found.get("og:image:height", 0))),
        found.get("og:url", ""),
        tags.icon,
    )
