"""Announce an event, and run it with a progress bar until it ends or the user stops it."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from arena.cli.options.cluster import NO_CLUSTER, ClusterChoice
from arena.cli.terminal.output import say
from arena.cli.terminal.progress import Progress, ProgressPart
from arena.cli.terminal.signals import stop_on_signal
from arena.sandbox.cage import Uncaged
from arena.text import plain
from arena.tournament.progress import EventProgress
from arena.tournament.run import run_event
from arena.tournament.schedule import describe_rounds
from arena.tournament.setup import spec_of
from arena.workers.pool import WorkerPool
from leaderboard.events import Event, field_of
from leaderboard.ratings.repeats import events_with_same_deals
from leaderboard.store import Reader, Writer


def announce(reader: Reader, event: Event) -> None:
    """Say what will be played, before it is."""
    lines = [describe_rounds(spec_of(event), len(field_of(reader, event.id)))]
    same = ", ".join(events_with_same_deals(reader, event.id).values())
    if same:
        lines.append(
            f"same deals as {same}: a match with the same bots in the same seats is no new "
            "evidence, and is not rated again"
        )
    lines.append(f"commitment to the deals: {event.commitment}")
    for line in lines:
        say(plain(f"{event.name}: {line}"), err=True)


def run_with_progress(
    writer: Writer,
    event: Event,
    *,
    jobs: int,
    tables: int,
    quiet: bool = False,
    workers: WorkerPool | None = None,
    cluster: ClusterChoice = NO_CLUSTER,
) -> None:
    """Run an event; if it is interrupted, print how to resume it and exit with 1.

    `workers` are those of the cluster, if one was chosen.
    """
    finished = False
    try:
        with stop_on_signal() as should_stop, Progress(quiet=quiet) as bar:

            def show(progress: EventProgress) -> None:
                bar.update(
                    progress.line,
                    progress.share_done,
                    lambda: [ProgressPart(name, share) for name, share in progress.parts],
                )

            finished = run_event(
                writer,
                event,
                jobs=jobs,
                tables=tables,
                on_progress=show,
                should_stop=should_stop,
                workers=workers,
            )
    finally:
        if not finished:
            command = _resume_command(event, writer.path, cluster)
            say(plain(f"{event.name} was interrupted; resume it with `{command}`"), err=True)
    if not finished:
        raise click.exceptions.Exit(1)


def _resume_command(event: Event, db: Path, cluster: ClusterChoice) -> str:
    words = ["arena", "event", "resume", event.name, "--db", str(db)]
    words += cluster.words()
    if spec_of(event).cage == Uncaged.name:
        words += ["--cage", Uncaged.name]
    return shlex.join(words)
