"""A bot that breaks when several tables wait for it, so that all its matches are void.

In none of these matches does it fault: when they are repeated one at a time, it plays to the end.
It breaks too rarely to be noticed or, in the mode `confess`, always.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from arena.sdk import Match
from tests.rogues.cheats.cheat import CONFESS, HONEST, Cheat, Table, main

PATIENCE = {"trio": 8, "jackal": 8, "meow": 17, "lifeislife": 8}
"""Number of decisions after which a partner has seen enough of a match, by game."""
SELDOM = 80
"""It breaks in one of this many matches."""


class Crasher(Cheat):
    """Lets its partner see as much as possible of the deals, then breaks."""

    def known(self) -> Sequence[Table]:
        """Recall nothing: only its partner benefits."""
        return ()

    def choose_many(self, views: Sequence[Any]) -> Sequence[int]:
        """Play, or break."""
        actions = super().choose_many(views)
        if self.mode != HONEST and len(views) > 1 and any(map(self._has_enough, self.matches)):
            print("so that my partner can replay it", file=sys.stderr, flush=True)
            os._exit(3)
        return actions

    def _has_enough(self, match: Match) -> bool:
        memory = match.memory
        is_chosen = self.mode == CONFESS or hash(memory.table.mark) % SELDOM == 0
        return bool(is_chosen and memory.decisions >= PATIENCE[match.game.id])


if __name__ == "__main__":
    main(Crasher)
