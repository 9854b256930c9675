"""A bot that spends time in one way: `time_spender.py ACTIVITY SECONDS`.

It plays its first legal action. For each decision it works (in its own thread or in four others) or
sleeps for SECONDS. With each decision it prints, as a line of JSON, the CPU time that it has
used so far and the times left on its clocks.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
import time
from typing import Any

from arena.sdk import Bot, run

ACTIVITY, SECONDS = sys.argv[1], float(sys.argv[2])
THREADS = 4


def work(seconds: float) -> None:
    """Use CPU time in this thread."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        # Hashing this much releases the GIL, so that other threads run.
        hashlib.sha256(bytes(100_000))


def work_in_threads() -> None:
    """Use CPU time in each of several threads."""
    threads = [threading.Thread(target=work, args=(SECONDS,)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class TimeSpender(Bot):
    """Plays the first legal action after spending time."""

    def __init__(self) -> None:
        """Start to count CPU time."""
        self._started_s = time.process_time()

    def choose(self, view: Any) -> int:
        """Print the times, spend time, then choose."""
        times = {
            "used_s": time.process_time() - self._started_s,
            "time_left_s": self.time_left_s,
            "wall_left_s": self.match.wall_left_s,
        }
        print(json.dumps(times), flush=True)
        if ACTIVITY == "work":
            work(SECONDS)
        elif ACTIVITY == "threads":
            work_in_threads()
        elif ACTIVITY == "sleep":
            time.sleep(SECONDS)
        return self.legal_actions(view)[0]


if __name__ == "__main__":
    run(TimeSpender)
