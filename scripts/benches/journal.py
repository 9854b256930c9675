"""How long does it take to check a league's journal, and how large is it?

A league of 100,000 made-up matches is stored through the ledger. `ratings_s` and `journal_s` are
the processor time to check all ratings, and to check all rows against the journal. `journal_share`
is the size of the journal relative to the file.
"""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from league import BATCH, NOW, new_ledger, random_results
from print_figures import print_figures

from leaderboard.journal import head_of
from leaderboard.store import Store
from leaderboard.verification.journal import journal_differences
from leaderboard.verify import first_difference

MATCHES = 100_000


def measure() -> dict[str, object]:
    """Store and check the matches; return the document that --json prints."""
    with TemporaryDirectory() as name:
        path = Path(name) / "arena.db"
        with Store.open(path, create=True) as store, store.writing() as writer:
            ledger = new_ledger(writer)
            results = random_results(MATCHES, Random(1))
            for at in range(0, MATCHES, BATCH):
                ledger.finish(results[at : at + BATCH], now=NOW)
        with Store.open(path) as store:
            start = time.process_time()
            assert first_difference(store) is None
            between = time.process_time()
            assert journal_differences(store) == []
            end = time.process_time()
            ((size,),) = store.rows("SELECT sum(length(content) + 70) FROM journal")
            return {
                "matches": MATCHES,
                "entries": head_of(store).entries,
                "ratings_s": round(between - start, 1),
                "journal_s": round(end - between, 1),
                "journal_share": round(size / path.stat().st_size, 3),
            }


if __name__ == "__main__":
    print_figures(measure())
