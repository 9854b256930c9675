"""All bots of a cluster end between two generations, and those of a killed organiser at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from arena.errors import ArenaError
from arena.workers.cluster import dask_pool
from arena.workers.cluster.addresses import Access, ClusterError, ClusterOptions
from arena.workers.cluster.dask_pool import ClusterPool
from arena.workers.cluster.dask_worker import (
    clients_of,
    empty_machine_caches,
    end_bots,
    end_runs,
    runs_of,
    say_hello,
)
from arena.workers.cluster.hello import Hello, make_hello, process_id


class FakeClient:
    """A client of a scheduler with workers that do what a test says."""

    id = "this event"

    def __init__(self, *workers: str) -> None:
        """Connect to a scheduler with these workers."""
        self.status = "running"
        self.scheduler = self
        self.workers = list(workers)
        self.runs: dict[str, list[str]] = {}
        """The runs of each worker that has some."""
        self.asked: list[list[str]] = []
        """The workers that were asked to end their bots, each time."""
        self.lost: list[Mapping[str, Collection[str]]] = []
        """The lost workers of each machine that they were told of, each time."""
        self.problems: list[Callable[[], dict[str, Exception]]] = []
        """For each time that they are asked, what happens and which workers fail."""
        self.emptied: list[tuple[int, str]] = []
        """The machines whose caches were emptied, and how often workers were asked before."""

    def sync(self, function: Callable[..., Any], *words: Any, **options: Any) -> Any:
        """Call a function."""
        options.pop("callback_timeout", None)
        return function(*words, **options)

    def identity(self, n_workers: int) -> Mapping[str, Any]:
        """Describe the cluster."""
        return {"workers": dict.fromkeys(self.workers)}

    def run(
        self, function: Any, *words: Any, workers: Collection[str], on_error: str
    ) -> dict[str, Any]:
        """Call a function on workers."""
        if function is say_hello:
            return {worker: self.hello_of(worker) for worker in workers}
        if function is runs_of:
            return {worker: list(self.runs.get(worker, ())) for worker in workers}
        if function is end_runs:
            for worker in workers:
                self.runs[worker] = [run for run in self.runs[worker] if run not in words[0]]
            return dict.fromkeys(workers)
        if function is end_bots:
            run, lost = words
            assert run == self.id
            self.asked.append(list(workers))
            self.lost.append(lost)
            return {**dict.fromkeys(workers), **(self.problems.pop(0)() if self.problems else {})}
        if function is empty_machine_caches:
            self.emptied += [(len(self.asked), worker[0]) for worker in workers]
            return dict.fromkeys(workers)
        return {}

    def hello_of(self, worker: str) -> Hello:
        """Describe a worker; one whose name begins with `odd` is of another version."""
        hello = make_hello(worker=worker, machine=worker[0], cage="none", speed=1.0)
        return hello._replace(arena="9.9.9") if worker.startswith("odd") else hello

    def run_on_scheduler(self, function: Any) -> list[str]:
        """Return the clients."""
        assert function is clients_of
        return ["this event", "another event"]

    def cancel(self, futures: object, force: bool) -> None:
        """Do nothing."""

    def close(self, timeout: float) -> None:
        """Do nothing."""


@contextmanager
def pool_of(client: FakeClient) -> Iterator[ClusterPool]:
    """Start the pool of an event, and close it."""
    options = ClusterOptions(Access("tcp://there:1", None))
    pool = ClusterPool(client, options, cage="none", say=lambda sentence: None)
    pool.start()
    try:
        yield pool
    finally:
        pool.close()


@pytest.fixture
def client() -> FakeClient:
    """Return a client of a cluster of three workers."""
    return FakeClient("a0", "a1", "b0")


def test_every_worker_ends_its_bots(client: FakeClient) -> None:
    with pool_of(client) as pool:
        pool.end_bots()
        assert client.asked == [["a0", "a1", "b0"]]
        # Once for each machine.
        assert client.emptied == [(1, "a"), (1, "b")]


def test_a_worker_that_is_lost_while_it_ends_its_bots_is_no_error_and_the_others_are_asked_again(
    client: FakeClient,
) -> None:
    def lose_a1() -> dict[str, Exception]:
        client.workers.remove("a1")
        return {"a1": OSError("the connection is closed")}

    client.problems = [lambda: {"a1": OSError("the connection is closed")}, lose_a1]
    with pool_of(client) as pool:
        pool.end_bots()
    assert client.asked == [["a0", "a1", "b0"], ["a0", "a1", "b0"], ["a0", "b0"]]
    assert client.lost == [{}, {}, {"a": [process_id()]}]
    assert client.emptied == [(3, "a"), (3, "b")], "bots were left"


def test_nothing_is_asked_of_workers_if_all_are_lost(client: FakeClient) -> None:
    with pool_of(client) as pool:
        client.workers.clear()
        pool.end_bots()
    assert client.asked == []


def test_a_worker_that_cannot_end_its_bots_is_an_error(client: FakeClient) -> None:
    client.problems = [lambda: {"a1": ArenaError("some bots are still running after 60 s")}]
    with (
        pool_of(client) as pool,
        pytest.raises(ClusterError, match="a1 cannot end its bots: some bots are still running"),
    ):
        pool.end_bots()


def test_a_worker_that_stays_out_of_reach_is_an_error(
    client: FakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_pool, "_END_LIMIT_S", 0.0)
    client.problems = [lambda: {"a1": OSError("no route")}] * 9
    with (
        pool_of(client) as pool,
        pytest.raises(ClusterError, match="a1 cannot end its bots: no route"),
    ):
        pool.end_bots()


def test_without_a_scheduler_no_bots_are_believed_to_have_ended(client: FakeClient) -> None:
    with pool_of(client) as pool:
        client.status = "closed"
        with pytest.raises(ClusterError, match="the scheduler at tcp://there:1 is lost"):
            pool.end_bots()


def test_bots_of_an_event_whose_organiser_was_killed_end_before_it_is_resumed(
    client: FakeClient,
) -> None:
    client.runs = {worker: ["killed", "another event"] for worker in client.workers}
    with pool_of(client):
        assert client.runs == {worker: ["another event"] for worker in client.workers}


def test_a_worker_of_another_version_is_refused_and_the_others_play(client: FakeClient) -> None:
    with (
        pytest.raises(ClusterError, match=r"no worker .* may play. odd0 may not play: arena is 9"),
        pool_of(FakeClient("odd0")),
    ):
        raise AssertionError("it started without a worker")
    client.workers.append("odd0")
    with pool_of(client) as pool:
        assert pool.jobs == 3
