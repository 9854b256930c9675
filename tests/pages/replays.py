"""Which pages are tested?"""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from arena.cli.drawing import drawing_of
from arena.games.registry import game_named
from arena.pages.match_data import match_data
from arena.pages.replay_page import replay_page
from arena.records import Entrant, Record, SeatEnding
from tests.replays.matches import Faults, played, setting_of


def _short(
    game_id: str, seats: int, parameters: str, seed: int, faults: Faults | None = None
) -> Record:
    """Play a match that the length cap ends soon, if nothing else does."""
    setting = setting_of(game_id, seats)
    given = setting.game.parameters_form.read(parameters)
    return played(replace(setting, parameters=given), seed, faults)


SHORT = {
    "trio": _short("trio", 3, "turn_cap=9", 3, {1: (15, SeatEnding.CRASHED)}),
    "trio in teams": _short("trio", 4, "mode=spicy teams=yes turn_cap=9", 4),
    "jackal": _short("jackal", 3, "round_cap=8", 6, {0: (14, SeatEnding.OVERRUN)}),
    "meow": _short("meow", 3, "expert=no", 4, {2: (12, SeatEnding.CRASHED)}),
    "lifeislife": _short(
        "lifeislife", 3, "round_cap=9 turn_cap=5", 6, {0: (8, SeatEnding.NONSENSE)}
    ),
}
"""A match of each game, with all that can happen in it, and a fault in most of them."""

ATTACKS = (
    "</script><script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "<!--<script>\u2028window.ran = 1;//\u2029&lt;",
    "\"'`${window.ran = 1}];window.ran = 1;//",
)
"""Names that are programs, if anybody takes them for such."""


def hostile(record: Record) -> Record:
    """Return the match as played by bots whose names and words are attacks."""
    entrants = [
        Entrant(ATTACKS[seat % 4], ATTACKS[~seat % 4]) for seat in range(len(record.places))
    ]
    printed = "\n".join(ATTACKS).encode() + b"\xff"
    faults = [replace(fault, sentence=ATTACKS[0], stderr=printed) for fault in record.faults]
    return replace(record, entrants=tuple(entrants), faults=tuple(faults))


def page_of(record: Record, seat: int | None = None) -> str:
    """Return the page of a match."""
    return replay_page(record, drawing_of(game_named(record.game_id)), seat=seat)


def data_of(record: Record, seat: int | None = None) -> dict[str, Any]:
    """Return what the page of a match knows, as JSON has it: the types differ, hence Any."""
    told = match_data(record, drawing_of(game_named(record.game_id)), seat)
    data: dict[str, Any] = json.loads(json.dumps(told))
    return data


class Elements(HTMLParser):
    """The elements of a page, and the texts of its scripts and styles."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self.policy = ""
        self._inside = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element and the names of its attributes."""
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self._inside = tag
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Note a text."""
        if self._inside in self.texts:
            self.texts[self._inside].append(data)
