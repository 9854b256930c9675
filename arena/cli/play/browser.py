"""People who play in the browser: the options of `arena play`, and the table that it serves."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

import click

from arena.cli.options import add_options, number_option
from arena.cli.play.person import HUMAN
from arena.cli.terminal.output import say
from arena.errors import BadInput
from arena.games.registry import AnyGame, parameters_from
from arena.indices import Seat
from arena.records import Record
from arena.referee.clock import NO_CLOCK, Clock, read_clock

if TYPE_CHECKING:
    from arena.pages.play.player import BrowserPlayer
    from arena.pages.play.seats import BrowserTable

_IDLE_S = 10.0
"""After the match, the table closes when no page has asked for this long: all are closed."""
_POLL_S = 0.2


class BrowserOptions(NamedTuple):
    """Whether and how people play in the browser."""

    browser: bool
    """Whether they do."""
    host: str | None
    port: int | None
    person_clock: Clock | None

    def check(self, people: int) -> None:
        """Refuse options for the browser without people who use it."""
        if not self.browser and self[1:] != (None, None, None):
            raise BadInput("--host, --port and --person-clock need --browser")
        if self.browser and not people:
            raise BadInput("--browser is for people: name at least one player human")


def _read_person_clock(
    ctx: click.Context, option: click.Parameter, text: str | None
) -> Clock | None:
    clock = read_clock(text or str(NO_CLOCK))
    if clock.counts_cpu:
        raise BadInput("--person-clock: a person uses no CPU time; omit cpu:")
    return None if clock == NO_CLOCK else clock


browser_options = add_options(
    click.option(
        "--browser",
        is_flag=True,
        help="Let people play in the browser, each at their own address.",
    ),
    click.option(
        "--host",
        help="Address for --browser; 0.0.0.0 lets people on other machines play; default: only "
        "this machine can.",
    ),
    number_option(
        "--port", least=0, most=65535, help="Port for --browser; default: any free port."
    ),
    click.option(
        "--person-clock",
        callback=_read_person_clock,
        metavar="BANK+INC",
        help="Thinking time of each person in the browser, in seconds; default: no clock.",
    ),
    packed={"browser": BrowserOptions},
)
"""Adds the options for people in the browser."""


class InBrowser:
    """The people of a match who play in the browser; the first who joins opens the table."""

    name = HUMAN

    def __init__(
        self,
        game: AnyGame,
        variant: Sequence[str],
        words: Sequence[str],
        seats: Sequence[Seat],
        options: BrowserOptions,
        *,
        to_stderr: bool,
    ) -> None:
        """Prepare for people in these seats; `words` name the players of all seats."""
        options.check(len(seats))
        self._game = game
        self._variant = variant
        self._words = words
        self._seats = seats
        self._options = options
        self._to_stderr = to_stderr
        self._table: BrowserTable | None = None

    def join(self, seat: Seat, names: Sequence[str]) -> BrowserPlayer:
        """Take a seat."""
        if self._table is None:
            # It is closed when its pages are, after the end of the command, or by Ctrl-C.
            self._table = click.get_current_context().with_resource(self._open_table(names))
        return self._table.player(seat)

    def finish(self, record: Record, *, saved: str) -> None:
        """Show the result, where the replay was saved, and the command for another match."""
        assert self._table
        command = command_for(self._game, self._words, self._variant)
        self._table.finish(record, saved=saved, command=command)

    @contextmanager
    def _open_table(self, names: Sequence[str]) -> Iterator[BrowserTable]:
        """Serve a table and print the address of every person.

        It is closed at the end of the command.
        """
        # Imported here: without --browser, nobody should wait for it.
        from arena.pages.local_server import HOST
        from arena.pages.play.seats import BrowserTable
        from arena.pages.play.server import serve_table

        _, host, port, clock = self._options
        parameters = parameters_from(self._game, self._variant)
        table = BrowserTable(self._game, parameters, names, self._seats, clock=clock)
        with serve_table(table, port or 0, host=host or HOST) as addresses:
            for seat, address in zip(self._seats, addresses, strict=True):
                say(f"{names[seat]}: {address}", err=self._to_stderr)
            several = len(self._seats) > 1
            what = "Give each person one of these addresses" if several else "Open this address"
            say(f"{what}. Ctrl-C closes the table.", err=self._to_stderr)
            yield table

    def wants_another(self) -> bool:
        """Wait until somebody asks for another match; False when all pages are closed.

        Ctrl-C closes the table as well.
        """
        table = self._table
        if table is None:
            return False
        say("The table closes when its pages are closed, or with Ctrl-C.", err=True)
        with suppress(KeyboardInterrupt):
            while table.idle_s() < _IDLE_S:
                if table.again.wait(_POLL_S):
                    table.again.clear()
                    return True
        return False


def command_for(game: AnyGame, words: Sequence[str], settings: Sequence[str]) -> str:
    """Return the command that plays another match at such a table."""
    variant = [word for setting in settings for word in ("--variant", setting)]
    return shlex.join(["arena", "play", game.id, *words, *variant, "--browser"])
