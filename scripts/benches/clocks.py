"""Which clock is fair to honest bots on a busy machine?

Bots that use about 5 ms of processor time per decision play while four busy processes per core put
load on the machine. The first clock counts processor time, until enough
decisions are made. The second has the same length but counts wall time; it runs for two minutes at
most, because a late bot is ended and restarted. `scripts/bench clocks --decisions 100` is a short
run.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from itertools import count
from pathlib import Path

from arena.games.randomness import derive, seed_from
from arena.games.registry import game_named
from arena.indices import PlayerIndex
from arena.records import Entrant, How, SeatEnding
from arena.referee.clock import CORES, read_clock
from arena.referee.model import Fixture
from arena.referee.players.remote import RemotePlayer
from arena.referee.referee import Referee
from arena.sandbox.select import best_cage
from arena.submission.manifest import Manifest

HERE = Path(__file__).parent
CPU, WALL = "cpu:0.1+0.1", "0.1+0.1"
DECISIONS = 10_000
WALL_S = 120.0
SEATS = 4
LOAD = 4
LONGEST_S = 4 * 3600
"""Maximum lifetime of a busy process, which also ends with its parent."""
BUSY = f"""
import os, time
end, parent = time.monotonic() + {LONGEST_S}, os.getppid()
while time.monotonic() < end and os.getppid() == parent:
    pass
"""


@contextmanager
def busy_machine() -> Iterator[None]:
    """Run busy processes in the background."""
    # Use separate sessions: the scheduler shares the cores among sessions first.
    command = [sys.executable, "-c", BUSY]
    busy = [subprocess.Popen(command, start_new_session=True) for _ in range(LOAD * CORES)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def fixtures() -> Iterator[Fixture]:
    """Yield matches without end."""
    game = game_named("meow")
    for number in count():
        seed = derive(seed_from(1), f"match {number}")
        yield Fixture(
            number, game, game.default_parameters, seed, tuple(map(PlayerIndex, range(SEATS)))
        )


async def count_timeouts(clock: str, decisions: int, *, limit_s: float) -> dict[str, int]:
    """Play a number of decisions; count them and those that came too late."""
    start = time.monotonic()
    bot = Manifest("busy", ("meow",), ("python", "busy_bot.py"), HERE, ("busy_bot.py",))
    launch = best_cage().launcher(bot, {})
    referee = Referee(
        [RemotePlayer(Entrant(f"bot-{n}"), launch) for n in range(SEATS)], read_clock(clock)
    )
    counts = {"decisions": 0, "timeouts": 0, "other_faults": 0}
    async with aclosing(referee.play(fixtures(), tables=CORES)) as matches:
        async for _, record in matches:
            late = sum(fault.ending is SeatEnding.OVERRUN for fault in record.faults)
            chosen = sum(decision.how is How.CHOSEN for decision in record.decisions)
            counts["decisions"] += chosen + late
            counts["timeouts"] += late
            counts["other_faults"] += len(record.faults) - late
            print(
                f"\r{clock}: {counts['decisions']} decisions", end="", file=sys.stderr, flush=True
            )
            if counts["decisions"] >= decisions or time.monotonic() - start > limit_s:
                break
    print(file=sys.stderr)
    return {**counts, "seconds": round(time.monotonic() - start)}


def measure(decisions: int) -> dict[str, dict[str, int]]:
    """Play with each clock; return the document that --json prints."""
    with busy_machine():
        by_cpu = asyncio.run(count_timeouts(CPU, decisions, limit_s=LONGEST_S / 2))
        by_wall = asyncio.run(count_timeouts(WALL, decisions, limit_s=WALL_S))
    return {CPU: by_cpu, WALL: by_wall}


if __name__ == "__main__":
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    words = sys.argv[1:]
    wanted = int(words[words.index("--decisions") + 1]) if "--decisions" in words else DECISIONS
    result = measure(wanted)
    if "--json" in words:
        print(json.dumps(result, indent=2))
    else:
        print("clock        decisions   timeouts  other faults  seconds")
        for name, counted in result.items():
            decided, late, other, seconds = counted.values()
            print(f"{name:12} {decided:>9} {late:>10} {other:>13} {seconds:>8}")
