"""How is an event played in front of somebody who may want to stop it?"""

from __future__ import annotations

import shlex
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import click

from arena.cli.db import now
from arena.cli.progress import Progress
from arena.events.course import Course
from arena.events.holding import run_of, spec_of
from arena.events.notice import Notice
from arena.events.progress import Pace, line_of, share_done
from arena.events.workers import WorkerDied, Workers, local_workers
from arena.referee.clock import CORES
from arena.replays.story import plain
from arena.sandbox.cage import NoneCage
from leaderboard.events import Event, end_event
from leaderboard.store import Writer

TABLES = 256
"""More tables make larger messages, and those are cheaper: above this it hardly matters."""


def worker_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `--jobs`, `--tables` and `--quiet`."""
    jobs = click.option(
        "--jobs",
        type=click.IntRange(1, 256),
        default=CORES,
        show_default="the cores",
        help="How many workers play.",
    )
    tables = click.option(
        "--tables",
        type=click.IntRange(1, 1024),
        default=TABLES,
        show_default=True,
        help="How many matches each worker plays at once.",
    )
    quiet = click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
    return jobs(tables(quiet(command)))


def play_aloud(
    writer: Writer, event: Event, *, jobs: int, tables: int, quiet: bool = False
) -> None:
    """Play an event to its end; if it is stopped before, say how to go on and leave with 1."""
    finished = False
    with ExitStack() as stack:
        stops = stack.enter_context(stop_asked())
        run = run_of(writer, event, now=now)
        pace = Pace(run.course)
        # Taken down when the league says how the event ended, and not before.
        notice = stack.enter_context(
            Notice(run, writer.path, event=event.name, jobs=jobs, rate=pace.rate)
        )
        progress = Progress(quiet=quiet)

        def tell(course: Course) -> None:
            line = partial(line_of, course, run.names, pace.rate(course))
            progress.tell(line, share_done(course))
            notice.tell(course)

        try:
            with progress, workers_until(stops, jobs) as workers:
                finished = run.play(workers, jobs=jobs, tables=tables, tell=tell, stops=stops)
        finally:
            if not finished:
                told = f"{event.name} was stopped: go on with `{_again(event, writer.path)}`"
                click.echo(plain(told), err=True)
            end_event(writer, event.id, finished=finished, now=now())
    if not finished:
        raise click.exceptions.Exit(1)


def _again(event: Event, db: Path) -> str:
    """Write the command that goes on with an event."""
    words = ["arena", "event", "resume", event.name, "--db", str(db)]
    if spec_of(event).cage == NoneCage.name:
        words += ["--cage", NoneCage.name]
    return shlex.join(words)


@contextmanager
def workers_until(stops: Callable[[], bool], jobs: int) -> Iterator[Workers]:
    """Give workers, and say so if one of them dies before anybody has asked to stop."""
    try:
        with local_workers(jobs) as workers:
            yield workers
    except WorkerDied:
        # A friendly kill may have been meant for the workers, too.
        if not stops():
            raise


@contextmanager
def stop_asked() -> Iterator[Callable[[], bool]]:
    """Take Ctrl-C and a friendly kill as a wish to stop; a second Ctrl-C is taken literally."""
    asked = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        asked = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
