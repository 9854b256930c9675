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

from print_figures import print_figures

from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.workers.cluster.addresses import Access
from arena.workers.cluster.chunks import MAX_MATCHES
from arena.workers.cluster.dask_access import configure_dask, security_of

DEALS = 500
ROUNDS = int(os.environ.get("ROUNDS", "5"))
TASKS = 300
TASK_BYTES = 8_000
"""A chunk of 32 matches between three bots, without their packages."""
EVENT = (
    *("event", "run", "round-robin", "--game", "meow", "--bots", "random,first,greedy-meow"),
    *("--seats", "3", "--seed", "1", "--quiet", "--deals", str(DEALS), "--name", "cup"),
)


class Cpu:
    """The processor time of processes and of all that they have started."""

    def __init__(self, *pids: int) -> None:
        """Watch over these, beside this process's own children."""
        self._pids = pids

    def used_s(self) -> float:
        """Return the time so far."""
        own = os.times()
        return own.children_user + own.children_system + sum(map(_tree_s, self._pids))


def _tree_s(pid: int) -> float:
    """Return the time of a process, of its living descendants and of those it waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    used = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{pid}/task").glob("*/children")
    return used + sum(
        _tree_s(int(child)) for each in children for child in each.read_text().split()
    )


def measure() -> dict[str, object]:
    """Play the events; return the document that --json prints."""
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        scheduler = _start(stack, folder, "scheduler", "--host", "127.0.0.1", "--port", "0")
        address = _read(scheduler, r"tcp://[\d.:]+")
        workers = _start(stack, folder, "worker", address, "--cores", "2", "--name", "bench")
        _read(workers, r" is at ")
        cpu = Cpu(scheduler.pid, workers.pid)
        on_cluster = ("--workers", address, "--insecure")
        ways = {"local": ("--jobs", "2"), "cluster": on_cluster}
        ways["trusting"] = (*on_cluster, "--trust-workers")
        times: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for _ in range(ROUNDS):
            for way, options in ways.items():
                times[way].append(_play(folder, cpu, way, options))
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
            "task_cpu_ms": round(_task_cpu_ms(address, cpu), 2),
            "check_ms": round(_check_ms(replays), 2),
            "replay_bytes": round(sum(map(len, replays)) / len(replays)),
            "league_bytes_per_match": round((folder / "local.db").stat().st_size / matches),
        }


def _start(stack: ExitStack, folder: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "arena", *words, "--insecure"]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
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


def _play(folder: Path, cpu: Cpu, way: str, options: tuple[str, ...]) -> tuple[float, float]:
    """Play the event in a new league; return the time and the processor time."""
    db = folder / f"{way}.db"
    db.unlink(missing_ok=True)
    before, start = cpu.used_s(), time.perf_counter()
    command = [sys.executable, "-m", "arena", *EVENT, "--db", str(db), *options]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - start, cpu.used_s() - before


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


def _task_cpu_ms(address: str, cpu: Cpu) -> float:
    """Return the processor time of a task that only carries bytes there and back."""
    from distributed import Client

    configure_dask()
    access = Access(address, None)
    with Client(address, security=security_of(access.certificates), set_as_default=False) as client:
        payload = pickle.dumps(os.urandom(TASK_BYTES))
        client.submit(bytes, payload, pure=False).result()
        before, own = cpu.used_s(), time.process_time()
        for _ in range(TASKS):
            client.submit(bytes, payload, pure=False).result()
        return (cpu.used_s() - before + time.process_time() - own) / TASKS * 1000


if __name__ == "__main__":
    print_figures(measure())
