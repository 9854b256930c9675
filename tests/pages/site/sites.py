"""Build the site of a league, and read its pages."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path

from arena.pages.site.build import BuildResult, build
from leaderboard.store import Store
from tests.builders.leagues import NOON, league_with_byes
from tests.pages.replays import ATTACKS

EVENTS = ("cup", "open")


def hostile_league(folder: Path) -> Path:
    """Make a league with byes whose names and sentences are attacks or paths."""
    path = league_with_byes(folder)
    bots = (*ATTACKS, "../../../tmp/x")
    with closing(sqlite3.connect(path)) as connection, connection:
        for number, name in enumerate(bots, start=1):
            connection.execute("UPDATE bots SET name = ? WHERE id = ?", [name, number])
        for number, name in enumerate(("../" + ATTACKS[0], "名\u202e" + ATTACKS[1]), start=1):
            connection.execute("UPDATE events SET name = ? WHERE id = ?", [name, number])
        connection.execute("UPDATE faults SET sentence = ?", [ATTACKS[1]])
        connection.execute(
            "UPDATE entrants SET suspended = ? WHERE suspended IS NOT NULL", [ATTACKS[0]]
        )
    return path


def build_site(db: Path, folder: Path, newest: int | None = 0, now: datetime = NOON) -> BuildResult:
    """Write a league's pages."""
    with Store.open(db) as store:
        return build(store, folder, newest=newest, now=now, on_progress=lambda done, total: None)


class Links(HTMLParser):
    """The links of a page, and its ids."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        super().__init__()
        self.targets: list[str] = []
        self.ids: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record links and ids."""
        for name, value in attrs:
            if name in ("href", "src", "action", "xlink:href"):
                self.targets.append(value or "")
            elif name == "id":
                self.ids.add(value or "")


def texts_of(folder: Path) -> dict[str, str]:
    """Return every page but the replays, by path."""
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.html"))
        if not path.is_relative_to(folder / "replays")
    }
