"""Schedulers and workers of clusters, as separate processes that talk over the loopback."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from arena.workers.cluster.addresses import Certificates, certificates_in, make_certificates
from tests.tournament import lying_worker, watched_worker
from tests.tournament.processes import Command, Workspace


class LocalCluster:
    """A scheduler and the machines that were started; everything is killed at the end."""

    def __init__(self, workspace: Workspace, stack: ExitStack) -> None:
        """Make certificates and start a scheduler."""
        make_certificates(workspace.folder / "tls", ["member"], days=2)
        self.tls = tls_words(certificates_in(workspace.folder / "tls", "member"))
        self._workspace = workspace
        self._stack = stack
        self.machines: dict[str, Command] = {}
        self.address = ""
        self.start_scheduler(0)

    def start_scheduler(self, port: int | None = None) -> None:
        """Start a scheduler, at the port of the last one unless another is given."""
        if port is None:
            port = int(self.address.rpartition(":")[2])
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", str(port), *self.tls
        )
        found = re.search(r"tls://[\d.:]+", read_line(self.scheduler))
        assert found
        self.address = found[0]

    def start_machine(self, name: str, cores: int = 1) -> None:
        """Start a machine, and wait until its workers have joined."""
        self.begin_machine(name, cores)
        self.wait_for(name)

    def begin_machine(self, name: str, cores: int = 1) -> None:
        """Start a machine."""
        self.machines[name] = self._start("worker", *self._machine_words(name, cores))

    def begin_second(self, name: str) -> Command:
        """Start workers on a machine that may have some already."""
        return self._start("worker", *self._machine_words(name, 1))

    def begin_liar(self, name: str) -> None:
        """Start a machine whose results are false."""
        self.machines[name] = self._start(
            *self._machine_words(name, 1), program=lying_worker.PROGRAM
        )

    def start_watched(self, name: str, cores: int) -> None:
        """Start a machine that writes down its processes, and wait for its workers."""
        self.machines[name] = self._start(
            *self._machine_words(name, cores), program=watched_worker.PROGRAM
        )
        self.wait_for(name)

    def _machine_words(self, name: str, cores: int) -> list[str]:
        return [self.address, "--name", name, "--cores", str(cores), *self.tls]

    def wait_for(self, name: str) -> None:
        """Wait until a machine says that its workers have joined."""
        while " is at " not in (line := read_line(self.machines[name])):
            assert line, f"{name} has ended"

    def options(self) -> list[str]:
        """Return the options of an event that is played here."""
        # The speed that busy machines measure is not the same twice.
        return ["--workers", self.address, *self.tls, "--speed-band", "100000"]

    def kill_worker(self, name: str) -> None:
        """Kill one of a machine's workers, which starts another one in its place."""
        threads = Path("/proc", str(self.machines[name].pid), "task").iterdir()
        children = " ".join((thread / "children").read_text("ascii") for thread in threads).split()
        workers = [
            int(child)
            for child in children
            if b"spawn_main" in Path("/proc", child, "cmdline").read_bytes()
        ]
        os.kill(workers[0], signal.SIGKILL)

    def lose_machine(self, name: str) -> None:
        """Kill a machine with everything on it."""
        kill_session(self.machines.pop(name))

    def _start(self, *words: str, program: Sequence[str] = ("-m", "arena")) -> Command:
        command = self._workspace.start(*words, program=program)
        self._stack.callback(kill_session, command)
        return command


def tls_words(files: Certificates) -> list[str]:
    """Return the options for certificates."""
    given = {"--tls-ca": files.ca, "--tls-cert": files.cert, "--tls-key": files.key}
    return [word for option, path in given.items() for word in (option, str(path))]


def read_line(command: Command) -> str:
    """Wait for a line on stderr; empty at its end."""
    assert command.stderr
    return command.stderr.readline()


def kill_session(command: Command) -> None:
    """Kill a command and all that it started, without a warning."""
    if command.poll() is None:
        os.killpg(command.pid, signal.SIGKILL)
    command.wait()
    for stream in (command.stdout, command.stderr):
        if stream:
            stream.close()


@contextmanager
def local_cluster(workspace: Workspace) -> Iterator[LocalCluster]:
    """Start a cluster without machines."""
    with ExitStack() as stack:
        yield LocalCluster(workspace, stack)
