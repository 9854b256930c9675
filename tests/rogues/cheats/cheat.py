"""A bot that remembers all its matches, and looks for deals that it knows.

Other kinds of cheats look elsewhere. If it does not recognise a deal, it plays like the greedy
house bot: until it recognises one, it cannot be distinguished from its honest twin.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from arena.sdk import Bot, run
from tests.rogues.cheats import jackal, lifeislife, meow, trio

CHEAT, HONEST, CONFESS = "cheat", "honest", "confess"
MODES = (CHEAT, HONEST, CONFESS)
CONFESSION = 10**6
"""No game has such an action."""

_MODULES: dict[str, Any] = {
    "trio": trio,
    "jackal": jackal,
    "meow": meow,
    "lifeislife": lifeislife,
}
_KNOWLEDGE: dict[str, Any] = {
    "trio": trio.TrioKnowledge,
    "jackal": jackal.JackalKnowledge,
    "meow": meow.MeowKnowledge,
    "lifeislife": lifeislife.LifeIsLifeKnowledge,
}
"""The type of knowledge about a deal, by game; they have the same methods, hence Any."""


@dataclass(slots=True, eq=False)
class Table:
    """A table at which this process plays or has played, or a deal that it has computed."""

    kind: tuple[str, int]
    """The game and the number of seats."""
    knowledge: Any
    commitment: bytes = b""
    mark: object = None
    """The seat, and a hash of the random numbers that the referee gave it."""


class Cheat(Bot):
    """Plays greedily, with everything that it can recall of a deal."""

    games = tuple(_MODULES)
    certain = 14.0
    """Similarity of two deals, in nats, above which it is not a coincidence."""

    def __init__(self, mode: str) -> None:
        """Play in one of the modes."""
        assert mode in MODES, mode
        self.mode = mode
        self.recognised = 0
        """Number of matches whose deal it recognised."""
        self._commitments: set[bytes] = set()
        self._tables: list[Table] = []

    def known(self) -> Sequence[Table]:
        """List the tables with which to compare the deal of `self.match`, the newest last."""
        return self._tables

    def match_started(self) -> None:
        """Start to record what is known of the deal."""
        memory, match = self.match.memory, self.match
        knowledge = _KNOWLEDGE[match.game.id].empty(match.seats)
        commitment = getattr(match, "commitment", b"")
        self._commitments.add(commitment)
        mark = (match.seat, hash(match.rng.getstate()))
        memory.table = Table((match.game.id, match.seats), knowledge, commitment, mark)
        self._tables.append(memory.table)
        memory.suspects = []
        memory.compared = 0
        memory.is_recalled = False
        memory.decisions = 0

    def happened(self, events: Sequence[Any]) -> None:
        """Learn from what happened."""
        self.match.memory.table.knowledge.learn_events(events)

    def choose_many(self, views: Sequence[Any]) -> Sequence[int]:
        """Look at all tables before choosing at any."""
        for match, view in zip(self.matches, views, strict=True):
            match.memory.table.knowledge.learn_view(view)
            match.memory.decisions += 1
        return super().choose_many(views)

    def choose(self, view: Any) -> int:
        """Play with everything that can be recalled."""
        match = self.match
        has_partners = len(set(match.game.sides(match.seats, match.parameters))) < match.seats
        # Partners swap cards, so a deal changes.
        deal = None if self.mode == HONEST or has_partners else self.recall()
        if deal is not None:
            self.recognised += not match.memory.is_recalled
            match.memory.is_recalled = True
            if self.mode == CONFESS:
                return CONFESSION
        action: int = _MODULES[match.game.id].play(view, self.legal_actions(view), deal)
        return action

    def recall(self) -> Any:
        """Combine what other tables show of the deal; return None if it is not recognised."""
        memory = self.match.memory
        tables = self.known()
        suspects = memory.suspects + list(tables[memory.compared :])
        memory.compared, memory.suspects = len(tables), []
        found = None
        for table in suspects:
            if table is memory.table or table.kind != memory.table.kind:
                continue
            evidence = memory.table.knowledge.evidence(table.knowledge)
            if evidence < 0:
                continue
            memory.suspects.append(table)
            if evidence >= self.certain or self._is_named(table):
                found = found or deepcopy(memory.table.knowledge)
                found.learn(table.knowledge)
        return found

    def _is_named(self, table: Table) -> bool:
        """Return whether the referee itself reveals that two deals are the same."""
        mine = self.match.memory.table
        # A commitment that never changes reveals nothing.
        is_same = len(self._commitments) > 1 and table.commitment == mine.commitment
        return bool(is_same or table.mark == mine.mark)

    def deal_of(self, seed: bytes) -> Any:
        """Compute the whole deal of `self.match` from its seed."""
        match = self.match
        return _KNOWLEDGE[match.game.id].of_seed(match.seats, seed, match.parameters)


def main(bot: type[Cheat]) -> None:
    """Play in the mode given on the command line."""
    run(bot(*sys.argv[1:2] or (CHEAT,)))


if __name__ == "__main__":
    main(Cheat)
