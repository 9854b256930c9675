"""A bot that looks for deals that it knows; each kind of cheat says where it looks.

Without its trick it plays as the greedy house bot does, and so it does at every deal that it does
not recognise: as long as it recognises none, it cannot be told from its honest twin.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.sdk import Bot, run
from tests.rogues.cheats import meow, trio

CHEAT, HONEST, TELL = "cheat", "honest", "tell"
WAYS = (CHEAT, HONEST, TELL)
CONFESSION = 10**6
"""No game has such an action."""

_MODULES: dict[str, Any] = {"trio": trio, "meow": meow}
_SIGHTS: dict[str, Any] = {"trio": trio.TrioSight, "meow": meow.MeowSight}
"""By game, what can be known of a deal: types that have the same methods, hence Any."""


@dataclass(slots=True, eq=False)
class Table:
    """A table at which this process sits or sat, or a deal that it has computed."""

    kind: tuple[str, int]
    """The game and the number of seats."""
    sight: Any
    commitment: bytes = b""
    mark: object = None
    """The seat, and a hash of the random numbers that the referee gave it."""
    is_forgotten: bool = False


class Cheat(Bot):
    """Plays greedily, with all that it can recall of a deal."""

    games = tuple(_MODULES)
    trusts_cards_alone = False
    certain = 14.0
    """So much likeness of two deals, in nats, is no accident."""

    def __init__(self, way: str) -> None:
        """Take the way of playing."""
        assert way in WAYS, way
        self.way = way
        self.recognised = 0
        """In how many matches it has recognised the deal."""
        self._commitments: set[bytes] = set()

    @abstractmethod
    def known(self) -> Sequence[Table]:
        """List what the deal of `self.match` is to be compared with; what is new comes last."""

    def match_started(self) -> None:
        """Begin to watch."""
        memory, match = self.match.memory, self.match
        sight = _SIGHTS[match.game.id].empty(match.seats)
        commitment = getattr(match, "commitment", b"")
        self._commitments.add(commitment)
        mark = (match.seat, hash(match.rng.getstate()))
        memory.table = Table((match.game.id, match.seats), sight, commitment, mark)
        memory.suspects = []
        memory.compared = 0
        memory.recalled = False
        memory.decisions = 0

    def happened(self, events: Sequence[Any]) -> None:
        """Learn from what happened."""
        self.match.memory.table.sight.hear(events)

    def choose_many(self, views: Sequence[Any]) -> Sequence[int]:
        """Look at all tables before choosing at any."""
        for match, view in zip(self.matches, views, strict=True):
            match.memory.table.sight.look(view)
            match.memory.decisions += 1
        return super().choose_many(views)

    def choose(self, view: Any) -> int:
        """Play with what can be recalled."""
        match = self.match
        has_partners = len(set(match.game.sides(match.seats, match.parameters))) < match.seats
        # Partners change hands, so that a deal does not stay as it was.
        deal = None if self.way == HONEST or has_partners else self.recalled()
        if deal is not None:
            self.recognised += not match.memory.recalled
            match.memory.recalled = True
            if self.way == TELL:
                return CONFESSION
        action: int = _MODULES[match.game.id].play(view, self.legal_actions(view), deal)
        return action

    def recalled(self) -> Any:
        """Put together what is known of the deal from elsewhere; None if it is not recognised."""
        memory = self.match.memory
        tables = self.known()
        suspects = memory.suspects + list(tables[memory.compared :])
        memory.compared, memory.suspects = len(tables), []
        found = None
        for table in suspects:
            if table is memory.table or table.is_forgotten or table.kind != memory.table.kind:
                continue
            evidence = memory.table.sight.evidence(table.sight)
            if evidence < 0:
                continue
            memory.suspects.append(table)
            if evidence >= self.certain or self._is_named(table):
                found = found or _SIGHTS[self.match.game.id].empty(self.match.seats)
                found.learn(table.sight)
        return found

    def _is_named(self, table: Table) -> bool:
        """Tell whether the referee itself says that two deals are the same."""
        mine = self.match.memory.table
        if self.trusts_cards_alone:
            return False
        # A commitment that never changes tells nothing.
        tells = len(self._commitments) > 1 and table.commitment == mine.commitment
        return bool(tells or table.mark == mine.mark)

    def deal_of(self, seed: bytes) -> Any:
        """Compute the whole deal of `self.match` from its seed."""
        match = self.match
        return _SIGHTS[match.game.id].of_seed(match.seats, seed, match.parameters)


def main(bot: type[Cheat]) -> None:
    """Play in the way that the command line names."""
    run(bot(*sys.argv[1:2] or (CHEAT,)))
