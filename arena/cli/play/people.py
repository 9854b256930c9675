"""The people of a match, who sit at the terminal or in the browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from arena.api.players import AnyPlayer
from arena.api.replay import Replay
from arena.cli.play.browser import BrowserOptions, InBrowser
from arena.cli.play.console import open_console
from arena.cli.play.person import HUMAN, AtTerminal, PlayerQuit, Script
from arena.cli.terminal.output import say, say_command
from arena.errors import BadInput
from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.secret import Secret

_REPLACED = ("seed", "secret", "moves")
"""Options that the printed command has from the match itself."""


class People:
    """Everyone whom a command names as `human`."""

    def __init__(
        self,
        game: AnyGame,
        variant: Sequence[str],
        words: Sequence[str],
        moves: Sequence[str],
        browser: BrowserOptions,
        *,
        to_stderr: bool,
    ) -> None:
        """Refuse options that do not fit the players; `words` are those of all seats."""
        self.seats = [Seat(seat) for seat, word in enumerate(words) if word == HUMAN]
        self._is_at_terminal = bool(self.seats) and not browser.browser
        if moves and not self._is_at_terminal:
            raise BadInput("--moves is for people at the terminal")
        self._game = game
        self._words = words
        self._script = Script(moves)
        self._to_stderr = to_stderr
        self._in_browser = InBrowser(game, variant, words, self.seats, browser, to_stderr=to_stderr)

    @contextmanager
    def seated(self, seed: Secret) -> Iterator[list[AnyPlayer]]:
        """Yield the players of the match; tell whoever leaves how to continue it from `seed`."""
        has_person = self._is_at_terminal
        try:
            with open_console(has_person=has_person, to_stderr=self._to_stderr) as console:
                alone = len(self.seats) == 1
                at_terminal = AtTerminal(self._game, console, self._script, alone)
                person: AnyPlayer = at_terminal if has_person else self._in_browser
                yield [person if word == HUMAN else word for word in self._words]
        except (PlayerQuit, KeyboardInterrupt) as error:
            if not has_person:
                raise
            reason = str(error) or "you left the table; the match does not count"
            _say_goodbye(reason, seed, self._script.played)
            raise click.exceptions.Exit(1) from None

    def unsaid(self, replay: Replay) -> list[str]:
        """Return what has happened that nobody has read at the terminal or in the browser."""
        in_browser = self.seats and not self._is_at_terminal
        return [] if in_browser else replay.narrate()[self._script.events_said :]

    def finish(self, replay: Replay, path: Path | None) -> None:
        """Show the result to people in the browser; `path` is where the replay was saved."""
        if self.seats and not self._is_at_terminal:
            self._in_browser.finish(replay.record, saved=str(path.resolve()) if path else "")


def _say_goodbye(reason: str, deals: Secret, moves: Sequence[str]) -> None:
    """Print why a match ended early, and the command that replays its moves and continues it."""
    ctx = click.get_current_context()
    words = [*ctx.command_path.split(), *_words(ctx)]
    words += [f"--{word}" if not number else word for number, word in enumerate(str(deals).split())]
    if moves:
        words += ["--moves", ",".join(moves)]
    verb = "continue it" if moves else "start it again"
    say(f"Goodbye: {reason}. To {verb}, run:", err=True)
    say_command(words, err=True)


def _words(ctx: click.Context) -> Iterator[str]:
    """Yield the words of the command line, without the options that are replaced."""
    for parameter in ctx.command.params:
        name = parameter.name or ""
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE and name not in _REPLACED:
            value = ctx.params[name]
            if isinstance(parameter, click.Option):
                yield from _option_words(parameter, value)
            else:
                yield from map(str, value if isinstance(value, tuple) else (value,))


# An option's value is of the type that its callback returns, hence Any.


def _option_words(option: click.Option, value: Any) -> Iterator[str]:
    if isinstance(value, bool):
        yield (option.opts if value else option.secondary_opts)[0]
        return
    if isinstance(value, Mapping):
        value = tuple(f"{name}={number}" for name, number in value.items())
    for each in value if option.multiple else (value,):
        yield from (option.opts[0], str(each))
