"""What does a cluster cost, compared with local workers?

The same event is played by two local workers and by two workers of a cluster on this machine, in
turns. Ratios are medians of the ratios of each turn. Processor time is that of all processes, the
scheduler and the bots included, so that it holds on a busy machine too. The scheduler and the
workers are running already: they are started once for many events. The bots hardly think, unless
BOTS names others.

What does not grow with the event, such as the import of Dask, is measured by an event of one deal:
`start_cpu_s` is how much more it takes on the cluster. `cpu_ratio` and `cpu_ratio_trusting` compare
what the other matches take; the latter with --trust-workers. `cpu_ratio_with_start` and
`time_ratio` compare whole events. `chunk_cpu_ms` is how much more processor time the event takes on
the cluster, for each chunk, without the start.

`task_cpu_ms` is the processor time that a chunk costs as a task of Dask, in all processes together,
measured with tasks that only carry bytes. `check_ms` is the processor time to check a match by the
rules before it is stored, and `replay_bytes` the size of its replay.
"""

from __future__ import annotations

import os
import pickle
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from measured_command import run_measured
from print_figures import print_figures

from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.sandbox.control_group import ControlGroup
from arena.sandbox.control_groups import control_group_problem, make_group_if_possible
from arena.workers.cluster.addresses import Access
from arena.workers.cluster.assignments import MAX_MATCHES
from arena.workers.cluster.dask_access import configure_dask, security_of

DEALS = int(os.environ.get("DEALS", "400"))
ROUNDS = int(os.environ.get("ROUNDS", "5"))
BOTS = os.environ.get("BOTS", "random,first,greedy-meow")
TASKS = 300
TASK_BYTES = 7_000
"""A chunk of 64 matches between four bots, without their packages."""
EVENT = (
    *("event", "run", "round-robin", "--game", "meow", "--bots", BOTS),
    *("--seats", "3", "--seed", "1", "--quiet", "--name", "cup"),
)


def measure() -> dict[str, object]:
    """Play the events; return the document that --json prints."""
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        group = make_group_if_possible(folder)
        if group is None:
            raise SystemExit(f"no control groups here: {control_group_problem()}")
        stack.callback(group.remove, 5.0)
        scheduler = _start(stack, group, "scheduler", "--host", "127.0.0.1", "--port", "0")
        address = _read(scheduler, r"tcp://[\d.:]+")
        workers = _start(stack, group, "worker", address, "--cores", "2", "--name", "bench")
        _read(workers, r" is at ")
        # The speed that busy machines measure is not the same twice.
        on_cluster = ("--workers", address, "--insecure", "--speed-band", "100000")
        ways = {"local": ("--jobs", "2"), "cluster": on_cluster}
        ways["trusting"] = (*on_cluster, "--trust-workers")
        turns = [
            {way: _play_both(folder, group, way, options) for way, options in ways.items()}
            for _ in range(ROUNDS)
        ]
        matches, replays = _replays(folder / "local.db")
        chunks = -(-matches // MAX_MATCHES)
        more_s = median(_rest_cpu_s(turn["cluster"]) - _rest_cpu_s(turn["local"]) for turn in turns)
        return {
            "matches": matches,
            "chunks": chunks,
            "local_cpu_s": _median(turn["local"].whole.cpu_s for turn in turns),
            "start_cpu_s": _median(
                turn["cluster"].start.cpu_s - turn["local"].start.cpu_s for turn in turns
            ),
            "cpu_ratio": _ratio(turns, "cluster", _rest_cpu_s),
            "cpu_ratio_trusting": _ratio(turns, "trusting", _rest_cpu_s),
            "cpu_ratio_with_start": _ratio(turns, "cluster", lambda both: both.whole.cpu_s),
            "time_ratio": _ratio(turns, "cluster", lambda both: both.whole.duration_s),
            "time_ratio_trusting": _ratio(turns, "trusting", lambda both: both.whole.duration_s),
            "chunk_cpu_ms": round(more_s / chunks * 1000, 1),
            "task_cpu_ms": round(_task_cpu_ms(address, group), 2),
            "check_ms": round(_check_ms(replays), 2),
            "replay_bytes": round(sum(map(len, replays)) / len(replays)),
            "league_bytes_per_match": round((folder / "local.db").stat().st_size / matches),
        }


class Cost(NamedTuple):
    """What an event took."""

    duration_s: float
    cpu_s: float


class Costs(NamedTuple):
    """What an event of one deal took, and the whole one."""

    start: Cost
    whole: Cost


def _rest_cpu_s(costs: Costs) -> float:
    return costs.whole.cpu_s - costs.start.cpu_s


def _median(figures: Iterable[float]) -> float:
    return round(median(figures), 2)


def _ratio(turns: list[dict[str, Costs]], way: str, figure: Callable[[Costs], float]) -> float:
    return round(median(figure(turn[way]) / figure(turn["local"]) for turn in turns), 3)


def _start(stack: ExitStack, group: ControlGroup, *words: str) -> subprocess.Popen[str]:
    command = [*group.join_command(), sys.executable, "-m", "arena", *words, "--insecure"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    stack.callback(process.wait)
    stack.callback(process.terminate)
    return process


def _read(process: subprocess.Popen[str], pattern: str) -> str:
    """Return what a process writes, when it matches."""
    assert process.stderr
    for line in process.stderr:
        found = re.search(pattern, line)
        if found:
            return found[0]
    raise SystemExit("it has ended")


def _play_both(folder: Path, group: ControlGroup, way: str, options: tuple[str, ...]) -> Costs:
    """Play an event of one deal, then the whole one."""
    return Costs(*(_play(folder, group, way, (*options, "--deals", d)) for d in ("1", str(DEALS))))


def _play(folder: Path, group: ControlGroup, way: str, options: tuple[str, ...]) -> Cost:
    """Play the event in a new league."""
    db = folder / f"{way}.db"
    db.unlink(missing_ok=True)
    before = group.cpu_s()
    command = [sys.executable, "-m", "arena", *EVENT, "--db", str(db), *options]
    measured = run_measured(command)
    assert measured.cpu_s is not None
    cost = Cost(measured.duration_s, measured.cpu_s + group.cpu_s() - before)
    load = os.getloadavg()[0]
    print(
        f"{way}: {cost.duration_s:.1f} s, processor {cost.cpu_s:.2f} s, load {load:.0f}",
        file=sys.stderr,
    )
    return cost


def _replays(db: Path) -> tuple[int, list[bytes]]:
    with closing(sqlite3.connect(db)) as league:
        ((matches,),) = league.execute("SELECT count(*) FROM matches")
        return matches, [content for (content,) in league.execute("SELECT content FROM replays")]


def _check_ms(replays: list[bytes]) -> float:
    """Return the processor time to check a match by the rules."""
    start = time.process_time()
    for replay in replays:
        assert verify(read_replay(replay)) == []
    return (time.process_time() - start) / len(replays) * 1000


def _task_cpu_ms(address: str, group: ControlGroup) -> float:
    """Return the processor time of a task that only carries bytes there and back."""
    from distributed import Client

    configure_dask()
    access = Access(address, None)
    with Client(address, security=security_of(access.certificates), set_as_default=False) as client:
        payload = pickle.dumps(os.urandom(TASK_BYTES))
        client.submit(bytes, payload, pure=False).result()
        before, own = group.cpu_s(), time.process_time()
        for _ in range(TASKS):
            client.submit(bytes, payload, pure=False).result()
        return (group.cpu_s() - before + time.process_time() - own) / TASKS * 1000


if __name__ == "__main__":
    print_figures(measure())
