"""Play an event with a progress bar until it ends or the user stops it, and print its results."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from arena.cli.event.tables import print_event, print_journal
from arena.cli.options.workers import WorkerChoice, warn
from arena.cli.terminal.output import say
from arena.cli.terminal.progress import Progress
from arena.cli.terminal.signals import stop_on_signal
from arena.sandbox.cage import Uncaged
from arena.text import plain
from arena.tournament.playing import run_event
from arena.tournament.progress import EventProgress
from arena.tournament.schedule import describe_rounds
from arena.tournament.setup import spec_of
from arena.workers.pool import WorkerPool
from leaderboard.bots import version_with_id
from leaderboard.events import Event, field_of, find_event
from leaderboard.ratings.repeats import events_with_same_deals
from leaderboard.store import Reader, Writer


def announce(reader: Reader, event: Event) -> None:
    """Say what will be played, before it is."""
    field = field_of(reader, event.id)
    lines = [describe_rounds(spec_of(event), len(field))]
    same = ", ".join(events_with_same_deals(reader, event.id).values())
    if same:
        lines.append(
            f"same deals as {same}: a match with the same bots in the same seats is no new "
            "evidence, and is not rated again"
        )
    lines += [
        f"warning: {version} is retired; it plays because it was named"
        for version in (version_with_id(reader, each.version) for each in field)
        if version.retired
    ]
    lines.append(f"commitment to the deals: {event.commitment}")
    for line in lines:
        say(plain(f"{event.name}: {line}"), err=True)


def play_and_print(
    writer: Writer, event: Event, workers: WorkerChoice, cluster: WorkerPool | None
) -> None:
    """Play an event, and print its standings."""
    play(writer, event, workers, cluster)
    print_event(writer, find_event(writer, event.name))
    print_journal(writer, to_stderr=True)


def play(
    writer: Writer, event: Event, workers: WorkerChoice, cluster: WorkerPool | None = None
) -> None:
    """Play an event; if it is interrupted, print how to resume it and exit with 1."""
    finished = False
    try:
        with stop_on_signal() as should_stop, Progress(quiet=workers.quiet) as bar:

            def show(progress: EventProgress) -> None:
                bar.update(progress.line, progress.share_done if progress.expected else None)

            finished = run_event(
                writer,
                event,
                jobs=workers.jobs,
                tables=workers.tables,
                on_progress=show,
                should_stop=should_stop,
                workers=cluster,
                say=warn,
            )
    finally:
        if not finished:
            command = _resume_command(event, writer.path, workers)
            say(plain(f"{event.name} was interrupted; resume it with `{command}`"), err=True)
    if not finished:
        raise click.exceptions.Exit(1)


def _resume_command(event: Event, db: Path, workers: WorkerChoice) -> str:
    words = ["arena", "event", "resume", event.name, "--db", str(db)]
    words += workers.cluster_words()
    if spec_of(event).cage == Uncaged.name:
        words += ["--cage", Uncaged.name]
    return shlex.join(words)
