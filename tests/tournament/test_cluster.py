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

from arena.workers.cluster.addresses import certificates_in, make_certificates
from tests.cages import cage
from tests.tournament.clusters import local_cluster, read_line, tls_words
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
from tests.tournament.watched_worker import processes_by_rotation

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is missing")
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


def test_with_secret_deals_no_process_is_alive_in_two_generations_and_the_event_verifies(
    workspace: Workspace,
) -> None:
    secretly = [word for word in EVENT if word not in ("--seed", "5")]
    with local_cluster(workspace) as cluster:
        cluster.start_watched("alpha", cores=2)
        done = workspace.run(*event(*secretly, "--deals", "4"), "--quiet", *cluster.options())
        assert done.returncode == 0, done.stderr
    assert workspace.count_matches() == 24
    alive = processes_by_rotation(workspace.folder)
    assert set(alive) == {0, 1, 2}
    assert all(len(processes) >= 3 for processes in alive.values())
    assert sum(map(len, alive.values())) == len(set().union(*alive.values()))
    assert workspace.run("verify").returncode == 0


@pytest.mark.slow
def test_no_process_is_alive_in_two_generations_although_a_worker_and_the_organiser_are_killed(
    workspace: Workspace,
) -> None:
    secretly = [word for word in EVENT if word not in ("--seed", "5")]
    command = [*event(*secretly, "--deals", "120"), "--quiet"]
    with local_cluster(workspace) as cluster:
        cluster.start_watched("alpha", cores=2)
        with workspace.start(*command, *cluster.options()) as running:
            wait_for_matches(workspace, running, 100)
            running.send_signal(signal.SIGKILL)
        stored = workspace.count_matches()
        assert stored < 720
        with workspace.start(*resume("--quiet", *cluster.options())) as running:
            wait_for_matches(workspace, running, stored + 1)
            cluster.kill_worker("alpha")
            _, messages = running.output()
        assert running.returncode == 0, messages
    assert workspace.count_matches() == 720
    alive = processes_by_rotation(workspace.folder)
    assert set(alive) == {0, 1, 2}
    assert sum(map(len, alive.values())) == len(set().union(*alive.values()))
    assert workspace.run("verify").returncode == 0


def wait_for_matches(workspace: Workspace, command: Command, matches: int) -> None:
    """Wait until an event has stored matches, or has ended."""
    workspace.wait_until(
        lambda: command.poll() is not None or workspace.count_matches() >= matches,
        patience_s=1800,
    )


class Runs:
    """Runs the same event several times in the same league."""

    def __init__(self, workspace: Workspace) -> None:
        """Remember the league, and run the event locally."""
        self._workspace = workspace
        self._league = workspace.db.read_bytes()
        self.command = [*event(*EVENT, "--deals", "8"), "--quiet"]
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


@pytest.mark.slow
def test_a_cluster_gives_the_same_league_whoever_lies_and_whatever_is_killed(
    workspace: Workspace,
) -> None:
    runs = Runs(workspace)
    with local_cluster(workspace) as cluster:
        cluster.begin_liar("mallory")
        cluster.begin_machine("alpha")
        cluster.wait_for("mallory")
        done = workspace.run(*runs.reset(), *cluster.options())
        assert done.returncode == 1
        assert "mallory-0 returned a false result of match " in done.stderr
        cluster.lose_machine("mallory")
        # One worker.
        cluster.wait_for("alpha")
        done = workspace.run(*resume("--quiet", *cluster.options()))
        assert done.returncode == 0, done.stderr
        runs.check()
        shown = workspace.run("event", "show", "cup").stdout
        assert re.search(r"played on alpha \(48 matches, speed [\d.]+\)\n", shown)
        # Three workers, until everything but one of them has been killed.
        cluster.start_machine("beta", cores=2)
        with workspace.start(*runs.reset(), *cluster.options()) as command:
            wait_for_matches(workspace, command, 1)
            command.send_signal(signal.SIGKILL)
        stored = workspace.count_matches()
        with workspace.start(*resume("--quiet", *cluster.options())) as command:
            cluster.kill_worker("beta")
            # More than before: then it has surely reached the scheduler, which it can now lose.
            wait_for_matches(workspace, command, stored + 1)
            cluster.lose_machine("beta")
            wait_for_matches(workspace, command, stored + 2)
            cluster.scheduler.send_signal(signal.SIGKILL)
            cluster.scheduler.wait()
            _, messages = command.output()
        cluster.start_scheduler()
        cluster.wait_for("alpha")
        # It may have been over a moment before.
        if not workspace.is_finished():
            assert f"the scheduler at {cluster.address} is lost" in messages
            assert f"--workers {cluster.address} --tls-ca " in messages
            done = workspace.run(*resume("--quiet", *cluster.options()))
            assert done.returncode == 0, done.stderr
        runs.check()
        assert workspace.run("verify").returncode == 0
        compared = compare(workspace, *cluster.options())
        assert "12 matches in all" in compared.stdout, compared.stderr
        assert compared.stdout == compare(workspace).stdout
        for command in (cluster.machines["alpha"], cluster.scheduler):
            command.send_signal(signal.SIGTERM)
            assert command.wait() == 0
        assert workspace.leftover_folders() == []


