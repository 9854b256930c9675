"""Workers, organisers and schedulers of a cluster that are lost, late, slow or dishonest."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path

from tests.builders.bots import ROOT
from tests.faults.event import RESUME, Skipped, Trial
from tests.tournament.clusters import LocalCluster, local_cluster

_GONE_S = 30.0


@contextmanager
def _cluster(trial: Trial) -> Iterator[LocalCluster]:
    if shutil.which("openssl") is None:
        raise Skipped("openssl is missing")
    with local_cluster(trial.workspace) as cluster:
        yield cluster


def _on_cluster(trial: Callable[[Trial, LocalCluster], str]) -> Callable[[Trial], str]:
    """Give a trial a cluster of two machines."""

    @wraps(trial)
    def run(each: Trial) -> str:
        with _cluster(each) as cluster:
            cluster.start_machine("alpha")
            cluster.start_machine("beta")
            return trial(each, cluster)

    return run


@_on_cluster
def cluster_workers_are_killed(trial: Trial, cluster: LocalCluster) -> str:
    """Kill a worker and then a whole machine; another one joins late."""
    with trial.start(*cluster.options()) as command:
        trial.wait_for_matches(command)
        cluster.kill_worker("alpha")
        trial.wait_for_matches(command)
        cluster.lose_machine("beta")
        cluster.start_machine("gamma")
        _, said = command.output()
    assert command.returncode == 0, said
    assert "is lost; its matches are played again" in said, said
    trial.finish(*cluster.options())
    return f"{said.count('is lost')} workers lost, one machine came late"


@_on_cluster
def cluster_worker_is_slow(trial: Trial, cluster: LocalCluster) -> str:
    """Stop a worker for a while."""
    with trial.start(*cluster.options()) as command:
        trial.wait_for_matches(command)
        pid = trial.signal_one(trial.workers(cluster.machines["alpha"]), signal.SIGSTOP)
        assert pid
        time.sleep(4)
        os.kill(pid, signal.SIGCONT)
        _, said = command.output()
    assert command.returncode == 0, said
    trial.finish(*cluster.options())
    return "a worker was stopped for 4 s"


@_on_cluster
def cluster_organisers_are_killed(trial: Trial, cluster: LocalCluster) -> str:
    """Kill the process that runs the event; nothing stays on the workers."""
    folders = set(trial.workspace.leftover_folders())
    usual, kills = trial.workspace.processes(), 0
    for _ in range(4):
        with trial.start(*cluster.options()) as command:
            trial.wait_for_matches(command, 1)
            command.kill()
        kills += command.returncode == -signal.SIGKILL
    assert kills, "the event was over before it could be killed"
    began = time.monotonic()
    while left := [
        *(set(trial.workspace.leftover_folders()) - folders),
        *map(_words_of, trial.workspace.processes() - usual),
    ]:
        assert time.monotonic() < began + _GONE_S, f"left after {_GONE_S:.0f} s: {left}"
        time.sleep(0.1)
    took = time.monotonic() - began
    trial.finish(*cluster.options())
    return f"{kills} SIGKILLs; no bot and no folder left {took:.1f} s after the last one"


def _words_of(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        words = b"ended just now"
    return f"{pid} {words.replace(bytes(1), b' ').decode(errors='replace')[-200:]}"


@_on_cluster
def scheduler_is_killed(trial: Trial, cluster: LocalCluster) -> str:
    """Kill the scheduler, and start another one."""
    with trial.start(*cluster.options()) as command:
        trial.wait_for_matches(command)
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        _, said = command.output()
    assert "Traceback" not in said, said
    if command.returncode:
        assert said.splitlines()[-1].endswith(" is lost"), said
    cluster.start_scheduler()
    cluster.wait_for("alpha")
    trial.finish(*cluster.options())
    return f"exit {command.returncode}: {said.splitlines()[-1][:80]}"


def cluster_worker_lies(trial: Trial) -> str:
    """Let a machine lie."""
    with _cluster(trial) as cluster:
        cluster.begin_liar("mallory")
        cluster.wait_for("mallory")
        with trial.start(*cluster.options()) as command:
            _, said = command.output()
        assert command.returncode == 1, said
        assert "mallory-0 returned a false result of match " in said, said
        cluster.lose_machine("mallory")
        cluster.start_machine("alpha")
        trial.finish(*cluster.options())
    return "the liar was named, exit 1"


@_on_cluster
def two_events_share_a_cluster(trial: Trial, cluster: LocalCluster) -> str:
    """Play two leagues at the same time."""
    other = trial.workspace.folder / "other.db"
    other.write_bytes(trial.league.file)
    words = [*RESUME, "--db", other.name, *cluster.options()]
    with trial.start(*cluster.options()) as one, trial.workspace.start(*words) as two:
        trial.wait_for_matches(one)
        both = one.poll() is None and two.poll() is None
        said = [each.output()[1] for each in (one, two)]
    assert both, "they were not played at the same time"
    assert (one.returncode, two.returncode) == (0, 0), said
    trial.finish(*cluster.options())
    trial.check(other)
    return "both leagues are right"


_CUT = """
ip link set lo up || exit 9
(sleep 12; for n in 1 2 3; do ip link set lo down; sleep 1.5; ip link set lo up; sleep 2; done) &
"$@" -k cluster_worker_is_slow; code=$?
grep ^Tcp: /proc/net/snmp
exit $code
"""


def packets_are_dropped(trial: Trial) -> str:
    """Play on a cluster whose network loses everything for a moment, three times."""
    if os.geteuid() != 0:
        raise Skipped("only root can have its own network")
    words = ["unshare", "--net", "sh", "-c", _CUT, "sh", sys.executable, "-m", "tests.faults"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 9 or done.stderr.startswith("unshare"):
        raise Skipped(f"no own network: {done.stderr.strip()}")
    assert done.returncode == 0, done.stdout + done.stderr
    verdict, *_, names, figures = done.stdout.splitlines()
    again = int(dict(zip(names.split(), figures.split(), strict=True))["RetransSegs"])
    assert again, "no packet was sent again"
    return f"the network was down for 3 times 1.5 s, {again} packets sent again: {verdict[:4]}"


TRIALS = (
    cluster_workers_are_killed,
    cluster_worker_is_slow,
    cluster_organisers_are_killed,
    cluster_worker_lies,
    scheduler_is_killed,
    two_events_share_a_cluster,
    packets_are_dropped,
)
