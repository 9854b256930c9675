"""A bot that spends time in one way: `spender.py WAY SECONDS`.

It plays its first legal action, and for each decision it works (in its own thread or in four
others) or sleeps for so many seconds; or it ponders all the time, in a thread of its own. With each
decision it prints, as a line of JSON, how much processor time it had used until then, and what the
clocks showed.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
import time
from typing import Any

from arena.sdk import Bot, run

WAY, SECONDS = sys.argv[1], float(sys.argv[2])
THREADS = 4


def work(seconds: float) -> None:
    """Use so much of the processor in this thread."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        # Long enough that other threads can run meanwhile.
        hashlib.sha256(bytes(100_000))


def in_threads() -> None:
    """Use so much of the processor in each of some threads."""
    threads = [threading.Thread(target=work, args=(SECONDS,)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Spender(Bot):
    """Plays the first legal action, and takes its time."""

    def __init__(self) -> None:
        """Begin to ponder, and to keep accounts."""
        if WAY == "ponder":
            threading.Thread(target=work, args=(float("inf"),), daemon=True).start()
        self._started_s = time.process_time()

    def choose(self, view: Any) -> int:
        """Give account, spend time, then choose."""
        account = {
            "used_s": time.process_time() - self._started_s,
            "time_left_s": self.time_left_s,
            "wall_left_s": self.match.wall_left_s,
        }
        print(json.dumps(account), flush=True)
        if WAY == "work":
            work(SECONDS)
        elif WAY == "threads":
            in_threads()
        elif WAY == "sleep":
            time.sleep(SECONDS)
        return self.legal_actions(view)[0]


if __name__ == "__main__":
    run(Spender)
