"""Leagues to make pages of, and sites to look at."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.cli.drawing import drawing_of
from arena.events.spec import Kind, Spec
from arena.pages.site.build import Built, build
from leaderboard.store import Store
from tests.events.leagues import PretendedWorkers, begun, gone_on, league
from tests.pages.replays import ATTACKS

NAMES = ("ann", "ben", "cat", "dan", "eve")
EVENTS = ("cup", "open")


def crasher(name: str, number: int) -> bool:
    """Let one bot crash in every second match."""
    return name == "cat" and number % 2 == 0


def small_league(folder: Path) -> Path:
    """Make a league: a round-robin with faults and a suspension, and a Swiss event with byes."""
    path = folder / "arena.db"
    path.write_bytes(_small_league())
    return path


@cache
def _small_league() -> bytes:
    with TemporaryDirectory() as name:
        folder = Path(name)
        with league(folder, NAMES) as writer:
            cup = Spec(
                Kind.ROUND_ROBIN, "meow", name="cup", bots=NAMES, seats=3, matches=30, seed=0
            )
            begun(writer, cup)
            gone_on(writer, "cup", PretendedWorkers(crasher))
            swiss = Spec(Kind.SWISS, "meow", name="open", bots=NAMES, seats=2, rounds=2, seed=0)
            begun(writer, swiss)
            gone_on(writer, "open", PretendedWorkers())
        return (folder / "arena.db").read_bytes()


def hostile_league(folder: Path) -> Path:
    """Make the same league with names and sentences that are attacks, and would be paths."""
    path = small_league(folder)
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


def play_more(path: Path, name: str = "more") -> None:
    """Let the league have one more event."""
    with Store.open(path) as store, store.writing() as writer:
        begun(
            writer, Spec(Kind.SWISS, "meow", name=name, bots=NAMES[:2], seats=2, rounds=1, seed=0)
        )
        gone_on(writer, name, PretendedWorkers())


def build_site(db: Path, folder: Path, newest: int | None = 0) -> Built:
    """Write a league's pages."""
    with Store.open(db) as store:
        return build(
            store, folder, teller_of=drawing_of, newest=newest, tell=lambda done, total: None
        )


class Links(HTMLParser):
    """Where a page leads, and which places it has."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        super().__init__()
        self.targets: list[str] = []
        self.ids: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what leads anywhere."""
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
