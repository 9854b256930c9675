"""What does a cluster cost, compared with local workers?

The same event is played by two local workers and by two workers of a cluster on this machine, in
turns, each after an event of one deal, which measures the start. The CPU time is that of all
processes, the scheduler and the bots included, so that it holds on a busy machine too. The
scheduler and the workers are running already. The bots hardly think.

`scripts/bench cluster [--rounds NUMBER] [--deals NUMBER] [--sealed] [--json]`
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from figures import print_figures

GROUPS = Path("/sys/fs/cgroup/cpuacct")
EVENT = (
    *("event", "run", "round-robin", "--game", "meow", "--bots", "random,first,greedy-meow"),
    *("--seats", "3", "--quiet", "--name", "cup"),
)


class Group:
    """A control group whose processes' CPU time is counted."""

    def __init__(self, stack: ExitStack) -> None:
        """Make it, and remove it at the end."""
        self._path = GROUPS / f"arena-bench-{os.getpid()}"
        self._path.mkdir()
        stack.callback(self._remove)

    def start(self, *words: str, **streams: int) -> subprocess.Popen[str]:
        """Start a command of the arena in it."""
        join = f'echo $$ > {self._path}/cgroup.procs && exec "$@"'
        command = ["sh", "-c", join, "sh", sys.executable, "-m", "arena", *words]
        return subprocess.Popen(command, text=True, **streams)  # type: ignore[call-overload,no-any-return]

    def cpu_s(self) -> float:
        """Return the CPU time that its processes have used."""
        return int((self._path / "cpuacct.usage").read_text()) / 1e9

    def _remove(self) -> None:
        while (self._path / "cgroup.procs").read_text():
            time.sleep(0.1)
        self._path.rmdir()


def start_and_read(stack: ExitStack, group: Group, pattern: str, *words: str) -> str:
    """Start a command that runs until the end, and return what it says."""
    process = group.start(*words, "--insecure", stderr=subprocess.PIPE)
    stack.callback(process.wait)
    stack.callback(process.terminate)
    assert process.stderr
    return next(found[0] for line in process.stderr if (found := re.search(pattern, line)))


def play(group: Group, db: Path, deals: int, options: Sequence[str]) -> tuple[float, float]:
    """Play an event; return its duration and the CPU time of all processes."""
    db.unlink(missing_ok=True)
    cpu_s, began = group.cpu_s(), time.perf_counter()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = group.start(*EVENT, "--deals", str(deals), "--db", str(db), *options, **quiet)
    assert process.wait() == 0
    return time.perf_counter() - began, group.cpu_s() - cpu_s


def measure(rounds: int, deals: int, seed: Sequence[str]) -> dict[str, object]:
    """Play in turns; return the document that --json prints."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        group = Group(stack)
        address = start_and_read(
            stack, group, r"tcp://[\d.:]+", "scheduler", "--host", "127.0.0.1", "--port", "0"
        )
        start_and_read(stack, group, " is at ", "worker", address, "--cores", "2", "--name", "m")
        # The speed that busy machines measure is not the same twice.
        cluster = ("--workers", address, "--insecure", "--speed-band", "100000")
        ways = {
            "local": ("--jobs", "2"),
            "cluster": cluster,
            "trusting": (*cluster, "--trust-workers"),
        }
        figures: dict[str, dict[str, list[float]]] = {way: {} for way in ways}
        for number in range(rounds):
            for way in list(ways)[:: -1 if number % 2 else 1]:
                options = (*seed, *ways[way])
                _, start_cpu_s = play(group, folder / f"{way}.db", 1, options)
                whole_s, cpu_s = play(group, folder / f"{way}.db", deals, options)
                named = {
                    "duration": whole_s,
                    "cpu": cpu_s,
                    "cpu without start": cpu_s - start_cpu_s,
                }
                for name, figure in named.items():
                    figures[way].setdefault(name, []).append(figure)
        found: dict[str, object] = {
            f"local {name}, s": " ".join(f"{value:.2f}" for value in values)
            for name, values in figures["local"].items()
        }
        for way in ("cluster", "trusting"):
            for name, values in figures[way].items():
                ratios = [
                    one / other for one, other in zip(values, figures["local"][name], strict=True)
                ]
                spread = " ".join(f"{ratio:.2f}" for ratio in sorted(ratios))
                found[f"{way} {name}"] = f"{median(ratios):.2f} of local ({spread})"
        return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--sealed", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    print_figures(measure(given.rounds, given.deals, () if given.sealed else ("--seed", "1")))
