"""What does it cost to run bots in separate processes?

One run measures (a) a bare gRPC stream that echoes a message over the same kind of socket, (b) one
table of four caged bots that play their first legal action, (c) 64 tables of the same bots, (d) the
same matches without cages, (e) the same matches in this process. Every figure is the median of
several alternating turns.
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
from arena.indices import PlayerIndex
from arena.records import Entrant, Fault, Record
from arena.referee.clock import Clock
from arena.referee.model import Fixture, PendingDecision
from arena.referee.players.connection import listen
from arena.referee.players.local import Chooser, play_match
from arena.referee.players.remote import RemotePlayer
from arena.referee.referee import Referee
from arena.referee.table import Answer
from arena.sandbox.cage import Cage, Uncaged
from arena.sandbox.select import best_cage
from arena.sandbox.tempdir import temp_dir
from arena.submission.manifest import Manifest

HERE = Path(__file__).parent
SEATS = 4
TURNS = 3
ECHOES = 3000
ECHO_BYTES = 120
MATCHES = {"trio": (1, 100), "jackal": (4, 200), "meow": (10, 500), "lifeislife": (2, 100)}
"""For each game, the number of matches at one table and at 64."""
CLOCK = Clock(60.0, 10.0)


def bot(program: str) -> Manifest:
    """Return the manifest of a program in this folder."""
    return Manifest("first", ("meow",), ("python", program), HERE, (program,))


class TimedReferee(Referee):
    """A referee that records when each answer arrives."""

    def __init__(self, *args: Any) -> None:
        """Start without answers."""
        super().__init__(*args)
        self.times: list[float] = []
        take_answer = self.conditions.take_answer

        def take_timed(pending: PendingDecision, answer: Answer | Fault) -> None:
            self.times.append(time.perf_counter())
            take_answer(pending, answer)

        self.conditions.take_answer = take_timed


def fixtures(game: AnyGame, count: int) -> list[Fixture]:
    """Return matches that are the same in every turn."""
    parameters = game.default_parameters
    seeds = [derive(seed_from(1), f"match {number}") for number in range(count)]
    seating = tuple(map(PlayerIndex, range(SEATS)))
    return [Fixture(n, game, parameters, seed, seating) for n, seed in enumerate(seeds)]


async def echo_us() -> float:
    """Return the median round-trip time of the bare stream."""
    with temp_dir() as folder:
        async with listen(folder / "echo.sock", lambda: None) as connection:
            process = best_cage().launcher(bot("echo_bot.py"), {})(connection.socket, lambda: None)
            try:
                await connection.first_message(asyncio.Event())
                times = []
                message = os.urandom(ECHO_BYTES)
                for _ in range(ECHOES):
                    start = time.perf_counter()
                    await connection.send(message)
                    await connection.receive()
                    times.append(time.perf_counter() - start)
            finally:
                process.kill()
    return median(times) * 1e6


async def play_remotely(
    matches: list[Fixture], tables: int, cage: Cage
) -> tuple[list[float], list[Record]]:
    """Play matches between four processes; return the arrival time of each answer."""
    launch = cage.launcher(bot("first_action_bot.py"), {})
    players = [RemotePlayer(Entrant(f"bot-{n}"), launch) for n in range(SEATS)]
    referee = TimedReferee(players, CLOCK)
    records = {f.number: record async for f, record in referee.play(matches, tables=tables)}
    return referee.times, [records[fixture.number] for fixture in matches]


def _first_legal(game: AnyGame) -> Chooser:
    return lambda request: game.legal_actions(request.view)[0]


def in_process_s(matches: list[Fixture]) -> float:
    """Play the same matches in this process; return the duration."""
    entrants = [Entrant(f"bot-{n}") for n in range(SEATS)]
    start = time.perf_counter()
    for fixture in matches:
        choosers = [_first_legal(fixture.game)] * SEATS
        play_match(fixture.game, fixture.seed, fixture.parameters, entrants, choosers)
    return time.perf_counter() - start


def measure() -> dict[str, Any]:
    """Run everything; return the document that --json prints."""
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
            times, _ = asyncio.run(play_remotely(fixtures(game, few), 1, best_cage()))
            gaps = [after - before for before, after in pairwise(times)]
            one.setdefault(game.id, []).append(median(gaps) * 1e6)
            matches = fixtures(game, many)
            times, _ = asyncio.run(play_remotely(matches, 64, Uncaged()))
            uncaged = times[-1] - times[0]
            times, records = asyncio.run(play_remotely(matches, 64, best_cage()))
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
    print("            µs per decision   /echo    decisions/s   time/in-process   caged/uncaged")
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
