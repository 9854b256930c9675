"""The command `arena event watch`: the progress line of an event that another command runs."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import click

from arena.cli.options.completion import complete_event
from arena.cli.options.league import db_option, reading
from arena.cli.terminal.output import say
from arena.cli.terminal.progress import Progress
from arena.errors import ArenaError
from arena.text import plain
from arena.tournament.live_file import read_live
from arena.tournament.progress import EventProgress
from leaderboard.events import Event, find_event
from leaderboard.store import Reader

_POLL_S = 0.2


class NotRunning(ArenaError):
    """No event is running, or not the one that was named."""


@click.command("watch")
@click.argument("name", required=False, shell_complete=complete_event)
@db_option
def watch_event(name: str | None, db: Path) -> None:
    """Watch a running event until it ends.

    It shows what the command that runs it shows. `arena event show` has the points so far. The exit
    code is 1 if the event is interrupted or no event is running.

    Example: arena event watch
    """
    with reading(db) as store:
        event = find_event_in_play(store, db, name)
        # Ctrl-C is the normal way to end this.
        with suppress(KeyboardInterrupt), Progress(quiet=False) as bar:
            while progress := _progress_of(db, event):
                bar.update(progress.line, progress.share_done if progress.expected else None)
                time.sleep(_POLL_S)
        if _progress_of(db, event):
            return
        ended = find_event(store, event.name)
    say(plain(describe_end(ended)))
    if ended.status != "finished":
        raise click.exceptions.Exit(1)


def _progress_of(db: Path, event: Event) -> EventProgress | None:
    """Return the progress of an event; None if it is not in play."""
    now = read_live(db)
    return now if now and now.event == event.name else None


def find_event_in_play(reader: Reader, db: Path, name: str | None) -> Event:
    """Find the running event; raise `NotRunning` if it is not the one that was named."""
    now = read_live(db)
    if name is None:
        if now is None:
            raise NotRunning("no event is running: start one with `arena event run`")
        return find_event(reader, now.event)
    event = find_event(reader, name)
    if now is None or now.event != name:
        if event.status == "running":
            raise NotRunning(f"{name} is not in play: it was killed, or has not started yet")
        raise NotRunning(f"{describe_end(event)}; see `arena event show {name}`")
    return event


def describe_end(event: Event) -> str:
    """Describe how an event that is not running ended."""
    # A killed event could not change its status.
    how = {"finished": "is finished", "running": "was killed"}.get(event.status, "was interrupted")
    return f"{event.name} {how}"