def compare(workspace: Workspace, *words: str) -> Any:
    """Compare two bots."""
    command = ("compare", "greedy-meow", "random", "--game", "meow", "--seed", "1", "--deals", "6")
    return workspace.run(*command, "--cage", cage().name, "--quiet", *words)


@pytest.mark.slow
def test_two_commands_on_one_machine_have_workers_with_different_names_and_leave_no_folder(
    workspace: Workspace,
) -> None:
    with local_cluster(workspace) as cluster:
        machines = [cluster.begin_second("alpha") for _ in range(2)]
        for machine in machines:
            assert "alpha is at" in read_line(machine)
        assert list(workspace.folder.glob("arena-*/dask-scratch-space"))
        for command in (*machines, cluster.scheduler):
            command.send_signal(signal.SIGTERM)
            assert command.wait() == 0
            assert command.stderr
            assert command.stderr.read() == ""
    assert list(workspace.folder.rglob("dask-scratch-space")) == []


@pytest.mark.slow
def test_what_is_wrong_with_a_cluster_is_said_in_a_sentence_and_leaves_no_event(
    workspace: Workspace,
) -> None:
    with local_cluster(workspace) as cluster:
        command = [*event(*EVENT), "--quiet"]
        done = workspace.run(*command, *cluster.options())
        assert done.returncode == 1
        assert f"no worker is at {cluster.address}" in done.stderr
        port = cluster.address.rpartition(":")[2]
        done = workspace.run("scheduler", "--host", "127.0.0.1", "--port", port, *cluster.tls)
        assert done.returncode == 1
        assert f"cannot listen at 127.0.0.1:{port}" in done.stderr
        done = workspace.run("worker", cluster.address, *foreign_certificates(workspace))
        assert done.returncode == 1
        assert "do not trust each other" in done.stderr
        cluster.scheduler.send_signal(signal.SIGTERM)
        assert cluster.scheduler.wait() == 0
        for words in (["worker", cluster.address, *cluster.tls], [*command, *cluster.options()]):
            done = workspace.run(*words)
            assert done.returncode == 1
            assert f"no scheduler answers at {cluster.address}" in done.stderr
            assert "Traceback" not in done.stderr
        assert rows(workspace)["events"] == []


def foreign_certificates(workspace: Workspace) -> list[str]:
    """Return the options for certificates that another authority has signed."""
    folder = workspace.folder / "foreign"
    make_certificates(folder, ["eve"], days=2)
    return tls_words(certificates_in(folder, "eve"))


@pytest.mark.slow
def test_a_thousand_bots_play_on_workers_that_die_and_join() -> None:
    with new_workspace() as workspace:
        names = [f"bot{number}" for number in range(1000)]
        submit_bots(workspace, dict.fromkeys(names, ()))
        # Not --all, which brings in the house bots too.
        command = event("swiss", "--bots", ",".join(names), "--seats", "2", "--rounds", "2")
        command += ["--seed", "1", "--name", "cup", "--quiet"]
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
