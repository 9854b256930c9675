"""A bot that tells its hand to other processes that play the same deal, in other seats or again.

The words after the mode select how: a channel, and what else it does. `crash` lets its process end
after it has told something, so that its matches are repeated; `relay` lets it pass on what others
tell, even if it does not cheat itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from arena.sdk import Result, run
from tests.rogues.cheats.channels import CHANNELS
from tests.rogues.cheats.cheat import CHEAT, HONEST, Cheat, Table

CRASH, RELAY = "crash", "relay"
SELDOM = 20
"""A crasher crashes in one of this many matches."""


class Teller(Cheat):
    """Also remembers what its own process sees, so that it gains something where deals are open."""

    def __init__(self, mode: str, *switches: str) -> None:
        """Use a channel."""
        super().__init__(mode)
        (channel,) = [CHANNELS[switch]() for switch in switches if switch in CHANNELS]
        self._channel = channel
        self._crashes = CRASH in switches
        self._relays = RELAY in switches
        self.heard = 0
        """Number of messages that it has received."""
        self._started = 0
        self._tries: dict[str, int] = {}

    def match_started(self) -> None:
        """Count the matches: in Trio, no bot sees at first what others see of a deal."""
        super().match_started()
        memory = self.match.memory
        memory.number = self._started
        memory.told = set()
        memory.asked = {}
        self._started += 1

    def match_ended(self, result: Result) -> None:
        """Tell what has been seen last."""
        if self.mode != HONEST:
            self._tell()

    def choose_many(self, views: Sequence[Any]) -> Sequence[int]:
        """Tell and listen before choosing."""
        if self.mode != HONEST or self._relays:
            self._exchange(views)
        actions = super().choose_many(views)
        if self.mode != HONEST and self._crashes and len(views) > 1:
            if any(hash(match.memory.table.mark) % SELDOM == 0 for match in self.matches):
                print("so that my match is repeated", file=sys.stderr, flush=True)
                os._exit(3)
        return actions

    def _exchange(self, views: Sequence[Any]) -> None:
        current = self.match
        for match, view in zip(self.matches, views, strict=True):
            self.match = match
            match.memory.table.knowledge.learn_view(view)
            if self.mode != HONEST:
                self._tell()
            self._listen()
        self.match = current

    def _name(self, name: str, to: int) -> str:
        match = self.match
        number = match.memory.number if match.game.id == "trio" else ""
        return f"{match.game.id} {match.seats} {number} {name} to {to}"

    def _tell(self) -> None:
        memory, seat = self.match.memory, self.match.seat
        for name, number in memory.table.knowledge.told(seat):
            if name not in memory.told:
                memory.told.add(name)
                for to in range(self.match.seats):
                    if to != seat:
                        self._channel.send(self._name(name, to), number)

    def _listen(self) -> None:
        memory, match = self.match.memory, self.match
        table = memory.table
        for name in table.knowledge.asked(match.seat, match.seats):
            # A relay's message has another name, under which nothing is destroyed.
            for whole in (self._name(name, match.seat), f"again {self._name(name, match.seat)}"):
                tries = memory.asked.get(whole, 0)
                if tries >= self._channel.copies:
                    continue
                memory.asked[whole] = tries + 1
                number = self._channel.receive(whole, tries)
                if number is None:
                    continue
                memory.asked[whole] = self._channel.copies
                self.heard += 1
                if self._relays:
                    for to in range(match.seats):
                        self._channel.send(f"again {self._name(name, to)}", number)
                knowledge = deepcopy(table.knowledge)
                knowledge.hear(name, number)
                self._tables.append(Table(table.kind, knowledge, table.commitment, table.mark))

    def _is_named(self, table: Table) -> bool:
        """Trust what was told for this very match."""
        return bool(table.mark == self.match.memory.table.mark)


if __name__ == "__main__":
    run(Teller(*sys.argv[1:] or (CHEAT, "names")))
