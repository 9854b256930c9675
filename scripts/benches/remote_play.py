"""Play matches between caged bots, and measure the CPU time of the referee and of the bots.

Every run starts with a few matches that do not count. Bots start and caches fill meanwhile, so the
figures are those of a long event. The CPU time of the referee is that
of this process, with all threads. The time of the bots is read while they still run: the kernel
does not add it to the time of our children, because a cage stands in between.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from arena.games.randomness import derive, seed_from
from arena.games.registry import AnyGame
from arena.indices import PlayerIndex
from arena.records import Entrant, Fault, Record
from arena.referee.clock import Clock
from arena.referee.model import Fixture, PendingDecision
from arena.referee.players.connection import chosen_driver
from arena.referee.players.remote import RemotePlayer
from arena.referee.referee import Referee
from arena.referee.table import Answer
from arena.sandbox.bot_process import Launch, Process
from arena.sandbox.cage import Cage
from arena.submission.manifest import Manifest
from arena.wire.backend import IN_USE, VARIABLE

HERE = Path(__file__).parent
SEATS = 4
WARM_UP = 8
"""Matches that do not count."""
WINDOW = 1000
"""Decisions whose cost is measured together; what is left over at the end does not count."""
CLOCK = Clock(60.0, 10.0)

MakePlayer = Callable[[Entrant, Launch], RemotePlayer]


class Cost(NamedTuple):
    """CPU time per decision, in µs."""

    referee: float
    bots: float

    @property
    def together(self) -> float:
        """The sum of both."""
        return self.referee + self.bots

    def as_json(self) -> dict[str, float]:
        """Return the figures, rounded."""
        return {
            "referee": round(self.referee, 1),
            "bots": round(self.bots, 1),
            "together": round(self.together, 1),
        }


class Run(NamedTuple):
    """What was measured while the matches that count were played."""

    times: list[float]
    """The time at which each answer arrived."""
    records: list[Record]
    costs: list[Cost]
    """The cost of the first `WINDOW` decisions, of the next, and so on."""

    @property
    def duration_s(self) -> float:
        """The time from the first answer to the last."""
        return self.times[-1] - self.times[0]


def backends() -> dict[str, str]:
    """Return the names of the codec and of the gRPC driver in use."""
    return {"codec": IN_USE.name, "driver": chosen_driver().value}


def bot(program: str) -> Manifest:
    """Return the manifest of a program in this folder."""
    return Manifest(
        "first",
        ("meow",),
        ("python", program),
        HERE,
        (program,),
        # A cage passes no variables by itself; the bot has to use the same codec.
        environment={VARIABLE: os.environ[VARIABLE]} if VARIABLE in os.environ else {},
    )


def fixtures(game: AnyGame, count: int) -> list[Fixture]:
    """Return matches that are the same in every turn: `WARM_UP`, then `count` that count."""
    parameters = game.default_parameters
    seeds = [derive(seed_from(1), f"match {number}") for number in range(WARM_UP + count)]
    seating = tuple(map(PlayerIndex, range(SEATS)))
    return [Fixture(n, game, parameters, seed, seating) for n, seed in enumerate(seeds)]


class CountedBots:
    """Starts bots, and adds up the CPU time of all of them."""

    def __init__(self, launch: Launch) -> None:
        """Start them with `launch`."""
        self._launch = launch
        self._processes: list[Process] = []

    def launch(self, socket: Path, on_exit: Callable[[], None]) -> Process:
        """Start a bot."""
        self._processes.append(self._launch(socket, on_exit))
        return self._processes[-1]

    def cpu_s(self) -> float:
        """Return the CPU time of all bots, which must still be running."""
        return sum(process.cpu_s() for process in self._processes)


class TimedReferee(Referee):
    """A referee that records when each answer arrives, and the CPU time used until then."""

    def __init__(self, players: Sequence[RemotePlayer], bots: CountedBots) -> None:
        """Start without answers."""
        super().__init__(players, CLOCK)
        self.times: list[float] = []
        self.costs: list[Cost] = []
        self._bots = bots
        self._used_s = (0.0, 0.0)
        take_answer = self.conditions.take_answer

        def take_timed(pending: PendingDecision, answer: Answer | Fault) -> None:
            self.times.append(time.perf_counter())
            if len(self.times) % WINDOW == 0:
                self.end_window(WINDOW)
            take_answer(pending, answer)

        self.conditions.take_answer = take_timed

    def restart(self) -> None:
        """Forget everything that was measured."""
        self.times.clear()
        self.costs.clear()
        self._used_s = (time.process_time(), self._bots.cpu_s())

    def end_window(self, decisions: int) -> None:
        """Add the cost of the last decisions."""
        (own_s, bots_s), to_us = self._used_s, 1e6 / decisions
        self._used_s = (time.process_time(), self._bots.cpu_s())
        cost = Cost((self._used_s[0] - own_s) * to_us, (self._used_s[1] - bots_s) * to_us)
        self.costs.append(cost)


async def play_remotely(
    matches: Sequence[Fixture], tables: int, cage: Cage, *, make_player: MakePlayer = RemotePlayer
) -> Run:
    """Play matches between four bots; the first `WARM_UP` do not count."""
    bots = CountedBots(cage.launcher(bot("first_action_bot.py"), {}))
    players = [make_player(Entrant(f"bot-{n}"), bots.launch) for n in range(SEATS)]
    referee = TimedReferee(players, bots)
    try:
        await _play(referee, matches[:WARM_UP], tables)
        referee.restart()
        records = await _play(referee, matches[WARM_UP:], tables)
    finally:
        await referee.remove_players(*map(PlayerIndex, range(SEATS)))
    assert not any(record.faults for record in records), "a bot of this benchmark has faulted"
    return Run(referee.times, records, referee.costs)


async def _play(referee: Referee, matches: Sequence[Fixture], tables: int) -> list[Record]:
    records = {f.number: record async for f, record in referee.play_more(matches, tables=tables)}
    return [record for fixture in matches if (record := records[fixture.number])]


def measure_play(game: AnyGame, count: int, tables: int, cage: Cage) -> Run:
    """Play `count` matches of a game that count."""
    return asyncio.run(play_remotely(fixtures(game, count), tables, cage))


def least_cost(runs: Sequence[Run]) -> Cost:
    """Return the cost of several runs of the same matches, without the noise of the machine.

    Other load only ever adds CPU time. So of each part of the matches the lowest cost counts,
    and the parts are averaged.
    """
    parts = list(zip(*(run.costs for run in runs), strict=True))
    return Cost(
        mean(min(cost.referee for cost in part) for part in parts),
        mean(min(cost.bots for cost in part) for part in parts),
    )
