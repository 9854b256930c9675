"""A pool of workers on a Dask cluster.

Each chunk is a task for one worker. Dask carries tasks and results, and notices lost workers; which
worker plays what is decided in assignments.py.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import Any
from uuid import uuid4

from distributed import CancelledError, Client, Future, KilledWorker

from arena.errors import ArenaError
from arena.sandbox.select import select_cage
from arena.workers.assignments import Assignments, ChunkTask, MachineLoad
from arena.workers.block import Block, Report, VoidMatch
from arena.workers.cluster.addresses import ClusterError, ClusterOptions
from arena.workers.cluster.check import CheckedShare, check_results
from arena.workers.cluster.dask_access import (
    CONNECT_LIMIT_S,
    configured_dask,
    security_of,
    unreachable,
)
from arena.workers.cluster.dask_worker import (
    clients_of,
    empty_machine_caches,
    end_bots,
    end_runs,
    play_chunk,
    runs_of,
    say_hello,
)
from arena.workers.cluster.hello import Admission, Hello
from arena.workers.cluster.player import MissingFiles
from leaderboard.result import MatchResult

_LOOK_S = 2.0
"""How often the list of workers is looked at, if no chunk is lost."""
_STUCK_LIMIT_S = 120.0
"""How long an event waits if all workers are lost."""
_END_LIMIT_S = 90.0
"""How long workers may take to end their bots."""
_AGAIN_S = 0.2
_LOST = (KilledWorker, CancelledError)


@contextmanager
def cluster_pool(
    options: ClusterOptions, *, cage: str, say: Callable[[str], None] = lambda sentence: None
) -> Iterator[ClusterPool]:
    """Provide the workers of a cluster; on exit, end their bots.

    `say` is called with a sentence for each worker that may not play, comes or is lost.
    """
    access = options.access
    with configured_dask(is_server=False):
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
        # By this name, workers find out that a run's organiser is gone.
        self._run = client.id
        self._assignments = Assignments(self._submit, cage=chosen.name, run=self._run)
        self._futures: dict[str, tuple[str, Future]] = {}
        """By key, with the address of the worker that plays the chunk."""
        self._lock = Lock()
        """Guards `_futures`."""
        self._refused: set[str] = set()
        """Addresses of workers that may not play."""
        self._admitted: dict[str, Hello] = {}
        """By address: all workers that have been admitted, including lost ones."""
        self._checked = CheckedShare()
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

    is_turn_over = False
    """Nobody else waits for a cluster."""

    def end_bots(self) -> None:
        """End all processes of bots on all machines; return when they have ended."""
        until = time.monotonic() + _END_LIMIT_S
        try:
            # If a worker is lost meanwhile, all others are asked again, because they wait for the
            # end of its process and of what it has left on their machine.
            while self._end_bots_once(is_last=time.monotonic() > until):
                self._look_now.set()
                time.sleep(_AGAIN_S)
        except TimeoutError as error:
            raise ClusterError(f"after {_END_LIMIT_S:.0f} s, bots are still running") from error
        except Exception as error:
            raise self._lost(error) from error

    def _end_bots_once(self, *, is_last: bool) -> bool:
        """Ask all workers once to end their bots; return whether some were out of reach."""
        names = {worker.address: worker.name for worker in self._assignments.workers}
        reachable = self._addresses()
        there = reachable.intersection(names)
        if not there:
            return False
        lost: dict[str, list[str]] = {}
        for address, hello in list(self._admitted.items()):
            if address not in reachable:
                lost.setdefault(hello.machine, []).append(hello.process)
        errors = self._ask(end_bots, self._run, lost, workers=there)
        if not errors:
            # When no bot is left on a machine. A worker reaches the caches of its own processors
            # only; those that share all of them need not do it twice.
            emptying = {
                (hello.machine, hello.processors): address
                for address, hello in list(self._admitted.items())
                if address in there
            }
            errors = self._ask(empty_machine_caches, workers=emptying.values())
        still_there = self._addresses() if errors else set()
        for address, error in errors.items():
            if address in still_there and (is_last or not isinstance(error, OSError)):
                raise ClusterError(f"{names[address]} cannot end its bots: {error}")
        return bool(errors)

    def _ask(
        self, function: Callable[..., Any], *arguments: object, workers: Iterable[str]
    ) -> dict[str, Exception]:
        """Call a function at workers; return the errors of those where it failed."""
        said = self._client.sync(
            self._client.run,
            function,
            *arguments,
            workers=sorted(workers),
            on_error="return",
            callback_timeout=_END_LIMIT_S,
        )
        return {address: error for address, error in said.items() if error is not None}

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
                self._client.run(end_runs, [self._run], workers=addresses, on_error="ignore")
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
            self._check(task, played)
        except _LOST:
            self._look_now.set()
            return
        except MissingFiles:
            self._assignments.send_again(task.number)
            return
        except Exception as error:
            self._look_now.set()
            if self._client.status == "running" and task.worker in self._addresses():
                self._assignments.fail(error)
            return
        finally:
            with self._lock:
                self._futures.pop(future.key, None)
        self._assignments.add_results(task.number, played)

    def _check(self, task: ChunkTask, played: Sequence[MatchResult | VoidMatch]) -> None:
        workers = {worker.address: worker for worker in self._assignments.workers}
        worker = workers.get(task.worker)
        machine = worker.machine.name if worker else task.worker
        check_results(
            task.block,
            played,
            worker=worker.name if worker else task.worker,
            is_checked=lambda: not self._options.trust_workers and self._checked.takes(machine),
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
            # Before its matches are void, so that it cannot play them any more; and again for the
            # chunks that it was given meanwhile.
            self._cancel_chunks_of(address)
            self._assignments.lose_worker(address)
            self._cancel_chunks_of(address)
        self._refused &= there
        new = sorted(there - known.keys() - self._refused)
        return self._admit(new) if new else []

    def _cancel_chunks_of(self, address: str) -> None:
        """Stop waiting for a lost worker, which may have taken finished results with it."""
        with self._lock:
            lost = [future for worker, future in self._futures.values() if worker == address]
        if lost:
            self._client.cancel(lost, force=True)

    def _admit(self, addresses: Sequence[str]) -> list[str]:
        said = self._client.run(say_hello, self._cage, workers=addresses, on_error="return")
        said |= self._end_old_runs(addresses)
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
            self._admitted[address] = hello
            machine = self._admission.machine(hello.machine)
            self._assignments.add_worker(address, hello.worker, machine)
        for sentence in sentences:
            self._say(sentence)
        return sentences

    def _end_old_runs(self, addresses: Sequence[str]) -> dict[str, Exception]:
        """End the bots of organisers that are gone; return the errors of workers that cannot.

        Perhaps this event is resumed after a kill, and they know its deals.
        """
        found = self._client.run(runs_of, workers=addresses, on_error="ignore")
        # Asked later, so that a run whose organiser is not among them is over.
        clients = self._client.run_on_scheduler(clients_of)
        old = {run for runs in found.values() for run in runs}.difference(clients)
        if not old:
            return {}
        said = self._client.run(end_runs, old, workers=addresses, on_error="return")
        return {address: error for address, error in said.items() if error}

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
