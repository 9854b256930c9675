"""The people of a match, who sit at the terminal or in the browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from arena.api.players import AnyPlayer
from arena.api.replay import Replay
from arena.cli.play.browser import BrowserOptions, InBrowser
from arena.cli.play.console import open_console
from arena.cli.play.person import HUMAN, AtTerminal, PlayerQuit
from arena.cli.terminal.output import say
from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.secret import Secret


class People:
    """Everyone whom a command names as `human`."""

    def __init__(
        self,
        game: AnyGame,
        variant: Sequence[str],
        words: Sequence[str],
        browser: BrowserOptions,
        *,
        to_stderr: bool,
    ) -> None:
        """Refuse options that do not fit the players; `words` are those of all seats."""
        self.seats = [Seat(seat) for seat, word in enumerate(words) if word == HUMAN]
        self._is_at_terminal = bool(self.seats) and not browser.browser
        self._game = game
        self._words = words
        self._events_said = 0
        self._to_stderr = to_stderr
        self._in_browser = InBrowser(game, variant, words, self.seats, browser, to_stderr=to_stderr)

    @contextmanager
    def seated(self, seed: Secret) -> Iterator[list[AnyPlayer]]:
        """Yield the players of the match; tell whoever leaves that it was dealt from `seed`."""
        has_person = self._is_at_terminal
        try:
            with open_console(has_person=has_person, to_stderr=self._to_stderr) as console:
                at_terminal = AtTerminal(self._game, console, alone=len(self.seats) == 1)
                person: AnyPlayer = at_terminal if has_person else self._in_browser
                yield [person if word == HUMAN else word for word in self._words]
                self._events_said = at_terminal.events_said
        except (PlayerQuit, KeyboardInterrupt) as error:
            if not has_person:
                raise
            reason = str(error) or "you left the table; the match does not count"
            say(f"Goodbye: {reason}. To play the same cards again, add --{seed}.", err=True)
            raise click.exceptions.Exit(1) from None

    def unsaid(self, replay: Replay) -> list[str]:
        """Return what has happened that nobody has read at the terminal or in the browser."""
        in_browser = self.seats and not self._is_at_terminal
        return [] if in_browser else replay.narrate()[self._events_said :]

    def want_another(self) -> bool:
        """Wait until people in the browser ask for another match; False if they leave."""
        return self._in_browser.wants_another()

    def finish(self, replay: Replay, path: Path | None) -> None:
        """Show the result to people in the browser; `path` is where the replay was saved."""
        if self.seats and not self._is_at_terminal:
            self._in_browser.finish(replay.record, saved=str(path.resolve()) if path else "")
