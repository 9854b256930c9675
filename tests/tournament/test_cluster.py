"""An event on a cluster has the same result as on one machine, whatever is killed.

Schedulers, workers and bots are real processes. One test has a thousand bots.
"""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cages import cage
from tests.tournament.clusters import LocalCluster, local_cluster
from tests.tournament.processes import (
    Command,
    Workspace,
    differences,
    event,
    new_workspace,
    resume,
    rows_without_times,
    submit_bots,
)

pytestmark = [
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is missing"),
    pytest.mark.slow,
]
BOTS: dict[str, tuple[str, ...]] = {"ann": (), "ben": (), "cat": ()}
EVENT = ("round-robin", "--bots", ",".join(BOTS), "--seats", "3", "--seed", "5", "--name", "cup")


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """Return a league of three bots."""
    with new_workspace() as workspace:
        submit_bots(workspace, BOTS)
        yield workspace


def rows(workspace: Workspace) -> dict[str, list[tuple[Any, ...]]]:
    """Return the league without times, and without where its matches were played."""
    found = rows_without_times(workspace.db)
    del found["machines"], found["match_machines"]
    return found


def wait_for_matches(workspace: Workspace, command: Command, matches: int) -> None:
    """Wait until an event has stored matches, or has ended."""
    workspace.wait_until(
        lambda: command.poll() is not None or workspace.count_matches() >= matches,
        patience_s=1800,
    )


class Runs:
    """Runs the same event several times in the same league."""

    def __init__(self, workspace: Workspace, deals: int) -> None:
        """Remember the league, and run the event locally."""
        self._workspace = workspace
        self._league = workspace.db.read_bytes()
        self.command = [*event(*EVENT, "--deals", str(deals)), "--quiet"]
        done = workspace.run(*self.command, "--jobs", "2")
        assert done.returncode == 0, done.stderr
        self.expected = rows(workspace)

    def reset(self) -> list[str]:
        """Go back to the league before the event; return the command."""
        for path in self._workspace.folder.glob("arena.db-*"):
            path.unlink()
        self._workspace.db.write_bytes(self._league)
        return self.command

    def check(self) -> None:
        """Compare the league with that of the local run."""
        assert differences(self.expected, rows(self._workspace)) == []


def test_a_cluster_gives_the_same_result_after_kills_of_event_machines_and_scheduler(
    workspace: Workspace,
) -> None:
    runs = Runs(workspace, deals=12)
    with local_cluster(workspace) as cluster:
        cluster.start_machine("alpha")
        done = workspace.run(*runs.reset(), *cluster.options())
        assert done.returncode == 0, done.stderr
        runs.check()
        with workspace.start(*runs.reset(), *cluster.options()) as command:
            wait_for_matches(workspace, command, 1)
            command.send_signal(signal.SIGKILL)
        # It may have been over a moment before.
        if command.wait() == -signal.SIGKILL:
            done = workspace.run(*resume("--quiet", *cluster.options()))
            assert done.returncode == 0, done.stderr
        runs.check()
        cluster.start_machine("beta", cores=2)
        with workspace.start(*runs.reset(), *cluster.options()) as command:
            wait_for_matches(workspace, command, 1)
            cluster.lose_machine("beta")
            _, messages = command.output()
        assert command.returncode == 0, messages
        runs.check()
        with workspace.start(*runs.reset(), *cluster.options()) as command:
            wait_for_matches(workspace, command, 1)
            cluster.scheduler.send_signal(signal.SIGKILL)
            cluster.scheduler.wait()
            _, messages = command.output()
        assert command.returncode == 0 or f"scheduler at {cluster.address} is lost" in messages
        cluster.start_scheduler()
        if command.returncode:
            cluster.wait_for("alpha")
            assert f"--workers {cluster.address} --tls-ca " in messages
            done = workspace.run(*resume("--quiet", *cluster.options()))
            assert done.returncode == 0, done.stderr
        runs.check()


def test_what_is_wrong_with_a_cluster_is_said_in_a_sentence(workspace: Workspace) -> None:
    with local_cluster(workspace) as cluster:
        command = [*event(*EVENT), "--quiet"]
        done = workspace.run(*command, *cluster.options())
        assert done.returncode == 1
        assert f"no worker is at {cluster.address}" in done.stderr
        port = cluster.address.rpartition(":")[2]
        done = workspace.run("scheduler", "--host", "127.0.0.1", "--port", port, *cluster.tls)
        assert done.returncode == 1
        assert f"cannot listen at 127.0.0.1:{port}" in done.stderr
        foreign = Foreign(workspace)
        done = workspace.run("worker", cluster.address, *foreign.tls)
        assert done.returncode == 1
        assert "do not trust each other" in done.stderr
        cluster.scheduler.send_signal(signal.SIGTERM)
        cluster.scheduler.wait()
        assert cluster.scheduler.returncode == 0
        done = workspace.run("worker", cluster.address, *cluster.tls)
        assert done.returncode == 1
        assert f"no scheduler answers at {cluster.address}" in done.stderr


class Foreign:
    """Certificates that another authority has signed."""

    def __init__(self, workspace: Workspace) -> None:
        """Make them."""
        folder = workspace.folder / "foreign"
        workspace.run("certificates", str(folder), "eve")
        self.tls = [
            *("--tls-ca", str(folder / "ca.pem"), "--tls-cert", str(folder / "eve.pem")),
            *("--tls-key", str(folder / "eve-key.pem")),
        ]


def test_a_worker_that_is_stopped_leaves_nothing_behind(workspace: Workspace) -> None:
    runs = Runs(workspace, deals=4)
    with local_cluster(workspace) as cluster:
        cluster.start_machine("alpha", cores=2)
        done = workspace.run(*runs.reset(), *cluster.options())
        assert done.returncode == 0, done.stderr
        runs.check()
        shown = workspace.run("event", "show", "cup")
        assert re.search(r"played on alpha \(\d+ matches, speed [\d.]+\)", shown.stdout)
        assert workspace.run("verify").returncode == 0
        cluster.machines["alpha"].send_signal(signal.SIGTERM)
        assert cluster.machines["alpha"].wait() == 0
        assert workspace.leftover_folders() == []
        compared = compare(cluster, workspace)
        assert "no worker is at" in compared.stderr


def compare(cluster: LocalCluster, workspace: Workspace) -> Any:
    """Compare two bots on a cluster."""
    words = ("compare", "greedy-meow", "random", "--game", "meow", "--seed", "1", "--deals", "20")
    return workspace.run(*words, "--cage", cage().name, "--quiet", *cluster.options())


def test_a_thousand_bots_play_on_workers_that_die_and_join() -> None:
    with new_workspace() as workspace:
        submit_bots(workspace, {f"bot{number}": () for number in range(1000)})
        command = event("swiss", "--all", "--seats", "2", "--rounds", "2", "--seed", "1")
        command += ["--name", "cup", "--quiet"]
        with local_cluster(workspace) as cluster:
            cluster.start_machine("alpha")
            cluster.start_machine("beta")
            with workspace.start(*command, *cluster.options()) as running:
                wait_for_matches(workspace, running, 200)
                cluster.lose_machine("beta")
                cluster.start_machine("gamma")
                wait_for_matches(workspace, running, 1200)
                _, messages = running.output()
            assert running.returncode == 0, messages
            assert "beta-0 is lost" in messages
            shown = workspace.run("event", "show", "cup").stdout
            assert all(name in shown for name in ("alpha", "beta", "gamma"))
        assert workspace.count_matches() == 2000
        assert workspace.run("verify").returncode == 0
