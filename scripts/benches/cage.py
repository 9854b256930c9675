"""How much longer does a bot take to start in a cage?

Measures the time from launch to Hello for a bot, and from launch to exit for an empty program.
Measurements alternate: without a cage, then in every kind of cage that works here. All run the same
Python in the same environment, so that only the cage differs. Root also measures the cages of an
ordinary user, through a process that runs as one.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from arena.errors import BadInput
from arena.referee.players.connection import listen
from arena.sandbox.cage import Uncaged
from arena.sandbox.environments import plain_environment
from arena.sandbox.process import Launch
from arena.sandbox.select import AUTO, CAGE_NAMES, NoCage, select_cage
from arena.sandbox.tempdir import temp_dir
from arena.sandbox.uids import setpriv_command
from arena.submission.manifest import Manifest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TURNS = 30
PYTHON = Path("/usr/bin/python3")
"""A Python that every user can reach."""
ORDINARY_UID = 64_000
BARE = Uncaged.name
BOT, NOTHING = "bot", "nothing"
COMMANDS = {BOT: ("python", "first_action_bot.py"), NOTHING: ("python", "-c", "pass")}
HOST = "--host"


class Host:
    """A process that launches bots, as root or as an ordinary user."""

    def __init__(self, python: Path, folder: Path, *, uid: int | None) -> None:
        """Start the process in a folder that every user can read."""
        self._process = subprocess.Popen(
            [*(setpriv_command(uid) if uid else []), str(python), "-B", "benches/cage.py", HOST],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": str(folder),
                **({"ARENA_CACHE": str(folder / "cache")} if uid else {}),
            },
        )
        self.cages: list[str] = self._answer()

    def launch_ms(self, cage: str, program: str) -> float:
        """Launch a program in one kind of cage; return the duration."""
        assert self._process.stdin
        self._process.stdin.write(f"{cage} {program}\n")
        self._process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> Any:
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        """End the process."""
        self._process.communicate()


def host() -> None:
    """Report the kinds of cage that work for this user, then launch programs on request."""
    launchers = {cage: launchers_of(cage) for cage in [BARE, *working_cages()]}
    answer(list(launchers))
    for line in sys.stdin:
        cage, program = line.split()
        answer(
            asyncio.run(launch_duration_ms(launchers[cage][program], sends_hello=program == BOT))
        )


def answer(value: Any) -> None:
    """Send a reply to the parent process."""
    print(json.dumps(value), flush=True)


def working_cages() -> list[str]:
    """Return the kinds of cage that work here."""
    found = []
    for name in CAGE_NAMES:
        if name not in (AUTO, BARE):
            try:
                select_cage(name)
            except NoCage:
                continue
            found.append(name)
    return found


def launchers_of(cage: str) -> dict[str, Launch]:
    """Prepare the programs for one kind of cage."""
    found = {}
    for name, command in COMMANDS.items():
        if cage == BARE:
            python = plain_environment().root / "bin" / "python"
            command = (str(python), *command[1:])
        bot = Manifest(name, ("meow",), command, HERE, only=("first_action_bot.py",))
        found[name] = select_cage(cage).launcher(bot, {})
    return found


async def launch_duration_ms(launch: Launch, *, sends_hello: bool) -> float:
    """Launch a program and wait for its Hello or its exit."""
    with temp_dir() as folder:
        ended = asyncio.Event()
        async with listen(folder / "referee.sock", lambda: None) as connection:
            began = time.perf_counter()
            process = launch(connection.socket, ended.set)
            try:
                async with asyncio.timeout(20):
                    hello = await connection.first_message(ended)
                took = time.perf_counter() - began
                assert bool(hello) == sends_hello, process.printed()
                return took * 1e3
            finally:
                connection.close()
                process.kill()


def measure() -> dict[str, dict[str, float]]:
    """Return the median duration in ms for every program and kind of cage."""
    # Not where the copy of this file runs, which has no tests beside it.
    sys.path.insert(0, str(ROOT))
    from tests.privileges import copy_grpc

    python = shared_python()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        ignored = shutil.ignore_patterns("house_bots", "__pycache__")
        shutil.copytree(ROOT / "arena", folder / "arena", ignore=ignored)
        shutil.copytree(HERE, folder / "benches", ignore=ignored)
        copy_grpc(folder)
        hosts = [Host(python, folder, uid=None)]
        if os.geteuid() == 0 and python == PYTHON:
            (folder / "cache").mkdir()
            os.chown(folder / "cache", ORDINARY_UID, ORDINARY_UID)
            hosts.append(Host(python, folder, uid=ORDINARY_UID))
        try:
            return medians(hosts)
        finally:
            for each in hosts:
                each.end()


def shared_python() -> Path:
    """Return the system's Python, or the running one if their releases differ."""
    try:
        plain_environment(python=PYTHON)
    except BadInput:
        return Path(sys.executable)
    return PYTHON


def medians(hosts: Sequence[Host]) -> dict[str, dict[str, float]]:
    """Launch in all kinds of cage in turn; do not count the first turn."""
    by_cage = {cage: each for each in reversed(hosts) for cage in each.cages}
    times: dict[str, dict[str, list[float]]] = {
        program: {cage: [] for cage in by_cage} for program in COMMANDS
    }
    for turn in range(TURNS + 1):
        print(f"\rturn {turn} of {TURNS}", end="", file=sys.stderr, flush=True)
        for program, found in times.items():
            for cage, each in by_cage.items():
                took = each.launch_ms(cage, program)
                if turn:
                    found[cage].append(took)
    print(file=sys.stderr)
    return {
        program: {cage: round(median(each), 1) for cage, each in found.items()}
        for program, found in times.items()
    }


def figures(found: dict[str, float]) -> dict[str, Any]:
    """Arrange the medians of one program as --json prints them."""
    caged = {cage: ms for cage, ms in found.items() if cage != BARE}
    bare = found[BARE]
    overhead = {cage: round(ms - bare, 1) for cage, ms in caged.items()}
    return {"bare_ms": bare, "caged_ms": caged, "overhead_ms": overhead}


def show(found: dict[str, dict[str, float]]) -> None:
    """Print the figures as a table."""
    table = bot, nothing = figures(found[BOT]), figures(found[NOTHING])
    print("             a bot's hello       an empty program's end")
    print(f"{'bare':12} {bot['bare_ms']:>6} ms           {nothing['bare_ms']:>6} ms")
    for cage in bot["caged_ms"]:
        cells = [
            f"{each['caged_ms'][cage]:>6} ms {each['overhead_ms'][cage]:>+6}" for each in table
        ]
        print(f"{cage:12} {'    '.join(cells)}")


if __name__ == "__main__":
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if HOST in sys.argv[1:]:
        host()
    else:
        result = measure()
        if "--json" in sys.argv[1:]:
            print(json.dumps(figures(result[BOT]), indent=2))
        else:
            show(result)
