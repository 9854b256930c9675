"""People who play in the browser: the options of `arena play`, and the table that it serves."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from arena.cli.players import HUMAN
from arena.cli.terminal.output import say
from arena.errors import BadInput
from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.referee.clock import NO_CLOCK, Clock, read_clock

if TYPE_CHECKING:
    from arena.pages.play.seats import BrowserTable

_IDLE_S = 10.0
"""After the match, the table closes when no page has asked for so long: all are closed."""
_POLL_S = 0.2


def browser_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for people in the browser."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _read_person_clock(
    ctx: click.Context, option: click.Parameter, text: str | None
) -> Clock | None:
    clock = read_clock(text or str(NO_CLOCK))
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
        help="Address for --browser; 0.0.0.0 lets people on other machines play; default: only "
        "this machine can.",
    ),
    click.option(
        "--port",
        type=click.IntRange(0, 65535),
        help="Port for --browser; default: any free port.",
    ),
    click.option(
        "--person-clock",
        callback=_read_person_clock,
        metavar="BANK+INC",
        help="Thinking time of each person in the browser, in seconds; default: no clock.",
    ),
)


def check_browser_options(
    words: Sequence[str], *, browser: bool, host: str | None, port: int | None, clock: Clock | None
) -> None:
    """Refuse options for the browser without people who use it."""
    if not browser and (host, port, clock) != (None, None, None):
        raise BadInput("--host, --port and --person-clock need --browser")
    if browser and HUMAN not in words:
        raise BadInput("--browser is for people: name at least one player human")


@contextmanager
def open_table(
    game: AnyGame,
    parameters: Any,
    names: Sequence[str],
    seats: Sequence[Seat],
    *,
    at: tuple[str | None, int | None],
    clock: Clock | None,
    to_stderr: bool,
) -> Iterator[BrowserTable]:
    """Serve a table and print the address of every person.

    A finished match stays open until its pages are closed, or the user presses Ctrl-C.
    """
    # Imported here: without --browser, nobody should wait for it.
    from arena.pages.local_server import HOST
    from arena.pages.play.seats import BrowserTable
    from arena.pages.play.server import serve_table

    host, port = at
    table = BrowserTable(game, parameters, names, seats, clock=clock)
    with serve_table(table, port or 0, host=host or HOST) as addresses:
        for seat, address in zip(seats, addresses, strict=True):
            say(f"{names[seat]}: {address}", err=to_stderr)
        what = "Open this address" if len(seats) == 1 else "Give each person one of these addresses"
        say(f"{what}. Ctrl-C closes the table.", err=to_stderr)
        yield table
        say("The table closes when its pages are closed, or with Ctrl-C.", err=True)
        with suppress(KeyboardInterrupt):
            while table.idle_s() < _IDLE_S:
                time.sleep(_POLL_S)


def command_for(game: AnyGame, words: Sequence[str], settings: Sequence[str]) -> str:
    """Return the command that plays another match at such a table."""
    variant = [word for setting in settings for word in ("--variant", setting)]
    return shlex.join(["arena", "play", game.id, *words, *variant, "--browser"])
