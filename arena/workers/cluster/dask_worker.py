"""Workers of a Dask cluster that play matches: `arena worker`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import pickle
import signal
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count, islice
from typing import Any

from distributed import Nanny, Scheduler, Worker, get_worker, secede
from distributed.diagnostics.plugin import WorkerPlugin
from distributed.worker import thread_state

from arena.errors import ArenaError
from arena.sandbox.processor_caches import empty_caches
from arena.sandbox.tempdir import sweep
from arena.text import quantity
from arena.workers.assignments import ChunkTask
from arena.workers.cluster.addresses import Access, ClusterError
from arena.workers.cluster.dask_access import (
    configured_dask,
    names_of_workers,
    security_of,
    silence_dask,
)
from arena.workers.cluster.hello import Hello, make_hello, measure_speed
from arena.workers.cluster.player import ChunkPlayer

PLUGIN = "arena"
_RETRY_S = 2.0
_WATCH_S = 5.0
"""How often a worker asks whether the organisers of its runs are still there."""
_START_LIMIT_S = 120.0
"""How long a worker may take to start and to reach the scheduler."""
_UNWANTED = {"cancelled", "released", "forgotten"}


class ArenaPlugin(WorkerPlugin):  # type: ignore[misc]  # Dask's class is not typed
    """Keeps bots from chunk to chunk in a worker, and ends them when it ends."""

    name = PLUGIN

    def __init__(self, machine: str) -> None:
        """Take the name of the machine."""
        self.machine = machine
        self._player: ChunkPlayer | None = None
        self._speed = 0.0
        self._name = ""

    def setup(self, worker: Worker) -> None:
        """Measure the speed and start without bots."""
        silence_dask()
        self._name = str(worker.name)
        self._speed = measure_speed()
        self._player = ChunkPlayer()
        self._watch = asyncio.create_task(self._watch_organisers(worker))

    def teardown(self, worker: Worker) -> None:
        """End the bots."""
        if self._player:
            self._watch.cancel()
            self._player.close()

    async def _watch_organisers(self, worker: Worker) -> None:
        """End the bots of each run whose organiser has left the scheduler."""
        while True:
            await asyncio.sleep(_WATCH_S)
            runs = self.player.runs()
            # If the scheduler is lost, so is this worker; if bots do not end, try again.
            with contextlib.suppress(OSError, ArenaError):
                if runs:
                    said = await worker.scheduler.run_function(function=pickle.dumps(clients_of))
                    gone = set(runs).difference(said["result"])
                    if gone:
                        await asyncio.to_thread(self.player.end_runs, gone)

    def hello(self, cage: str) -> Hello:
        """Describe this worker."""
        return make_hello(worker=self._name, machine=self.machine, cage=cage, speed=self._speed)

    @property
    def player(self) -> ChunkPlayer:
        """What plays the chunks."""
        assert self._player
        return self._player


def _plugin(worker: Worker) -> ArenaPlugin:
    try:
        plugin: ArenaPlugin = worker.plugins[PLUGIN]
    except KeyError:
        raise ArenaError("it was not started by `arena worker`") from None
    return plugin


def say_hello(cage: str, dask_worker: Worker) -> Hello:
    """Describe a worker; Dask calls this there."""
    return _plugin(dask_worker).hello(cage)


async def end_bots(run: str, lost: Mapping[str, Collection[str]], dask_worker: Worker) -> None:
    """End the processes of a run's bots on a worker; Dask calls this there.

    `lost` has the lost workers of each machine, by `process_id`.
    """
    plugin = _plugin(dask_worker)
    here = lost.get(plugin.machine, ())
    # In a thread: the worker must tell the scheduler that it is alive, however long it takes.
    await asyncio.to_thread(plugin.player.end_bots, run, lost=here)


async def empty_machine_caches() -> None:
    """Empty the caches of a worker's machine; Dask calls this there."""
    await asyncio.to_thread(empty_caches)


def runs_of(dask_worker: Worker) -> list[str]:
    """Return the runs that have bots on a worker; Dask calls this there."""
    return _plugin(dask_worker).player.runs()


