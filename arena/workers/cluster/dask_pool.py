"""A pool of workers on a Dask cluster.

Each chunk is a task for one worker. Dask carries tasks and results, and notices lost workers; which
worker plays what is decided in assignments.py.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import Any
from uuid import uuid4

from distributed import CancelledError, Client, Future, KilledWorker

from arena.errors import ArenaError
from arena.sandbox.select import select_cage
from arena.workers.block import Block, VoidMatch
from arena.workers.cluster.addresses import ClusterError, ClusterOptions
from arena.workers.cluster.assignments import Assignments, ChunkTask
from arena.workers.cluster.check import check_results
from arena.workers.cluster.dask_access import (
    CONNECT_LIMIT_S,
    configure_dask,
    security_of,
    unreachable,
)
from arena.workers.cluster.dask_worker import end_bots, end_run, play_chunk, say_hello
from arena.workers.cluster.hello import Admission, Hello
from arena.workers.cluster.player import MissingContent
from arena.workers.pool import MachineLoad, Report, split_results
from leaderboard.result import MatchResult

_LOOK_S = 2.0
"""How often the list of workers is looked at, if no chunk is lost."""
_STUCK_LIMIT_S = 120.0
"""How long an event waits if all workers are lost."""
_LOST = (KilledWorker, CancelledError)


@contextmanager
def cluster_pool(
    options: ClusterOptions, *, cage: str, say: Callable[[str], None] = lambda sentence: None
) -> Iterator[ClusterPool]:
    """Provide the workers of a cluster; on exit, end their bots.

    `say` is called with a sentence for each worker that may not play, comes or is lost.
    """
    configure_dask()
    access = options.access
    try:
        client = Client(
            access.address,
            security=security_of(access.certificates),
            timeout=CONNECT_LIMIT_S,
            set_as_default=False,
            name="arena",
        )
    except (OSError, TimeoutError, ValueError) as error:
        raise unreachable(access, error) from error
    pool = ClusterPool(client, options, cage=cage, say=say)
    try:
        pool.start()
        yield pool
    finally:
        pool.close()


class ClusterPool:
    """Sends chunks to workers, and watches which workers there are."""

    def __init__(
        self, client: Client, options: ClusterOptions, *, cage: str, say: Callable[[str], None]
    ) -> None:
        """Take a connected client; `cage` is the name of the event's cage."""
        self._client = client
        self._options = options
        # The best cage is chosen once, here: all machines must have this one.
        chosen = select_cage(cage)
        self._cage = chosen.name
        self._say = say
        self._admission = Admission(cage_mark=chosen.mark, speed_band=options.speed_band)
        self._run = uuid4().hex[:8]
        self._assignments = Assignments(self._submit, cage=chosen.name, run=self._run)
        self._futures: dict[str, tuple[str, Future]] = {}
        """By key, with the address of the worker that plays the chunk."""
        self._lock = Lock()
        """Guards `_futures`."""
        self._refused: set[str] = set()
        """Addresses of workers that may not play."""
        self._processes = 0
        self._closing = Event()
        self._look_now = Event()
        """Set when a worker seems to be lost, and when the pool is closed."""
        self._watcher = Thread(target=self._watch, name="cluster", daemon=True)

    def start(self) -> None:
        """Admit the workers that are there; raise `ClusterError` if none may play."""
        sentences = self._look()
        if not self._assignments.workers:
            address = self._options.access.address
            if not sentences:
                raise ClusterError(
                    f"no worker is at {address}: start some with `arena worker {address}`"
                )
            raise ClusterError(f"no worker at {address} may play. {'. '.join(sentences)}")
        self._watcher.start()

    @property
    def jobs(self) -> int:
        """The number of workers that may play."""
        return max(1, len(self._assignments.workers))

    @property
    def max_processes(self) -> int:
        """How many processes of bots have room on the smallest machine."""
        return self._processes

    def machines(self) -> list[MachineLoad]:
        """Return what each machine does."""
        return self._assignments.loads()

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Play a block."""
        self._assignments.play(block, report)

    def end_bots(self) -> None:
        """End all processes of bots on all machines; return when they have ended."""
        addresses = [worker.address for worker in self._assignments.workers]
        said = self._client.run(end_bots, self._run, workers=addresses, on_error="return")
        for worker in self._assignments.workers:
            error = said.get(worker.address)
            if isinstance(error, Exception) and worker.address in self._addresses():
                raise ClusterError(f"{worker.name} cannot end its bots: {error}")

    def close(self) -> None:
        """Give up what is in play, and end the bots."""
        self._closing.set()
        self._look_now.set()
        with self._lock:
            futures = [future for _, future in self._futures.values()]
            self._futures.clear()
        with suppress(Exception):
            # If the scheduler is lost, nothing more can be done.
            if self._client.status == "running":
                self._client.cancel(futures, force=True)
                addresses = [worker.address for worker in self._assignments.workers]
                self._client.run(end_run, self._run, workers=addresses, on_error="ignore")
        with suppress(Exception):
            self._client.close(timeout=2)

    def _submit(self, task: ChunkTask) -> None:
        future = self._client.submit(
            play_chunk,
            pickle.dumps(task),
            key=f"arena-{self._run}-{task.number}-{uuid4().hex[:8]}",
            workers=[task.worker],
            allow_other_workers=False,
            pure=False,
            retries=0,
        )
        with self._lock:
            self._futures[future.key] = task.worker, future
        future.add_done_callback(lambda done: self._finish(task, done))

    def _finish(self, task: ChunkTask, future: Future) -> None:
        """Check and count the results of a chunk; Dask calls this in a thread."""
        if self._closing.is_set():
            return
        try:
            played: Sequence[MatchResult | VoidMatch] = pickle.loads(future.result())
            self._check(task, split_results(played)[0])
        except _LOST:
            self._look_now.set()
            return
        except MissingContent:
            self._assignments.send_again(task.number)
            return
        except Exception as error:
            if self._client.status == "running" and task.worker in self._addresses():
                self._assignments.fail(error)
            return
        finally:
            with self._lock:
                self._futures.pop(future.key, None)
        self._assignments.finish(task.number, played)

    def _check(self, task: ChunkTask, results: Sequence[MatchResult]) -> None:
        names = [w.name for w in self._assignments.workers if w.address == task.worker]
        check_results(
            task.block,
            results,
            worker=names[0] if names else task.worker,
            by_rules=not self._options.trust_workers,
        )

    def _addresses(self) -> set[str]:
        if self._client.status != "running":
            # A scheduler that comes back has forgotten everything.
            raise ConnectionError("the client is not connected")
        identity: Mapping[str, Any] = self._client.sync(
            self._client.scheduler.identity, n_workers=-1
        )
        return set(identity["workers"])

    def _look(self) -> list[str]:
        """Compare the list of workers with ours; return why some may not play."""
        there = self._addresses()
        known = {worker.address: worker for worker in self._assignments.workers}
        for address in known.keys() - there:
            self._say(f"{known[address].name} is lost; its matches are played again")
            self._cancel_chunks_of(address)
            self._assignments.lose_worker(address)
        self._refused &= there
        new = sorted(there - known.keys() - self._refused)
        return self._admit(new) if new else []

    def _cancel_chunks_of(self, address: str) -> None:
        """Stop waiting for a lost worker, which may have taken finished results with it."""
        with self._lock:
            lost = [future for worker, future in self._futures.values() if worker == address]
        self._client.cancel(lost, force=True)

    def _admit(self, addresses: Sequence[str]) -> list[str]:
        said = self._client.run(say_hello, self._cage, workers=addresses, on_error="return")
        hellos = {address: each for address, each in said.items() if isinstance(each, Hello)}
        refused = self._admission.admit(list(hellos.values()))
        sentences = list(refused.values())
        for address in addresses:
            if address not in said:
                continue
            hello = hellos.get(address)
            if hello is None:
                sentences.append(f"{address} may not play: {said[address]}")
            if hello is None or hello.worker in refused:
                self._refused.add(address)
                continue
            self._processes = min(self._processes or hello.processes, hello.processes)
            machine = self._admission.machine(hello.machine)
            self._assignments.add_worker(address, hello.worker, machine)
        for sentence in sentences:
            self._say(sentence)
        return sentences

    def _watch(self) -> None:
        """Follow the list of workers until the pool is closed."""
        stuck_since: float | None = None
        while True:
            self._look_now.wait(_LOOK_S)
            self._look_now.clear()
            if self._closing.is_set():
                return
            try:
                self._look()
            except Exception as error:
                if not self._closing.is_set():
                    self._assignments.fail(self._lost(error))
                return
            if not self._assignments.is_stuck:
                stuck_since = None
            elif stuck_since is None:
                stuck_since = time.monotonic()
            elif time.monotonic() - stuck_since > _STUCK_LIMIT_S:
                self._assignments.fail(ClusterError("all workers are lost, and none has come back"))
                return

    def _lost(self, error: Exception) -> ArenaError:
        if isinstance(error, ArenaError):
            return error
        return ClusterError(f"the scheduler at {self._options.access.address} is lost")
