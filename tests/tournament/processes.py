"""Run events as users do: by commands, in separate processes."""

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
from pathlib import Path
from typing import Any

from arena.games.randomness import seed_from
from arena.replays.format import read_replay
from arena.sandbox.image.memory import memory_bases
from arena.secret import Secret
from arena.tournament.setup import enter_event
from arena.tournament.spec import Spec
from leaderboard.events import end_event
from leaderboard.store import Store
from tests.builders.bots import RANDOM, RANDOM_CRASHER, ROOT, TIME_SPENDER, bot_folder
from tests.builders.leagues import NOON, submit_folders
from tests.builders.matches import without_times
from tests.cages import cage
from tests.rogues.cheats.folders import CHEATS, cheat_folder
from tests.sandbox.caged_bot import PATIENCE_S, processes_using

_TIMES = {"submitted", "started", "ended", "paired", "changed", "time_ms"} | {
    *("time_us", "slowest_us", "cpu_us", "memory_kib")
}


class Command(subprocess.Popen[str]):
    """A command that is killed if its test fails."""

    def __exit__(self, kind: type[BaseException] | None, *details: Any) -> None:
        """Wait for its end; after an exception, kill it first."""
        if kind:
            self.kill()
        super().__exit__(kind, *details)

    def output(self) -> tuple[str, str]:
        """Wait for its end; return stdout and stderr.

        From stderr, the usual warnings of the machine and the options are removed, and so are the
        announcement of the tables and the commitment, which differs every time.
        """
        out, err = self.communicate(timeout=1200)
        lines = err.splitlines(keepends=True)
        usual = ("a weaker cage", "open deals: ", " in each round\n", "commitment to the deals: ")
        return out, "".join(line for line in lines if not any(word in line for word in usual))


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder in which commands run, and which also contains all their temporary files."""

    folder: Path

    @property
    def db(self) -> Path:
        """The league that commands take."""
        return self.folder / "arena.db"

    def start(
        self,
        *words: str,
        prepare: Callable[[], None] | None = None,
        program: Sequence[str] = ("-m", "arena"),
    ) -> Command:
        """Start a command in its own session."""
        return Command(
            [sys.executable, *program, *words],
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
        with self.start(*words, prepare=prepare) as process:
            out, err = process.output()
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def processes(self) -> set[int]:
        """List the processes that use this workspace."""
        return processes_using(self.folder.name)

    def wait_until(self, condition: Callable[[], bool], *, patience_s: float = PATIENCE_S) -> None:
        """Wait until a condition holds."""
        deadline = time.monotonic() + patience_s
        while not condition():
            assert time.monotonic() < deadline, "the condition was not met in time"
            time.sleep(0.01)

    def wait_until_empty(self) -> None:
        """Wait until no process is left."""
        self.wait_until(lambda: not self.processes())

    def count_matches(self) -> int:
        """Count the matches that are stored."""
        with closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM matches").fetchone()[0])

    def is_finished(self) -> bool:
        """Tell whether an event is stored as finished; its command may have been killed since."""
        with closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT status FROM events").fetchall()
        return ("finished",) in rows

    def leftover_folders(self) -> list[Path]:
        """List the folders that referees have left."""
        return list(self.folder.glob("arena-*"))


@contextmanager
def new_workspace() -> Iterator[Workspace]:
    """Make a workspace; its path is short enough for sockets, and open to other users."""
    # In memory if possible, so that bots have their folders in it.
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=next(iter(memory_bases()), "/tmp")))
    folder.chmod(0o711)
    workspace = Workspace(folder)
    try:
        yield workspace
    finally:
        workspace.wait_until_empty()
        shutil.rmtree(folder)


def submit_bots(workspace: Workspace, bots: Mapping[str, Sequence[str]]) -> None:
    """Submit bots to the league, without the check.

    A bot without arguments plays at random, one with a number crashes in that share of its
    matches, one with an activity and a time spends that time with each decision, and one with the
    name of a cheat and a mode is that cheat.
    """
    parent = workspace.folder / "bots"
    folders = []
    for name, arguments in bots.items():
        if arguments and arguments[0].split()[0] in CHEATS:
            folders.append(cheat_folder(parent, name, *arguments))
        else:
            program = (RANDOM, RANDOM_CRASHER, TIME_SPENDER)[len(arguments)]
            folders.append(bot_folder(parent, name, program, *arguments))
    submit_folders(workspace.db, *folders)
    shutil.rmtree(parent)


def event(*words: str) -> list[str]:
    """Return the command that runs an event of MEOW in the best available cage."""
    return ["event", "run", *words, "--game", "meow", "--cage", cage().name]


def resume(*words: str) -> list[str]:
    """Return the command that resumes an event, in the cage in which it started."""
    uncaged = ["--cage", "none"] if cage().name == "none" else []
    return ["event", "resume", *uncaged, *words]


def enter_sealed(db: Path, spec: Spec) -> None:
    """Enter an event with secret deals that are the same each time; `resume` plays it."""
    with Store.open(db) as store, store.writing() as writer:
        event = enter_event(writer, spec, now=NOON, secret=Secret(seed_from(5)))
        end_event(writer, event.id, finished=False, now=NOON)


def rows_without_times(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of a league, table by table, without times and without its journal."""
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return {
            name: _rows(connection, name)
            for (name,) in names
            if not name.startswith(("sqlite_", "_sqlite")) and name != "journal"
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
