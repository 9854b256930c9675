"""What does the whole league look like in a browser?"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from arena.cli.db import db_option, reading
from arena.cli.drawing import drawing_of
from arena.cli.progress import Progress
from arena.cli.values import Count
from arena.cli.watching import changes
from arena.errors import BadInput
from arena.pages.site.build import Built, build
from arena.pages.site.serving import Site, served
from arena.replays.story import plain
from arena.sandbox.places import fresh
from leaderboard.store import Reader

_LOOK_S = 1.0
_REST = 4
"""How much longer than making a report the pause after it is: the event needs the machine more."""


@click.command()
@click.argument(
    "folder", metavar="[DIR]", required=False, type=click.Path(file_okay=False, path_type=Path)
)
@click.option(
    "--replays",
    "newest",
    metavar="N|all",
    type=Count(),
    default="0",
    help="Make pages of the newest N replays besides the telling ones, or of all.",
)
@click.option("--serve", is_flag=True, help="Show it on this machine, and keep it up to date.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Where to show it; 0 takes any that is free.",
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@db_option
def report(
    folder: Path | None, newest: int | None, serve: bool, port: int, quiet: bool, db: Path
) -> None:
    """Write the league as pages for the browser.

    They show leaderboards, events, bots and replays. What has not changed since the last time is
    left alone. With --serve and no DIR, nothing is kept.

    Example: arena report site
    """
    with reading(db) as store:
        if serve:
            _serve(store, folder, newest, port, quiet=quiet)
        elif folder:
            click.echo(_summary(folder, _build(store, folder, newest, quiet=quiet)))
        else:
            raise BadInput("where to? Name a folder, or take --serve to have a look only")


def _serve(
    reader: Reader, folder: Path | None, newest: int | None, port: int, *, quiet: bool
) -> None:
    """Show the report until somebody stops it."""
    with _stopped_kindly(), _folder(folder) as place:
        site = Site(place)
        with served(site, port) as address:
            has_changed = changes(reader)
            next(has_changed)
            _build(reader, place, newest, quiet=quiet)
            click.echo(f"{address} (stop with Ctrl-C)")
            rest_s = _LOOK_S
            while True:
                time.sleep(rest_s)
                rest_s = _LOOK_S
                if next(has_changed):
                    began = time.monotonic()
                    made = _build(reader, place, newest, quiet=True).changes
                    if made.written or made.removed:
                        site.changed()
                    rest_s = max(_LOOK_S, _REST * (time.monotonic() - began))


@contextmanager
def _stopped_kindly() -> Iterator[None]:
    """Take Ctrl-C and a friendly kill as the proper end."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _folder(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
        return
    with fresh() as place:
        yield place / "report"


def _build(reader: Reader, folder: Path, newest: int | None, *, quiet: bool) -> Built:
    with Progress(quiet=quiet) as progress:

        def tell(done: int, total: int) -> None:
            progress.tell(lambda: f"{done:,}/{total:,} pages", done / total)

        built = build(reader, folder, teller_of=drawing_of, newest=newest, tell=tell)
    if built.unshown and not quiet:
        first, *others = built.unshown
        more = f" (and {len(others)} more)" if others else ""
        click.echo(f"a replay cannot be shown: {plain(first)}{more}", err=True)
    return built


def _summary(folder: Path, built: Built) -> str:
    files, written, removed = built.changes
    return (
        f"{folder / 'index.html'}: {files:,} pages, {built.replays:,} of them replays; "
        f"{written:,} written, {removed:,} removed"
    )
