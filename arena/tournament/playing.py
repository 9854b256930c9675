"""The library call that runs an event."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime

from arena.referee.clock import CORES
from arena.tournament.live_file import LiveFile
from arena.tournament.progress import EventProgress
from arena.tournament.runner import EventRunner
from arena.workers.pool import DEFAULT_TABLES, WorkerPool, local_pool
from leaderboard.events import Event, end_event, resume_event
from leaderboard.store import Writer


def run_event(
    writer: Writer,
    event: Event,
    *,
    jobs: int = CORES,
    tables: int = DEFAULT_TABLES,
    on_progress: Callable[[EventProgress], None] = lambda progress: None,
    should_stop: Callable[[], bool] = lambda: False,
    workers: WorkerPool | None = None,
    say: Callable[[str], object] = lambda sentence: None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> bool:
    """Play an event of the league to its end; return whether it finished.

    `enter_event` adds an event to the league. One that was interrupted is resumed: stored matches
    are not played again.

    Every result is stored as soon as those before it in the schedule are. `on_progress` and
    `should_stop` are called several times a second. When `should_stop` returns true, or an
    exception is raised, the event is marked as interrupted.

    `jobs` worker processes play up to `tables` matches each at once; neither changes a result. With
    `workers`, matches go to that pool instead. Without it, call this from the main thread; `say`
    is then called with a sentence for each worker that has died and is replaced.
    """
    if event.status == "finished":
        return True
    if event.status == "interrupted":
        resume_event(writer, event.id)
    run = EventRunner(writer, event, now=now)
    finished = False
    # The file is removed only after the league has stored how the event ended.
    with LiveFile(writer.path) as live:

        def report(progress: EventProgress) -> None:
            on_progress(progress)
            live.update(progress)

        try:
            with ExitStack() as pool:
                if workers is None:
                    workers = pool.enter_context(local_pool(jobs, should_stop=should_stop, say=say))
                finished = run.play(
                    workers, jobs=jobs, tables=tables, on_progress=report, should_stop=should_stop
                )
        finally:
            end_event(writer, event.id, finished=finished, now=now())
    return finished
