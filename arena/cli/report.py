"""The command `arena report`."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import click

from arena.cli.options import number_option
from arena.cli.options.league import db_option, now, reading
from arena.cli.options.workers import quiet_option
from arena.cli.terminal.output import say
from arena.cli.terminal.progress import Progress
from arena.errors import BadInput
from arena.pages.local_server import HOST
from arena.pages.site.build import BuildResult, build
from arena.pages.site.pages import Options
from arena.pages.site.server import LiveSite
from arena.pages.site.server import serve as serve_site
from arena.text import plain, quantity
from leaderboard.store import Reader, Store

_POLL_S = 1.0
_PAUSE_FACTOR = 4
"""Pause after reading the league, as a multiple of the time it took: an event has priority."""


def _read_count(ctx: click.Context, option: click.Parameter, text: str) -> int | None:
    """Read a number, or `all`, which becomes None."""
    if text != "all" and not text.isdecimal():
        raise click.BadParameter(f"{text!r} is neither a number nor 'all'", ctx, option)
    return None if text == "all" else int(text)


def _read_url(ctx: click.Context, option: click.Parameter, text: str) -> str:
    """Read the address of a site; it ends with a slash."""
    if text and urlsplit(text).scheme not in ("http", "https"):
        raise click.BadParameter(f"{text!r} does not begin with https:// or http://", ctx, option)
    return f"{text.rstrip('/')}/" if text else ""


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
@number_option(
    "--analyse",
    "analyse_s",
    least=0,
    whole=False,
    default=0.0,
    show_default=False,
    metavar="SECONDS",
    help="Let `search` look for mistakes in matches with pages for this long.",
)
@click.option("--title", default=Options().title, show_default=True, help="Name of the league.")
@click.option("--about", default="", help="A few words below the title of the first page.")
@click.option(
    "--url",
    callback=_read_url,
    default="",
    help="Address where the pages are published, for links that are shared.",
)
@click.option(
    "--serve", is_flag=True, help="Serve the pages on this machine and keep them up to date."
)
@number_option(
    "--port", least=0, most=65535, default=8000, help="Port for --serve; 0 takes any free port."
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
    analyse_s: float,
    title: str,
    about: str,
    url: str,
    serve: bool,
    port: int,
    host: str,
    quiet: bool,
    db: Path,
) -> None:
    """Write the league as HTML pages.

    The pages show who leads in each game, events, bots, pairs of bots, rules and replays. Only
    changed pages are rewritten, and published replays stay. With --serve, nothing is written and
    every replay can be opened.

    Example: arena report site --title "Spring league"
    """
    options = Options(title, about, url)
    if folder and serve:
        raise BadInput("--serve writes no pages: leave out DIR, or --serve")
    if serve and analyse_s:
        raise BadInput("--analyse is for pages that are written: leave out --serve")
    with reading(db) as store:
        if serve:
            _serve(store, db, options, (host, port))
        elif folder:
            built = build_pages(store, folder, newest, options, analyse_s, quiet=quiet)
            say(_summary(folder, built))
        else:
            raise BadInput(
                "missing argument DIR (or use --serve to browse the pages without writing them)"
            )


def _serve(reader: Reader, db: Path, options: Options, at: tuple[str, int]) -> None:
    """Serve the pages until the user stops it."""
    before = _data_version(reader)
    site = LiveSite(reader, lambda: Store.open(db), options)
    with _end_on_signal(), serve_site(site, at[1], host=at[0]) as address:
        say(f"{address} (stop with Ctrl-C)")
        pause_s = _POLL_S
        while True:
            time.sleep(pause_s)
            pause_s = _POLL_S
            if (version := _data_version(reader)) != before:
                before = version
                start = time.monotonic()
                site.update(reader)
                pause_s = max(_POLL_S, _PAUSE_FACTOR * (time.monotonic() - start))


def _data_version(reader: Reader) -> object:
    """Return a number that differs after each change of the league."""
    return reader.row("PRAGMA data_version")


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


def build_pages(
    reader: Reader,
    folder: Path,
    newest: int | None,
    options: Options,
    analyse_s: float = 0.0,
    *,
    quiet: bool,
) -> BuildResult:
    """Write the pages of a league into a folder, with progress."""
    with Progress(quiet=quiet) as progress:

        def show(done: int, total: int) -> None:
            progress.update(lambda: f"{done:,}/{total:,} pages", done / total)

        built = build(
            reader,
            folder,
            newest=newest,
            now=now(),
            on_progress=show,
            options=options,
            analyse_s=analyse_s,
        )
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
