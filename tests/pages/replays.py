"""Short matches, hostile names, and a parser for pages."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from arena.pages.match_data import match_data
from arena.pages.replay_page import replay_page
from arena.records import Entrant, Output, Record, SeatEnding
from tests.builders.records import Faults, recorded_match, setting_of


def _play_short(
    game_id: str, seats: int, parameters: str, seed: int, faults: Faults | None = None
) -> Record:
    """Play a match with a low length cap."""
    setting = setting_of(game_id, seats)
    read_parameters = setting.game.parameters_form.read(parameters)
    return recorded_match(replace(setting, parameters=read_parameters), seed, faults)


SHORT = {
    "trio": _play_short("trio", 3, "turn_cap=9", 3, {1: (15, SeatEnding.CRASHED)}),
    "trio in teams": _play_short("trio", 4, "mode=spicy teams=yes turn_cap=9", 4),
    "jackal": _play_short("jackal", 3, "round_cap=8", 6, {0: (14, SeatEnding.OVERRUN)}),
    "meow": _play_short("meow", 3, "expert=no", 4, {2: (12, SeatEnding.CRASHED)}),
    "lifeislife": _play_short(
        "lifeislife", 3, "round_cap=9 turn_cap=5", 6, {0: (8, SeatEnding.NONSENSE)}
    ),
}
"""A match of each game with every kind of event, and a fault in most of them."""

ATTACKS = (
    "</script><script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "<!--<script>\u2028window.ran = 1;//\u2029&lt;",
    "\"'`${window.ran = 1}];window.ran = 1;//",
)
"""Names that run as scripts if they are not escaped."""


def hostile(record: Record) -> Record:
    """Return the match as played by bots whose names and output are attacks."""
    entrants = [
        Entrant(ATTACKS[seat % 4], ATTACKS[~seat % 4]) for seat in range(len(record.places))
    ]
    printed = "\n".join(ATTACKS).encode() + b"\xff"
    faults = [replace(fault, sentence=ATTACKS[0], printed=printed) for fault in record.faults]
    outputs = (Output(0, printed),)
    return replace(record, entrants=tuple(entrants), faults=tuple(faults), outputs=outputs)


def page_of(record: Record, seat: int | None = None) -> str:
    """Return the page of a match."""
    return replay_page(record, seat=seat)


def data_of(record: Record, seat: int | None = None) -> dict[str, Any]:
    """Return the data in the page of a match, through JSON: the types differ, hence Any."""
    data: dict[str, Any] = json.loads(json.dumps(match_data(record, seat)))
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
        """Record an element and the names of its attributes."""
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self._inside = tag
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Record a text."""
        if self._inside in self.texts:
            self.texts[self._inside].append(data)
