"""A bot that sleeps: `drowsy.py always`, or `drowsy.py "in a crowd"` when many tables wait."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from arena.sdk import Bot, run

ALWAYS = sys.argv[1] == "always"


class Drowsy(Bot):
    """Plays the first legal action, after a long sleep."""

    def choose_many(self, views: Sequence[Any]) -> Sequence[int]:
        """Sleep if there is a reason to."""
        if ALWAYS or len(views) > 2:
            time.sleep(3600)
        return super().choose_many(views)

    def choose(self, view: Any) -> int:
        """Choose the first."""
        return self.legal_actions(view)[0]


if __name__ == "__main__":
    run(Drowsy)