def clients_of(dask_scheduler: Scheduler) -> list[str]:
    """Return the ids of the clients that are connected; Dask calls this at the scheduler."""
    return list(dask_scheduler.clients)


async def end_runs(runs: Collection[str], dask_worker: Worker) -> None:
    """End what a worker plays for runs, and their bots; Dask calls this there."""
    await asyncio.to_thread(_plugin(dask_worker).player.end_runs, runs)


def play_chunk(task: bytes) -> bytes:
    """Play a chunk; Dask calls this in a thread of the worker.

    The thread only waits, and leaves its slot to the next chunk: several are in play at once. The
    next chunk may need the files of this one, so they are kept before that.
    """
    worker = get_worker()
    key = thread_state.key
    player = _plugin(worker).player
    chunk: ChunkTask = pickle.loads(task)
    player.keep(chunk)
    secede()

    def is_wanted() -> bool:
        state = worker.state.tasks.get(key)
        return state is not None and state.state not in _UNWANTED

    return pickle.dumps(player.play(chunk, is_wanted=is_wanted))


def run_workers(access: Access, *, name: str, cores: int, say: Callable[[str], None]) -> None:
    """Run workers until SIGTERM or Ctrl-C; `say` prints what happens.

    The first connection must succeed. If the scheduler is lost later, they wait for it.
    """
    try:
        with configured_dask():
            asyncio.run(_run_workers(access, name=name, cores=cores, say=say))
    finally:
        # A worker that was killed has left the files of its bots behind.
        sweep()


async def _run_workers(
    access: Access, *, name: str, cores: int, say: Callable[[str], None]
) -> None:
    stopped = _stop_on_signal()
    taken = await names_of_workers(access)

    def joined() -> None:
        say(f"{name} is at {access.address} with {quantity(cores, 'worker')}; Ctrl-C stops")

    while not stopped.is_set():
        problem = f"{access.address} is out of reach; waiting for it"
        try:
            # Others may have been started on this machine.
            names = (f"{name}-{number}" for number in count())
            free = list(islice((each for each in names if each not in taken), cores))
            await _join([_nanny(access, name, worker=each) for each in free], stopped, joined)
        except (OSError, TimeoutError, ClusterError):
            pass
        except RuntimeError as error:
            problem = f"the workers could not start: {error.__cause__ or error}; trying again"
            with contextlib.suppress(ClusterError):
                taken = await names_of_workers(access)
                if taken.intersection(free):
                    continue
        if not stopped.is_set():
            say(problem)
        while not stopped.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopped.wait(), _RETRY_S)
            with contextlib.suppress(ClusterError):
                taken = await names_of_workers(access)
                break


async def _join(
    nannies: Sequence[Nanny], stopped: asyncio.Event, joined: Callable[[], None]
) -> None:
    """Run workers until they are stopped, or the scheduler is lost; say when they have joined."""
    stop = asyncio.create_task(stopped.wait())
    start: asyncio.Future[Any] = asyncio.gather(*(nanny.start() for nanny in nannies))
    either: Sequence[asyncio.Future[Any]] = [stop, start]
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if not start.done():
        # They play nothing yet, and may wait for a scheduler that is lost.
        start.add_done_callback(lambda done: done.cancelled() or done.exception())
        start.cancel()
        for process in multiprocessing.active_children():
            process.kill()
        return
    ends: Sequence[asyncio.Task[Any]] = [
        stop,
        *(asyncio.create_task(nanny.finished()) for nanny in nannies),
    ]
    try:
        start.result()
        joined()
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for end in ends:
            end.cancel()
        await asyncio.gather(*(nanny.close() for nanny in nannies))


def _nanny(access: Access, machine: str, *, worker: str) -> Nanny:
    """Return what starts a worker process with one thread, and starts it again if it dies."""
    return Nanny(
        access.address,
        nthreads=1,
        name=worker,
        memory_limit=0,
        death_timeout=_START_LIMIT_S,
        security=security_of(access.certificates),
        plugins=(ArenaPlugin(machine),),
        dashboard=False,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )


def _stop_on_signal() -> asyncio.Event:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    return stopped
