"""What has a bot used, by the referee's clocks and by its own account?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from arena.records import Record
from arena.referee.clock import Clock
from arena.referee.desk import Player
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.process import Process
from tests.referee.matches import bot, fixtures, played


class Account(NamedTuple):
    """What a bot had used when it was asked for a decision, in seconds."""

    decisions: int
    """How many it had made before."""
    used_s: float
    """Its processor time by its own count."""
    charged_s: float
    """What its clock had taken off."""
    took_s: float
    """What the wall clock had taken off."""


def started_by(player: RemotePlayer) -> list[Process]:
    """Return a list to which every process of the bot is added as it starts."""
    launch = player._launch
    processes: list[Process] = []

    def noted(socket: Path, on_exit: Callable[[], None]) -> Process:
        processes.append(launch(socket, on_exit))
        return processes[-1]

    player._launch = noted
    return processes


def spending(
    way: str, seconds: float, other: Player, *, clock: Clock, freeze: bool = False
) -> tuple[Record, list[Account]]:
    """Let a bot that spends time play a match; the clock has no increment."""
    spender = bot("spender", "spender.py", way, str(seconds))
    processes = started_by(spender)
    players = [spender, other]
    (record,) = played(players, fixtures(1, 2), tables=1, clock=clock, freeze=freeze)
    lines = processes[-1].printed().decode().splitlines()
    accounts = [
        Account(
            number,
            told["used_s"],
            clock.bank_s - told["time_left_s"],
            clock.wall.bank_s - told["wall_left_s"],
        )
        for number, told in enumerate(map(json.loads, lines))
    ]
    assert len(accounts) > 5
    return record, accounts
