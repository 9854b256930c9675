"""Play one event again and again while something is done to it, and compare the leagues.

Every trial starts from the same league, with the same secret. It says what it did and shows that
this had an effect; then the event is resumed if it has stopped, and its league must be that of an
undisturbed run, row by row and decision by decision, except for times. No process or folder may be
left. A trial that this machine does not allow is skipped with a sentence.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from random import Random

from tests.faults import clusters, disks, files, moves, signals
from tests.faults.event import Skipped, Trial, undisturbed
from tests.tournament.processes import new_workspace

TRIALS: Sequence[Callable[[Trial], str]] = (
    *signals.TRIALS,
    *moves.TRIALS,
    *disks.TRIALS,
    *files.TRIALS,
    *clusters.TRIALS,
)


def run(trial: Callable[[Trial], str], seed: int) -> tuple[str, str]:
    """Run a trial in a workspace of its own; return its verdict, and what it did."""
    name = f"{trial.__module__}.{trial.__name__}"
    with new_workspace() as workspace:
        try:
            done = trial(Trial(workspace, Random(f"{name} {seed}"), undisturbed()))
        except Skipped as reason:
            return "skipped", str(reason)
        except Exception as error:
            return "FAILED", f"{type(error).__name__}: {error}"
    return "same", done


def main() -> None:
    """Run the trials, each once or for an hour, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--long", action="store_true", help="with new seeds, for an hour")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "-k", default="", metavar="TEXT", help="only trials with this in their name"
    )
    options = parser.parse_args()
    chosen = [trial for trial in TRIALS if options.k in f"{trial.__module__}.{trial.__name__}"]
    until = time.monotonic() + (3600 if options.long else 0)
    failed = rounds = 0
    while not rounds or time.monotonic() < until:
        for trial in chosen:
            began = time.monotonic()
            verdict, said = run(trial, options.seed + rounds)
            failed += verdict == "FAILED"
            took = time.monotonic() - began
            print(
                f"{verdict:8}{took:5.0f} s  {trial.__name__.replace('_', ' ')}: {said}", flush=True
            )
        rounds += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
