"""Matches between real processes, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from arena.games.randomness import derive, seed_from
from arena.games.registry import game_named
from arena.manifest import Manifest
from arena.records import Entrant, Record
from arena.referee.clock import Clock
from arena.referee.desk import Fixture, Player
from arena.referee.floor import Floor
from arena.referee.players.local import LocalPlayer, at_random
from arena.referee.players.remote import RemotePlayer
from tests.cages import launcher

ROGUES = Path(__file__).parents[1] / "rogues"


@dataclass(frozen=True, slots=True)
class Impatient(Clock):
    """A cpu clock with a wall clock beside it that is as short, for tests that cannot wait."""

    @property
    def wall(self) -> Clock:
        """The clock for the time that passes."""
        return Clock(self.bank_s, self.increment_s)


def bot(name: str, program: str, *switches: str, start_limit_s: float = 20.0) -> RemotePlayer:
    """Make a bot of one of the programs in tests/rogues."""
    manifest = Manifest(name, ("meow",), ("python", program, *switches), ROGUES)
    return RemotePlayer(Entrant(name), launcher(manifest), start_limit_s=start_limit_s)


def anybody(name: str) -> LocalPlayer:
    """Make a player of this process that plays at random."""
    return LocalPlayer(Entrant(name), at_random)


def fixtures(count: int, seats: int, game_id: str = "meow", seed: int = 1) -> list[Fixture]:
    """Make matches between the same players in the same seats."""
    game = game_named(game_id)
    return [
        Fixture(
            number,
            game,
            game.default_parameters,
            derive(seed_from(seed), f"match {number}"),
            tuple(range(seats)),
        )
        for number in range(count)
    ]


def played(
    players: Sequence[Player],
    matches: Sequence[Fixture],
    *,
    tables: int,
    clock: Clock,
    freeze: bool = False,
) -> list[Record]:
    """Play matches and return their records in the order of the fixtures."""

    async def play() -> dict[int, Record]:
        floor = Floor(players, clock, freeze=freeze)
        return {f.number: record async for f, record in floor.play(matches, tables=tables)}

    records = asyncio.run(play())
    return [records[fixture.number] for fixture in matches]


def without_times(record: Record) -> Record:
    """Return the record as it would be had nobody looked at a clock.

    With the thinking times go the wire messages of a fault: they tell the clock, and the number
    under which the bot knew the match.
    """
    return replace(
        record,
        decisions=tuple(decision._replace(time_us=0) for decision in record.decisions),
        faults=tuple(
            replace(fault, time_left_s=None, request=b"", reply=b"") for fault in record.faults
        ),
    )


def timeless(record: Record) -> Record:
    """Return a record without times and without what is told of a fault, which has figures."""
    faults = (replace(fault, sentence="", stderr=b"") for fault in without_times(record).faults)
    return replace(without_times(record), faults=tuple(faults))


def children() -> set[int]:
    """List the processes that this one has started."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        # A thread may end while it is looked at.
        with suppress(FileNotFoundError, ProcessLookupError):
            found.update(map(int, (task / "children").read_text().split()))
    return found
