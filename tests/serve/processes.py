"""A league that is really served: by `arena serve`, in processes of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import httpx

from arena.submission.lookup import house_bots
from leaderboard.authors import add_author
from leaderboard.store import Store
from tests.builders.bots import TIME_SPENDER, bot_folder
from tests.builders.leagues import NOON, submit_folders
from tests.cages import cage_name
from tests.serve.in_process import bot_files, write_config

T = TypeVar("T")
_GENEROUS_S = 300.0
FREE_PORT = ("port = 8000", "port = 0")
NO_HOUSE_BOTS = ('without = ["search"]', f"without = {json.dumps(sorted(house_bots()))}")
RESIDENTS = ("cat", "dog")
"""They play all the time, and mostly sleep: a test must not compete with its own league."""


def wait_for(look: Callable[[], T | None]) -> T:
    """Return what a function returns once it is something."""
    until = time.monotonic() + _GENEROUS_S
    while not (found := look()):
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.1)
    return found


class ServedLeague:
    """A league and the process that serves it."""

    def __init__(self, folder: Path, *changes: tuple[str, str]) -> None:
        caged = ("limits =", f'cage = "{cage_name()}"\nlimits =')
        self.path = write_config(folder, FREE_PORT, caged, *changes)
        self.db = folder / "arena.db"
        one_each = httpx.Limits(max_keepalive_connections=0)  # the server may close one at any time
        self._client = httpx.Client(timeout=60, verify=False, limits=one_each)
        self.address = ""
        self.log = folder / "log.txt"
        # Its own, so that it takes turns with no other event on this machine.
        self.temporary = Path(tempfile.mkdtemp(prefix="served."))
        self.temporary.chmod(0o1777)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Serve the league, and wait until it answers."""
        before = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "arena", "serve", str(self.path)],
                cwd=self.path.parent,
                stderr=log,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "TMPDIR": str(self.temporary)},
            )

        def address() -> str | None:
            assert self._process
            assert self._process.poll() is None, self.log.read_text()
            found = re.search(r"https?://127.0.0.1:\d+", self.log.read_text()[before:])
            return found[0] if found else None

        self.address = wait_for(address)
        wait_for(lambda: self.get("/healthz").status_code == 200)

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Send a signal, and wait for the end."""
        if self._process:
            self._process.send_signal(number)
            self._process.wait(_GENEROUS_S)
            self._process = None

    @property
    def pid(self) -> int:
        """The number of the process that serves."""
        assert self._process
        return self._process.pid

    def close(self) -> None:
        """End everything."""
        self.stop()
        self._client.close()
        shutil.rmtree(self.temporary, ignore_errors=True)

    def author(self, name: str, role: str = "author") -> str:
        """Add an author and return their token."""
        with Store.open(self.db) as store, store.writing_bots() as writer:
            return add_author(writer, name, role=role, now=NOON)

    def get(self, path: str, token: str = "") -> httpx.Response:
        """Send a GET request."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self._client.get(self.address + path, headers=headers)

    def matches(self) -> int:
        """Return the number of stored matches."""
        with Store.open(self.db) as store:
            ((count,),) = store.rows("SELECT count(*) FROM matches")
        return int(count)


@contextmanager
def serving(folder: Path, *changes: tuple[str, str]) -> Iterator[ServedLeague]:
    """Serve a league of the residents until the end of the block."""
    league = ServedLeague(folder, NO_HOUSE_BOTS, *changes)
    bots = folder / "residents"
    sleepers = [bot_folder(bots, name, TIME_SPENDER, "sleep", "0.01") for name in RESIDENTS]
    submit_folders(league.db, *sleepers)
    try:
        league.start()
        yield league
    finally:
        league.close()


def write_bot(folder: Path, name: str) -> Path:
    """Write the folder of a bot that passes."""
    path = folder / name
    path.mkdir()
    for file, text in bot_files(name).items():
        (path / file).write_text(text, encoding="utf-8")
    return path
