"""An honest bot that uses a few milliseconds of processor time for each decision."""

from __future__ import annotations

import hashlib
import time
from typing import Any

from arena.sdk import Bot, run

WORK_S = 0.005


class Busy(Bot):
    """Plays the first legal action, after some work."""

    def choose(self, view: Any) -> int:
        """Work, then choose."""
        end = time.thread_time() + WORK_S
        while time.thread_time() < end:
            hashlib.sha256(bytes(10_000))
        return self.legal_actions(view)[0]


if __name__ == "__main__":
    run(Busy)
