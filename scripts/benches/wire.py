"""What does it cost to run bots in separate processes?

One run measures (a) a bare gRPC stream that echoes a message over the same kind of socket, (b) one
table of four caged bots that play their first legal action, (c) 64 tables of the same bots, (d) the
same matches without cages, (e) the same matches in this process. Every figure is the median of
several alternating turns. The CPU time per decision, of the referee and of all four bots,
comes from (b) and (c), without the noise of the machine (remote_play.py).
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import defaultdict
from contextlib import suppress
from itertools import pairwise
from statistics import median
from typing import Any

from bare_stream import bare_stream
from figures import print_figures
from remote_play import SEATS, WARM_UP, Run, fixtures, least_cost, measure_play

from arena.games.registry import AnyGame, all_games
from arena.records import Entrant
from arena.referee.model import Fixture
from arena.referee.table import Answer, DecisionRequest, table
from arena.sandbox.cage import Uncaged
from arena.sandbox.select import AUTO, select_cage

TURNS = 3
TABLES = 64
ECHOES = 3000
ECHO_BYTES = 120
MATCHES = {"trio": (2, 64), "jackal": (2, 64), "meow": (25, 512), "lifeislife": (2, 64)}
"""For each game, the number of matches at one table and at 64. Matches of MEOW are short."""


async def echo_us() -> float:
    """Return the median round-trip time of the bare stream."""
    message = ECHO_BYTES.to_bytes(4) + os.urandom(ECHO_BYTES - 4)
    times = []
    async with bare_stream("transport_bot.py") as (connection, _):
        for _ in range(ECHOES):
            start = time.perf_counter()
            await connection.send(message)
            await connection.receive()
            times.append(time.perf_counter() - start)
    return median(times) * 1e6


def in_process_s(matches: list[Fixture]) -> float:
    """Play the same matches in this process; return the duration."""
    entrants = [Entrant(f"bot-{n}") for n in range(SEATS)]
    start = time.perf_counter()
    for fixture in matches:
        match = table(fixture.game, fixture.seed, fixture.parameters, entrants)
        answer = None
        with suppress(StopIteration):
            while True:
                asked = match.send(answer)
                assert isinstance(asked, DecisionRequest)
                answer = Answer(fixture.game.legal_actions(asked.view)[0])
    return time.perf_counter() - start


class Turns:
    """The figures of one game, one for each turn."""

    def __init__(self) -> None:
        """Start without figures."""
        self.gaps_us: list[float] = []
        self.rates: list[float] = []
        self.in_process_ratios: list[float] = []
        self.caged_ratios: list[float] = []
        self.runs: dict[int, list[Run]] = defaultdict(list)
        """By the number of tables."""

    def measure(self, game: AnyGame) -> None:
        """Measure one turn."""
        few, many = MATCHES[game.id]
        one = measure_play(game, few, 1, select_cage(AUTO))
        self.gaps_us.append(median(after - before for before, after in pairwise(one.times)) * 1e6)
        uncaged = measure_play(game, many, TABLES, Uncaged())
        run = measure_play(game, many, TABLES, select_cage(AUTO))
        self.caged_ratios.append(run.duration_s / uncaged.duration_s)
        self.rates.append(len(run.times) / run.duration_s)
        in_process = in_process_s(fixtures(game, many)[WARM_UP:])
        self.in_process_ratios.append(run.duration_s / in_process)
        self.runs[1].append(one)
        self.runs[TABLES].append(run)


def measure() -> dict[str, Any]:
    """Run everything; return the document that --json prints."""
    echoes: list[float] = []
    games: dict[str, Turns] = defaultdict(Turns)
    for turn in range(TURNS):
        for game in all_games():
            print(
                f"\rturn {turn + 1} of {TURNS}: {game.id:12}", end="", file=sys.stderr, flush=True
            )
            echoes.append(asyncio.run(echo_us()))
            games[game.id].measure(game)
    print(file=sys.stderr)
    echo = median(echoes)
    return {
        "stream_echo_us": round(echo),
        "one_table_us": {name: round(median(turns.gaps_us)) for name, turns in games.items()},
        "one_table_ratio": {
            name: round(median(turns.gaps_us) / echo, 2) for name, turns in games.items()
        },
        "one_table_cpu_us": {
            name: least_cost(turns.runs[1]).as_json() for name, turns in games.items()
        },
        "tables64": {
            name: {
                "decisions_per_second": round(median(turns.rates)),
                "in_process_ratio": round(median(turns.in_process_ratios), 2),
                "caged_ratio": round(median(turns.caged_ratios), 2),
                "cpu_us": least_cost(turns.runs[TABLES]).as_json(),
            }
            for name, turns in games.items()
        },
    }


if __name__ == "__main__":
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    print_figures(measure())
