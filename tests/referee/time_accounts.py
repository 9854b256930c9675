"""Compare the time that a bot used, by the referee's clocks and by its own count."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from arena.records import Record
from arena.referee.clock import Clock
from arena.referee.players.player import Player
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.bot_process import Process
from tests.builders.matches import make_fixtures, play_fixtures, rogue


class TimeAccount(NamedTuple):
    """The time used by a bot up to a request, in seconds."""

    decisions: int
    """Number of earlier decisions."""
    used_s: float
    """CPU time, counted by the bot itself."""
    charged_s: float
    """Time deducted from its clock."""
    took_s: float
    """Time deducted from its wall clock."""


def record_processes(player: RemotePlayer) -> list[Process]:
    """Return a list to which every process of the bot is added when it starts."""
    launch = player._launch
    processes: list[Process] = []

    def launch_and_record(socket: Path, on_exit: Callable[[], None]) -> Process:
        processes.append(launch(socket, on_exit))
        return processes[-1]

    player._launch = launch_and_record
    return processes


def play_spender(
    activity: str, seconds: float, other: Player, *, clock: Clock, freeze: bool = False
) -> tuple[Record, list[TimeAccount]]:
    """Play a match with a bot that spends time; the clock must have no increment."""
    spender = rogue("spender", "time_spender.py", activity, str(seconds))
    processes = record_processes(spender)
    players = [spender, other]
    (record,) = play_fixtures(players, make_fixtures(1, 2), tables=1, clock=clock, freeze=freeze)
    lines = processes[-1].printed().decode().splitlines()
    accounts = [
        TimeAccount(
            number,
            printed["used_s"],
            clock.bank_s - printed["time_left_s"],
            clock.wall.bank_s - printed["wall_left_s"],
        )
        for number, printed in enumerate(map(json.loads, lines))
    ]
    assert len(accounts) > 5
    return record, accounts
