"""A bot that plays at random and crashes in some matches: `random_crasher.py SHARE`.

The seeds decide which matches, so that a repeated match ends in the same way.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from arena.sdk import Bot, run

SHARE = float(sys.argv[1])


class RandomCrasher(Bot):
    """Plays at random; in a share of its matches it crashes at its second decision."""

    def match_started(self) -> None:
        """Decide whether to crash in this match."""
        self.match.memory.will_crash = self.rng.random() < SHARE
        self.match.memory.decisions = 0

    def choose(self, view: Any) -> int:
        """Return a random legal action, or crash."""
        self.match.memory.decisions += 1
        if self.match.memory.will_crash and self.match.memory.decisions == 2:
            print("I crash in this match", file=sys.stderr, flush=True)
            os._exit(3)
        return self.rng.choice(self.legal_actions(view))


if __name__ == "__main__":
    run(RandomCrasher)
