"""Analyse a match on all cores: what search thinks of every decision."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context

from arena.analysis.assessment import Analysis, Effort
from arena.analysis.engine import Task, assess, load_search
from arena.errors import PlatformError
from arena.games.registry import game_named
from arena.records import How, Record, replay_record


def tasks_of(record: Record, effort: Effort, seat: int | None = None) -> list[Task]:
    """List the decisions to assess: the ones that a player chose, for all seats or one."""
    game = game_named(record.game_id)
    sides = game.sides(len(record.entrants), game.parameters_form.read(record.parameters))
    tasks: list[Task] = []
    # Each state is the one in which the next decision was made.
    states = zip(record.decisions, replay_record(record), strict=False)
    for number, (decision, (_, state)) in enumerate(states):
        if decision.how is How.CHOSEN and seat in (None, decision.seat):
            view = game.view_of(state, decision.seat)
            tasks.append(Task(number, game.id, view, decision.action, sides, record.seed, effort))
    return tasks


def analyse(
    record: Record,
    effort: Effort,
    *,
    seat: int | None = None,
    cores: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Analysis:
    """Assess the decisions of a record, which is not verified; of one seat, if one is given.

    `on_progress` is called with the number of decisions done and their total.
    """
    tasks = tasks_of(record, effort, seat)
    workers = min(cores or len(os.sched_getaffinity(0)), max(1, len(tasks)))
    others = set(active_children())
    # A new interpreter each: the house bot's modules have common names.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_start_worker)
    try:
        # Ctrl-C waits until the processes have started: an unfinished start would print errors.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            pending = [pool.submit(assess, task) for task in tasks]
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for done, future in enumerate(as_completed(pending), start=1):
            future.result()
            on_progress(done, len(tasks))
        return Analysis(effort, tuple(future.result() for future in pending))
    except BrokenProcessPool:
        raise PlatformError(
            "a process of the analysis was killed: is there enough memory?"
        ) from None
    except BaseException:
        # Do not wait for what they are thinking about.
        for process in set(active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker() -> None:
    # Ctrl-C reaches all processes of the terminal; this one ends with the pool.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load_search()
