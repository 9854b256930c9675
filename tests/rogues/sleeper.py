"""A bot that sleeps: `sleeper.py always`, or `sleeper.py "in a crowd"` with many requests."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from arena.sdk import Bot, run

ALWAYS = sys.argv[1] == "always"


class Sleeper(Bot):
    """Plays the first legal action, after a long sleep."""

    def choose_many(self, views: Sequence[Any]) -> Sequence[int]:
        """Sleep, always or if there are many views."""
        if ALWAYS or len(views) > 2:
            time.sleep(3600)
        return super().choose_many(views)

    def choose(self, view: Any) -> int:
        """Return the first legal action."""
        return self.legal_actions(view)[0]


if __name__ == "__main__":
    run(Sleeper)
