"""How much longer does a bot take to start in a cage?

Measures the time from launch to Hello for a bot, and from launch to exit for an empty program.
Measurements alternate: without a cage, then in every kind of cage that works for this user. All run
the same Python in the same environment, so that only the cage differs.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from statistics import median

from figures import print_figures

from arena.referee.players.connection import listen
from arena.sandbox.bot_process import Launch
from arena.sandbox.cage import Uncaged
from arena.sandbox.packages.environments import plain_environment
from arena.sandbox.select import AUTO, CAGE_NAMES, NoCage, select_cage
from arena.sandbox.tempdir import temp_dir
from arena.submission.manifest import Manifest

HERE = Path(__file__).parent
TURNS = 30
BARE = Uncaged.name
BOT, NOTHING = "bot", "nothing"
COMMANDS = {BOT: ("python", "first_action_bot.py"), NOTHING: ("python", "-c", "pass")}


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
    """Launch in all kinds of cage in turn; return the median of all turns but the first, in ms."""
    launchers = {cage: launchers_of(cage) for cage in [BARE, *working_cages()]}
    times: dict[str, dict[str, list[float]]] = {
        program: {cage: [] for cage in launchers} for program in COMMANDS
    }
    for turn in range(TURNS + 1):
        print(f"\rturn {turn} of {TURNS}", end="", file=sys.stderr, flush=True)
        for program, found in times.items():
            for cage, each in launchers.items():
                launch = launch_duration_ms(each[program], sends_hello=program == BOT)
                took = asyncio.run(launch)
                if turn:
                    found[cage].append(took)
    print(file=sys.stderr)
    return {
        f"{program}_ms": {cage: round(median(each), 1) for cage, each in found.items()}
        for program, found in times.items()
    }


if __name__ == "__main__":
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    print_figures(measure())
