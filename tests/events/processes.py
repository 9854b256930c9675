"""Events as their users run them: by commands, in processes of their own."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.events.league import submit_folder
from arena.manifest import read_manifest
from arena.replays.format import read_replay
from leaderboard.store import Store
from tests.cages import cage
from tests.events.folders import RANDOM, ROOT, bot_folder
from tests.referee.matches import without_times
from tests.rogues.cheats.folders import CHEATS, cheat_folder
from tests.sandbox.caged import PATIENCE_S, who_sees

MOODY = ROOT / "tests" / "rogues" / "moody.py"
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
_TIMES = {"submitted", "started", "ended", "paired", "changed", "time_ms"}


class Command(subprocess.Popen[str]):
    """A command that does not outlive a test that fails."""

    def __exit__(self, kind: type[BaseException] | None, *what: Any) -> None:
        """Wait for its end, or end it."""
        if kind:
            self.kill()
        super().__exit__(kind, *what)

    def said(self) -> tuple[str, str]:
        """Wait for its end, and return what it printed.

        Warnings that the machine or the options call for are left out, and so is the commitment,
        which is another one every time.
        """
        out, err = self.communicate(timeout=1200)
        lines = err.splitlines(keepends=True)
        usual = ("a lesser cage", "open deals: ", "the commitment to its deals is ")
        return out, "".join(line for line in lines if not any(word in line for word in usual))


@dataclass(frozen=True, slots=True)
class Hall:
    """A folder in which commands are run; all their temporary files are in it, too."""

    folder: Path

    @property
    def db(self) -> Path:
        """The league that commands take."""
        return self.folder / "arena.db"

    def begin(self, *words: str, prepare: Callable[[], None] | None = None) -> Command:
        """Start a command in a process group of its own."""
        return Command(
            [sys.executable, "-m", "arena", *words],
            cwd=self.folder,
            env={**os.environ, "TMPDIR": str(self.folder), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=prepare,
        )

    def run(
        self, *words: str, prepare: Callable[[], None] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        with self.begin(*words, prepare=prepare) as process:
            out, err = process.said()
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def processes(self) -> set[int]:
        """List the processes that have to do with this hall."""
        return who_sees(self.folder.name)

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something that has to come."""
        until = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < until, "it did not come"
            time.sleep(0.01)

    def wait_until_empty(self) -> None:
        """Wait until no process is left."""
        self.wait_until(lambda: not self.processes())

    def stored(self) -> int:
        """Count the matches that are stored."""
        with closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM matches").fetchone()[0])

    def places(self) -> list[Path]:
        """List the folders that referees have left."""
        return list(self.folder.glob("arena-*"))


@contextmanager
def new_hall() -> Iterator[Hall]:
    """Make a hall; its path is short enough for sockets, and other users can get through."""
    folder = Path(tempfile.mkdtemp(prefix="hall-", dir="/tmp"))
    folder.chmod(0o711)
    hall = Hall(folder)
    try:
        yield hall
    finally:
        hall.wait_until_empty()
        shutil.rmtree(folder)


def enter(hall: Hall, bots: Mapping[str, Sequence[str]]) -> None:
    """Enter bots in the league, without the check.

    One without words plays at random, one with a number crashes so often, and others are cheats
    that play in the way that is named.
    """
    with Store.open(hall.db, create=True) as store, store.writing() as writer:
        for name, words in bots.items():
            if words and words[0] in CHEATS:
                folder = cheat_folder(hall.folder / "bots", name, *words)
            else:
                program = MOODY if words else RANDOM
                folder = bot_folder(hall.folder / "bots", name, program, *words)
            submit_folder(writer, read_manifest(folder), now=NOON)
    shutil.rmtree(hall.folder / "bots")


def event(*words: str) -> list[str]:
    """Write the command that runs an event of MEOW in the best cage there is."""
    return ["event", "run", *words, "--game", "meow", "--cage", cage().name]


def resume(*words: str) -> list[str]:
    """Write the command that goes on with an event, in the cage in which it was begun."""
    again = ["--cage", "none"] if cage().name == "none" else []
    return ["event", "resume", *again, *words]


def contents(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all that a league says, table by table, without times."""
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return {
            name: _rows(connection, name)
            for (name,) in names
            if not name.startswith(("sqlite_", "_sqlite"))
        }


def differences(
    one: dict[str, list[tuple[Any, ...]]], other: dict[str, list[tuple[Any, ...]]]
) -> list[str]:
    """List the rows that only one of two leagues has."""
    return [
        f"{table}: {str(row)[:500]}"
        for table in one
        for row in [
            *(row for row in one[table] if row not in other[table]),
            *(row for row in other[table] if row not in one[table]),
        ]
    ]


def _rows(connection: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
    found = connection.execute(f"SELECT * FROM {table}")
    columns = [column for column, *_ in found.description]
    rows = [
        tuple(
            without_times(read_replay(value))
            if (table, column) == ("replays", "content")
            else value
            for column, value in zip(columns, row, strict=True)
            if column not in _TIMES
        )
        for row in found
    ]
    return sorted(rows, key=repr)
