"""What does a cluster cost, compared with local workers?

The same event is played by two local workers and by two workers of a cluster on this machine, in
turns. `time_ratio` and `cpu_ratio` compare the medians; processor time is that of all processes,
the scheduler and the bots included, so that it holds on a busy machine too. The scheduler and the
workers are running already: they are started once for many events.

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
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from measured_command import run_measured
from print_figures import print_figures

from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.sandbox.control_group import ControlGroup
from arena.sandbox.control_groups import control_group_problem, make_group_if_possible
from arena.workers.cluster.addresses import Access
from arena.workers.cluster.chunks import MAX_MATCHES
from arena.workers.cluster.dask_access import configure_dask, security_of

DEALS = 120
ROUNDS = int(os.environ.get("ROUNDS", "5"))
TASKS = 300
TASK_BYTES = 4_000
"""A chunk of 32 matches between four bots, without their packages."""
EVENT = (
    *("event", "run", "round-robin", "--game", "meow", "--bots", "random,first,greedy-meow"),
    *("--seats", "3", "--seed", "1", "--quiet", "--deals", str(DEALS), "--name", "cup"),
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
        on_cluster = ("--workers", address, "--insecure")
        ways = {"local": ("--jobs", "2"), "cluster": on_cluster}
        ways["trusting"] = (*on_cluster, "--trust-workers")
        times: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for _ in range(ROUNDS):
            for way, options in ways.items():
                times[way].append(_play(folder, group, way, options))
        matches, replays = _replays(folder / "local.db")
        seconds = {way: median(each for each, _ in times[way]) for way in ways}
        used = {way: median(each for _, each in times[way]) for way in ways}
        return {
            "matches": matches,
            "chunks": -(-matches // MAX_MATCHES),
            "local_s": round(seconds["local"], 1),
            "cluster_s": round(seconds["cluster"], 1),
            "time_ratio": round(seconds["cluster"] / seconds["local"], 3),
            "time_ratio_trusting": round(seconds["trusting"] / seconds["local"], 3),
            "local_cpu_s": round(used["local"], 1),
            "cpu_ratio": round(used["cluster"] / used["local"], 3),
            "cpu_ratio_trusting": round(used["trusting"] / used["local"], 3),
            "matches_per_cpu_s": round(matches / used["cluster"], 1),
            "task_cpu_ms": round(_task_cpu_ms(address, group), 2),
            "check_ms": round(_check_ms(replays), 2),
            "replay_bytes": round(sum(map(len, replays)) / len(replays)),
            "league_bytes_per_match": round((folder / "local.db").stat().st_size / matches),
        }


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


def _play(
    folder: Path, group: ControlGroup, way: str, options: tuple[str, ...]
) -> tuple[float, float]:
    """Play the event in a new league; return the time and the processor time."""
    db = folder / f"{way}.db"
    db.unlink(missing_ok=True)
    before = group.cpu_s()
    measured = run_measured([sys.executable, "-m", "arena", *EVENT, "--db", str(db), *options])
    assert measured.cpu_s is not None
    figures = measured.duration_s, measured.cpu_s + group.cpu_s() - before
    print(f"{way}: {figures[0]:.1f} s, processor {figures[1]:.1f} s", file=sys.stderr)
    return figures


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
