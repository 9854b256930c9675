"""Matches between real processes, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from arena.games.randomness import derive, seed_from
from arena.games.registry import game_named
from arena.indices import PlayerIndex
from arena.records import Entrant, Record
from arena.referee.clock import Clock
from arena.referee.model import Fixture
from arena.referee.players.local import LocalPlayer, random_chooser
from arena.referee.players.player import Player
from arena.referee.players.remote import RemotePlayer
from arena.referee.referee import Referee
from arena.submission.manifest import Manifest
from tests.builders.bots import ROGUES
from tests.cages import launcher


@dataclass(frozen=True, slots=True)
class ShortWallClock(Clock):
    """A cpu clock whose wall clock is equally short, for tests that cannot wait."""

    @property
    def wall(self) -> Clock:
        """The clock that counts elapsed time."""
        return Clock(self.bank_s, self.increment_s)


def rogue(name: str, program: str, *switches: str, start_limit_s: float = 20.0) -> RemotePlayer:
    """Make a bot from a program in tests/rogues."""
    manifest = Manifest(name, ("meow",), ("python", program, *switches), ROGUES)
    return RemotePlayer(Entrant(name), launcher(manifest), start_limit_s=start_limit_s)


def random_player(name: str) -> LocalPlayer:
    """Make a random player in this process."""
    return LocalPlayer(Entrant(name), random_chooser)


def make_fixtures(count: int, seats: int, game_id: str = "meow", seed: int = 1) -> list[Fixture]:
    """Make matches between the same players in the same seats."""
    game = game_named(game_id)
    return [
        Fixture(
            number,
            game,
            game.default_parameters,
            derive(seed_from(seed), f"match {number}"),
            tuple(map(PlayerIndex, range(seats))),
        )
        for number in range(count)
    ]


def play_fixtures(
    players: Sequence[Player],
    matches: Sequence[Fixture],
    *,
    tables: int,
    clock: Clock,
    freeze: bool = False,
) -> list[Record]:
    """Play matches and return their records in the order of the fixtures."""

    async def play() -> dict[int, Record]:
        referee = Referee(players, clock, freeze=freeze)
        return {f.number: record async for f, record in referee.play(matches, tables=tables)}

    records = asyncio.run(play())
    return [records[fixture.number] for fixture in matches]


def without_times(record: Record) -> Record:
    """Return a record without thinking times.

    The wire messages of faults are dropped as well: they contain the time left and the number under
    which the bot knew the match.
    """
    return replace(
        record,
        decisions=tuple(decision._replace(time_us=0) for decision in record.decisions),
        faults=tuple(
            replace(fault, time_left_s=None, request=b"", reply=b"") for fault in record.faults
        ),
    )


def without_times_or_sentences(record: Record) -> Record:
    """Return a record without times and without the sentences of faults, which contain figures."""
    faults = (replace(fault, sentence="", printed=b"") for fault in without_times(record).faults)
    return replace(without_times(record), faults=tuple(faults))


def child_processes() -> set[int]:
    """Return the ids of the child processes of this process."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        # A thread may end during the scan.
        with suppress(FileNotFoundError, ProcessLookupError):
            found.update(map(int, (task / "children").read_text().split()))
    return found
