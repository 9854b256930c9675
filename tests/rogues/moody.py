"""A bot that plays at random and crashes in some matches: `moody.py SHARE`.

Which ones follows from the seeds that it is given, so that the same match again ends the same way.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from arena.sdk import Bot, run

SHARE = float(sys.argv[1])


class Moody(Bot):
    """Plays at random, and crashes at its second decision of a match that it does not like."""

    def match_started(self) -> None:
        """Decide whether to like it."""
        self.match.memory.dislikes = self.rng.random() < SHARE
        self.match.memory.decisions = 0

    def choose(self, view: Any) -> int:
        """Draw a legal action, or crash."""
        self.match.memory.decisions += 1
        if self.match.memory.dislikes and self.match.memory.decisions == 2:
            print("I do not like this match", file=sys.stderr, flush=True)
            os._exit(3)
        return self.rng.choice(self.legal_actions(view))


if __name__ == "__main__":
    run(Moody)
