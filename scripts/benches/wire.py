"""What does it cost to have bots in processes of their own?

In one run: (a) a bare gRPC stream that echoes a message over the same kind of socket, (b) one
table of four trivial bots in a cage, (c) 64 tables of the same bots, (d) the same matches without a
cage, (e) the same matches in this process. Every figure is the median of several turns that
alternate.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from arena.games.randomness import derive, seed_from
from arena.games.registry import AnyGame, all_games
from arena.manifest import Manifest
from arena.records import Entrant, Record
from arena.referee.clock import Clock
from arena.referee.desk import Fixture, Pending
from arena.referee.floor import Floor
from arena.referee.players.line import Line
from arena.referee.players.local import Choose, play_match
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.cage import Cage, NoneCage
from arena.sandbox.cages import best_cage
from arena.sandbox.places import fresh

HERE = Path(__file__).parent
SEATS = 4
TURNS = 3
ECHOES = 3000
ECHO_BYTES = 120
MATCHES = {"trio": (1, 100), "jackal": (4, 200), "meow": (10, 500), "lifeislife": (2, 100)}
"""For each game how many matches at one table, and how many at 64."""
CLOCK = Clock(60.0, 10.0)


def bot(program: str) -> Manifest:
    """Describe one of the programs beside this one."""
    return Manifest("trivial", ("meow",), ("python", program), HERE, (program,))


class TimedFloor(Floor):
    """A floor that notes when each answer came in."""

    def __init__(self, *args: Any) -> None:
        """Start with no answers."""
        super().__init__(*args)
        self.times: list[float] = []

    def answered(self, pending: Pending, answer: Any) -> None:
        """Note the time, then go on."""
        self.times.append(time.perf_counter())
        super().answered(pending, answer)


def fixtures(game: AnyGame, count: int) -> list[Fixture]:
    """Make matches that are the same in every turn."""
    parameters = game.default_parameters
    seeds = [derive(seed_from(1), f"match {number}") for number in range(count)]
    seating = tuple(range(SEATS))
    return [Fixture(n, game, parameters, seed, seating) for n, seed in enumerate(seeds)]


async def echo_us() -> float:
    """Measure the bare stream, there and back."""
    with fresh() as folder:
        async with Line(folder / "echo.sock", lambda: None) as line:
            process = best_cage().launcher(bot("echo.py"), {})(line.socket, lambda: None)
            try:
                await line.first_message(asyncio.Event())
                times = []
                message = os.urandom(ECHO_BYTES)
                for _ in range(ECHOES):
                    start = time.perf_counter()
                    await line.say(message)
                    await line.hear()
                    times.append(time.perf_counter() - start)
            finally:
                process.kill()
    return median(times) * 1e6


async def on_the_wire(
    matches: list[Fixture], tables: int, cage: Cage
) -> tuple[list[float], list[Record]]:
    """Play matches between four processes; return when each answer came in."""
    launch = cage.launcher(bot("trivial.py"), {})
    players = [RemotePlayer(Entrant(f"bot-{n}"), launch) for n in range(SEATS)]
    floor = TimedFloor(players, CLOCK)
    records = {f.number: record async for f, record in floor.play(matches, tables=tables)}
    return floor.times, [records[fixture.number] for fixture in matches]


def _first_legal(game: AnyGame) -> Choose:
    return lambda request: game.legal_actions(request.view)[0]


def in_process_s(matches: list[Fixture]) -> float:
    """Play the same matches in this process; return the seconds."""
    entrants = [Entrant(f"bot-{n}") for n in range(SEATS)]
    start = time.perf_counter()
    for fixture in matches:
        choosers = [_first_legal(fixture.game)] * SEATS
        play_match(fixture.game, fixture.seed, fixture.parameters, entrants, choosers)
    return time.perf_counter() - start


def measure() -> dict[str, Any]:
    """Run everything; the keys are those of --json."""
    echoes: list[float] = []
    one: dict[str, list[float]] = {}
    rates: dict[str, list[float]] = {}
    ratios: dict[str, list[float]] = {}
    costs: dict[str, list[float]] = {}
    for turn in range(TURNS):
        for game in all_games():
            print(
                f"\rturn {turn + 1} of {TURNS}: {game.id:12}", end="", file=sys.stderr, flush=True
            )
            few, many = MATCHES[game.id]
            echoes.append(asyncio.run(echo_us()))
            times, _ = asyncio.run(on_the_wire(fixtures(game, few), 1, best_cage()))
            gaps = [after - before for before, after in pairwise(times)]
            one.setdefault(game.id, []).append(median(gaps) * 1e6)
            matches = fixtures(game, many)
            times, _ = asyncio.run(on_the_wire(matches, 64, NoneCage()))
            uncaged = times[-1] - times[0]
            times, records = asyncio.run(on_the_wire(matches, 64, best_cage()))
            assert not any(record.faults for record in records)
            took = times[-1] - times[0]
            costs.setdefault(game.id, []).append(took / uncaged)
            rates.setdefault(game.id, []).append(len(times) / took)
            ratios.setdefault(game.id, []).append(took / in_process_s(matches))
    print(file=sys.stderr)
    echo = median(echoes)
    return {
        "stream_echo_us": round(echo),
        "one_table_us": {name: round(median(each)) for name, each in one.items()},
        "one_table_ratio": {name: round(median(each) / echo, 2) for name, each in one.items()},
        "tables64": {
            name: {
                "decisions_per_second": round(median(rates[name])),
                "in_process_ratio": round(median(ratios[name]), 2),
                "caged_ratio": round(median(costs[name]), 2),
            }
            for name in rates
        },
    }


def show(figures: dict[str, Any]) -> None:
    """Print the figures as a table."""
    print(f"a bare stream echo takes {figures['stream_echo_us']} µs")
    print("game        one table                64 tables")
    print("            µs a decision   /echo    decisions/s   time/in-process   caged/uncaged")
    for name, us in figures["one_table_us"].items():
        many = figures["tables64"][name]
        print(
            f"{name:11} {us:>13} {figures['one_table_ratio'][name]:>7} "
            f"{many['decisions_per_second']:>14,} {many['in_process_ratio']:>17} "
            f"{many['caged_ratio']:>15}"
        )


if __name__ == "__main__":
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    result = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(result, indent=2))
    else:
        show(result)
