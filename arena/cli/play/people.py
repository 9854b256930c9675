"""The people of a match, at the terminal or in the browser, and the options for the browser."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from arena.api.players import AnyPlayer
from arena.api.replay import Replay
from arena.cli.options import add_options, number_option
from arena.cli.play.console import open_console
from arena.cli.play.person import HUMAN, AtTerminal, PlayerQuit
from arena.cli.terminal.output import say
from arena.errors import BadInput
from arena.games.registry import AnyGame, parameters_from
from arena.indices import Seat
from arena.referee.clock import NO_CLOCK, Clock, read_clock
from arena.secret import Secret

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


class People:
    """Everyone whom a command names as `human`."""

    name = HUMAN

    def __init__(
        self,
        game: AnyGame,
        variant: Sequence[str],
        words: Sequence[str],
        options: BrowserOptions,
        *,
        to_stderr: bool,
    ) -> None:
        """Refuse options that do not fit the players; `words` are those of all seats."""
        self.seats = [Seat(seat) for seat, word in enumerate(words) if word == HUMAN]
        if not options.browser and options[1:] != (None, None, None):
            raise BadInput("--host, --port and --person-clock need --browser")
        if options.browser and not self.seats:
            raise BadInput("--browser is for people: name at least one player human")
        self._game = game
        self._variant = variant
        self._words = words
        self._options = options
        self._to_stderr = to_stderr
        self._events_said = 0
        self._table: BrowserTable | None = None

    @contextmanager
    def seated(self, seed: Secret) -> Iterator[list[AnyPlayer]]:
        """Yield the players of the match; tell whoever leaves that it was dealt from `seed`."""
        if self._options.browser or not self.seats:
            yield [self if word == HUMAN else word for word in self._words]
            return
        try:
            with open_console(to_stderr=self._to_stderr) as console:
                person = AtTerminal(self._game, console, alone=len(self.seats) == 1)
                yield [person if word == HUMAN else word for word in self._words]
                self._events_said = person.events_said
        except (PlayerQuit, KeyboardInterrupt) as error:
            reason = str(error) or "you left the table; the match does not count"
            say(f"Goodbye: {reason}. To play the same cards again, add --{seed}.", err=True)
            raise click.exceptions.Exit(1) from None

    def join(self, seat: Seat, names: Sequence[str]) -> BrowserPlayer:
        """Take a seat in the browser; the first who joins opens the table."""
        if self._table is None:
            # It is closed when its pages are, after the end of the command, or by Ctrl-C.
            self._table = click.get_current_context().with_resource(self._open_table(names))
        return self._table.player(seat)

    @contextmanager
    def _open_table(self, names: Sequence[str]) -> Iterator[BrowserTable]:
        """Serve a table until the end of the command, and print the address of every person."""
        # Imported here: without --browser, nobody should wait for it.
        from arena.pages.local_server import HOST
        from arena.pages.play.seats import BrowserTable
        from arena.pages.play.server import serve_table

        _, host, port, clock = self._options
        parameters = parameters_from(self._game, self._variant)
        table = BrowserTable(self._game, parameters, names, self.seats, clock=clock)
        with serve_table(table, port or 0, host=host or HOST) as addresses:
            for seat, address in zip(self.seats, addresses, strict=True):
                say(f"{names[seat]}: {address}", err=self._to_stderr)
            several = len(self.seats) > 1
            what = "Give each person one of these addresses" if several else "Open this address"
            say(f"{what}. Ctrl-C closes the table.", err=self._to_stderr)
            yield table

    def unsaid(self, replay: Replay) -> list[str]:
        """Return what has happened that nobody has read at the terminal or in the browser."""
        return [] if self._table else replay.narrate()[self._events_said :]

    def finish(self, replay: Replay, path: Path | None) -> None:
        """Show the result to people in the browser; `path` is where the replay was saved."""
        if self._table:
            command = command_for(self._game, self._words, self._variant)
            saved = str(path.resolve()) if path else ""
            self._table.finish(replay.record, saved=saved, command=command)

    def want_another(self) -> bool:
        """Wait until somebody in the browser asks for another match; False if all leave.

        Ctrl-C closes the table as well.
        """
        if self._table is None:
            return False
        say("The table closes when its pages are closed, or with Ctrl-C.", err=True)
        with suppress(KeyboardInterrupt):
            while self._table.idle_s() < _IDLE_S:
                if self._table.again.wait(_POLL_S):
                    self._table.again.clear()
                    return True
        return False


def command_for(game: AnyGame, words: Sequence[str], settings: Sequence[str]) -> str:
    """Return the command that plays another match at such a table."""
    variant = [word for setting in settings for word in ("--variant", setting)]
    return shlex.join(["arena", "play", game.id, *words, *variant, "--browser"])
