"""How much longer does a bot take to start in a cage?

From the launch to its hello, and, beside that, a program that does nothing, from its launch to its
end. Everything is measured in turn: without a cage, then every way that works here. All run the
same Python in the same environment, so that nothing but the cage differs. Root also measures what
an ordinary user can do, through a process that is one.
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
from arena.manifest import Manifest
from arena.referee.players.line import Line
from arena.sandbox.cage import NoneCage
from arena.sandbox.cages import AUTO, NAMES, NoCage, cage_named
from arena.sandbox.environments import plain_environment
from arena.sandbox.places import fresh
from arena.sandbox.process import Launch
from arena.sandbox.uids import dropping_to

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TURNS = 30
PYTHON = Path("/usr/bin/python3")
"""A Python that every user can reach."""
ORDINARY_UID = 64_000
BARE = NoneCage.name
BOT, NOTHING = "bot", "nothing"
COMMANDS = {BOT: ("python", "trivial.py"), NOTHING: ("python", "-c", "pass")}
HOST = "--host"


class Host:
    """A process that launches bots, as root or as an ordinary user."""

    def __init__(self, python: Path, folder: Path, packages: Path, *, uid: int | None) -> None:
        """Start it from a folder that everybody can read."""
        self._process = subprocess.Popen(
            [*(dropping_to(uid) if uid else []), str(python), "-B", "benches/cage.py", HOST],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": f"{folder}:{packages}",
                **({"ARENA_CACHE": str(folder / "cache")} if uid else {}),
            },
        )
        self.ways: list[str] = self._answer()

    def launch_ms(self, way: str, program: str) -> float:
        """Launch a program in one way, and return how long that took."""
        assert self._process.stdin
        self._process.stdin.write(f"{way} {program}\n")
        self._process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> Any:
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        """Let it go."""
        self._process.communicate()


def host() -> None:
    """Say which ways work for this user, and then launch as often as asked."""
    launchers = {way: launchers_of(way) for way in [BARE, *working_ways()]}
    answer(list(launchers))
    for line in sys.stdin:
        way, program = line.split()
        answer(asyncio.run(launched_ms(launchers[way][program], says_hello=program == BOT)))


def answer(value: Any) -> None:
    """Tell who has asked."""
    print(json.dumps(value), flush=True)


def working_ways() -> list[str]:
    """Try all cages."""
    found = []
    for name in NAMES:
        if name not in (AUTO, BARE):
            try:
                cage_named(name)
            except NoCage:
                continue
            found.append(name)
    return found


def launchers_of(way: str) -> dict[str, Launch]:
    """Prepare the programs."""
    found = {}
    for name, command in COMMANDS.items():
        if way == BARE:
            python = plain_environment().root / "bin" / "python"
            command = (str(python), *command[1:])
        bot = Manifest(name, ("meow",), command, HERE, only=("trivial.py",))
        found[name] = cage_named(way).launcher(bot, {})
    return found


async def launched_ms(launch: Launch, *, says_hello: bool) -> float:
    """Launch a bot, and wait for its hello or its end."""
    with fresh() as folder:
        ended = asyncio.Event()
        async with Line(folder / "referee.sock", lambda: None) as line:
            began = time.perf_counter()
            process = launch(line.socket, ended.set)
            try:
                async with asyncio.timeout(20):
                    heard = await line.first_message(ended)
                took = time.perf_counter() - began
                assert bool(heard) == says_hello, process.printed()
                return took * 1e3
            finally:
                line.hang_up()
                process.kill()


def measure() -> dict[str, dict[str, float]]:
    """Return the median in milliseconds of every way, for every program."""
    python = everybodys_python()
    packages = next(plain_environment(python=python).root.glob("lib/*/site-packages"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        left_out = shutil.ignore_patterns("house_bots", "__pycache__")
        shutil.copytree(ROOT / "arena", folder / "arena", ignore=left_out)
        shutil.copytree(HERE, folder / "benches", ignore=left_out)
        hosts = [Host(python, folder, packages, uid=None)]
        if os.geteuid() == 0 and python == PYTHON:
            (folder / "cache").mkdir()
            os.chown(folder / "cache", ORDINARY_UID, ORDINARY_UID)
            hosts.append(Host(python, folder, packages, uid=ORDINARY_UID))
        try:
            return medians(hosts)
        finally:
            for each in hosts:
                each.end()


def everybodys_python() -> Path:
    """Return the machine's own Python, or ours if it is another release."""
    try:
        plain_environment(python=PYTHON)
    except BadInput:
        return Path(sys.executable)
    return PYTHON


def medians(hosts: Sequence[Host]) -> dict[str, dict[str, float]]:
    """Launch in all ways in turn; the first turn is not counted."""
    by_way = {way: each for each in reversed(hosts) for way in each.ways}
    times: dict[str, dict[str, list[float]]] = {
        program: {way: [] for way in by_way} for program in COMMANDS
    }
    for turn in range(TURNS + 1):
        print(f"\rturn {turn} of {TURNS}", end="", file=sys.stderr, flush=True)
        for program, found in times.items():
            for way, each in by_way.items():
                took = each.launch_ms(way, program)
                if turn:
                    found[way].append(took)
    print(file=sys.stderr)
    return {
        program: {way: round(median(each), 1) for way, each in found.items()}
        for program, found in times.items()
    }


def figures(found: dict[str, float]) -> dict[str, Any]:
    """Put the medians of one program side by side; the keys are those of --json."""
    caged = {way: ms for way, ms in found.items() if way != BARE}
    bare = found[BARE]
    overhead = {way: round(ms - bare, 1) for way, ms in caged.items()}
    return {"bare_ms": bare, "caged_ms": caged, "overhead_ms": overhead}


def show(found: dict[str, dict[str, float]]) -> None:
    """Print the figures as a table."""
    table = bot, nothing = figures(found[BOT]), figures(found[NOTHING])
    print("             a bot's hello       an empty program's end")
    print(f"{'bare':12} {bot['bare_ms']:>6} ms           {nothing['bare_ms']:>6} ms")
    for way in bot["caged_ms"]:
        cells = [f"{each['caged_ms'][way]:>6} ms {each['overhead_ms'][way]:>+6}" for each in table]
        print(f"{way:12} {'    '.join(cells)}")


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
