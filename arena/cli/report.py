"""The command `arena report`."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from arena.cli.options.league import db_option, now, reading
from arena.cli.options.workers import quiet_option
from arena.cli.terminal.output import say
from arena.cli.terminal.progress import Progress
from arena.cli.terminal.watching import poll_changes
from arena.errors import ArenaError, BadInput
from arena.pages.local_server import HOST
from arena.pages.site.build import BuildResult, build, replay_on_demand
from arena.pages.site.server import Site, serve
from arena.sandbox.tempdir import temp_dir
from arena.text import plain, quantity
from leaderboard.store import Reader, Store

_POLL_S = 1.0
_PAUSE_FACTOR = 4
"""Pause after each report, as a multiple of the time it took: an event has priority."""


def _read_count(ctx: click.Context, option: click.Parameter, text: str) -> int | None:
    """Read a number, or `all`, which becomes None."""
    if text != "all" and not text.isdecimal():
        raise click.BadParameter(f"{text!r} is neither a number nor 'all'", ctx, option)
    return None if text == "all" else int(text)


@click.command()
@click.argument(
    "folder", metavar="[DIR]", required=False, type=click.Path(file_okay=False, path_type=Path)
)
@click.option(
    "--replays",
    "newest",
    metavar="N|all",
    callback=_read_count,
    default="0",
    help="Add pages for the newest N replays, or all; notable matches always have one.",
)
@click.option(
    "--serve", is_flag=True, help="Serve the pages on this machine and keep them up to date."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port for --serve; 0 takes any free port.",
)
@click.option(
    "--host",
    default=HOST,
    show_default=True,
    help="Address for --serve; 0.0.0.0 lets other machines read the pages.",
)
@quiet_option
@db_option
def report(
    folder: Path | None,
    newest: int | None,
    serve: bool,
    port: int,
    host: str,
    quiet: bool,
    db: Path,
) -> None:
    """Write the league as HTML pages.

    The pages show leaderboards, variants, events, bots and replays. Only changed pages are
    rewritten, and published replays stay. With --serve, every replay can be opened; without DIR,
    the pages are deleted at the end.

    Example: arena report site
    """
    with reading(db) as store:
        if serve:
            _serve(store, db, folder, newest, (host, port), quiet=quiet)
        elif folder:
            say(_summary(folder, _build(store, folder, newest, quiet=quiet)))
        else:
            raise BadInput(
                "missing argument DIR (or use --serve to browse the pages without keeping them)"
            )


def _serve(
    reader: Reader,
    db: Path,
    folder: Path | None,
    newest: int | None,
    at: tuple[str, int],
    *,
    quiet: bool,
) -> None:
    """Serve the report until the user stops it."""
    with _end_on_signal(), _output_folder(folder) as target:
        site = Site(target, lambda path: _replay_of(db, path))
        with serve(site, at[1], host=at[0]) as address:
            has_changed = poll_changes(reader)
            next(has_changed)
            _build(reader, target, newest, quiet=quiet)
            say(f"{address} (stop with Ctrl-C)")
            pause_s = _POLL_S
            while True:
                time.sleep(pause_s)
                pause_s = _POLL_S
                if next(has_changed):
                    start = time.monotonic()
                    changes = _build(reader, target, newest, quiet=True).changes
                    if changes.written or changes.removed:
                        site.mark_changed()
                    pause_s = max(_POLL_S, _PAUSE_FACTOR * (time.monotonic() - start))


def _replay_of(db: Path, path: str) -> str | None:
    """Return the page of a replay that the report does not contain."""
    try:
        # Opened again: each request has its own thread.
        with Store.open(db) as store:
            return replay_on_demand(store, path)
    except ArenaError:
        return None


@contextmanager
def _end_on_signal() -> Iterator[None]:
    """End normally on Ctrl-C and SIGTERM."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _output_folder(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
        return
    with temp_dir() as target:
        yield target / "report"


def _build(reader: Reader, folder: Path, newest: int | None, *, quiet: bool) -> BuildResult:
    with Progress(quiet=quiet) as progress:

        def show(done: int, total: int) -> None:
            progress.update(lambda: f"{done:,}/{total:,} pages", done / total)

        built = build(reader, folder, newest=newest, now=now(), on_progress=show)
    if built.failures and not quiet:
        first, *others = built.failures
        more = f" (and {len(others)} more)" if others else ""
        say(f"cannot show a replay: {plain(first)}{more}", err=True)
    return built


def _summary(folder: Path, built: BuildResult) -> str:
    files, written, removed = built.changes
    return (
        f"{folder / 'index.html'}: {quantity(files, 'page')}, {built.replays:,} of them replays; "
        f"{written:,} written, {removed:,} removed"
    )
