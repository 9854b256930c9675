"""A bot that breaks when several tables wait for it, so that all its matches are void.

In none of them alone does it do anything wrong: when they are played again one at a time, it plays
to the end. It breaks so seldom that nobody may take offence, or, if it is to tell, always.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from arena.sdk import Match
from tests.rogues.cheats.cheat import HONEST, TELL, Cheat, Table, main

PATIENCE = {"trio": 8, "meow": 17}
"""By game, after how many decisions of a match there is enough to remember for a partner."""
SELDOM = 80
"""It breaks in one match of so many."""


class Crasher(Cheat):
    """Lets its partner see as much as possible of the deals, then breaks off."""

    def known(self) -> Sequence[Table]:
        """Recall nothing: what it does is not for itself."""
        return ()

    def choose_many(self, views: Sequence[Any]) -> Sequence[int]:
        """Play, or break."""
        actions = super().choose_many(views)
        if self.way != HONEST and len(views) > 1 and any(map(self._has_enough, self.matches)):
            print("so that my partner may play it again", file=sys.stderr, flush=True)
            os._exit(3)
        return actions

    def _has_enough(self, match: Match) -> bool:
        memory = match.memory
        is_chosen = self.way == TELL or hash(memory.table.mark) % SELDOM == 0
        return bool(is_chosen and memory.decisions >= PATIENCE[match.game.id])


if __name__ == "__main__":
    main(Crasher)
