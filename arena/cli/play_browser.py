"""People who play in the browser: the options of `arena play`, and the table that it serves."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from arena.errors import BadInput
from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.pages.local_server import HOST
from arena.pages.play.seats import BrowserTable
from arena.pages.play.server import serve_table
from arena.referee.clock import NO_CLOCK, Clock, read_clock

_IDLE_S = 10.0
"""After the match, the table closes when no page has asked for so long: all are closed."""
_POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class BrowserSettings:
    """Where the table is served, and the clock of the people."""

    host: str
    port: int
    clock: Clock | None


def browser_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for people in the browser, which the command gets as `browser`."""

    @wraps(command)
    def with_settings(
        *words: Any,
        browser: bool,
        host: str,
        port: int,
        person_clock: Clock | None,
        **options: Any,
    ) -> Any:
        settings = BrowserSettings(host, port, person_clock)
        if not browser and settings != BrowserSettings(HOST, 0, None):
            raise BadInput("--host, --port and --person-clock need --browser")
        return command(*words, browser=settings if browser else None, **options)

    for option in reversed(_OPTIONS):
        with_settings = option(with_settings)
    return with_settings


def _read_person_clock(ctx: click.Context, option: click.Parameter, text: str) -> Clock | None:
    clock = read_clock(text)
    if clock.counts_cpu:
        raise BadInput("--person-clock: a person uses no processor time; omit cpu:")
    return None if clock == NO_CLOCK else clock


_OPTIONS = (
    click.option(
        "--browser",
        is_flag=True,
        help="Let people play in the browser, each at an address of their own.",
    ),
    click.option(
        "--host",
        default=HOST,
        show_default=True,
        help="Address for --browser; 0.0.0.0 lets people on other machines play.",
    ),
    click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=0,
        show_default=True,
        help="Port for --browser; 0 takes any free port.",
    ),
    click.option(
        "--person-clock",
        default=str(NO_CLOCK),
        show_default=True,
        callback=_read_person_clock,
        metavar="BANK+INC",
        help="Clock of each person in the browser, in seconds.",
    ),
)


@contextmanager
def open_table(
    settings: BrowserSettings,
    game: AnyGame,
    parameters: Any,
    names: Sequence[str],
    seats: Sequence[Seat],
    *,
    to_stderr: bool,
) -> Iterator[BrowserTable]:
    """Serve a table and print the address of every person.

    A finished match stays open until its pages are closed, or the user presses Ctrl-C.
    """
    if not seats:
        raise BadInput("--browser is for people: name at least one player `human`")
    table = BrowserTable(game, parameters, names, seats, clock=settings.clock)
    with serve_table(table, settings.port, host=settings.host) as addresses:
        for seat, address in zip(seats, addresses, strict=True):
            click.echo(f"{names[seat]}: {address}", err=to_stderr)
        what = "Open this address" if len(seats) == 1 else "Give each person one of these addresses"
        click.echo(f"{what}. Ctrl-C closes the table.", err=to_stderr)
        yield table
        click.echo("The table closes when its pages are closed, or with Ctrl-C.", err=True)
        with suppress(KeyboardInterrupt):
            while table.idle_s() < _IDLE_S:
                time.sleep(_POLL_S)


def command_for(game: AnyGame, words: Sequence[str], settings: Sequence[str]) -> str:
    """Return the command that plays another match at such a table."""
    variant = [word for setting in settings for word in ("--variant", setting)]
    return shlex.join(["arena", "play", game.id, *words, *variant, "--browser"])
