"""Show a picture on the whole terminal until a key or a signal ends it.

prompt_toolkit reads the keys and draws on the alternate screen, so that the scrollback is kept, and
restores the terminal. Import this module late: prompt_toolkit takes as long as all other imports.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl

from arena.cli.terminal.signals import END_SIGNALS
from arena.cli.terminal.styling import truncate

_QUIT = ("q", "c-c", "c-\\", "<sigint>")


class Picture(Protocol):
    """What is shown: it changes with keys, or by itself."""

    @property
    def interval_s(self) -> float | None:
        """Seconds until it changes by itself; None if it does not."""

    def advance(self) -> bool:
        """Change by itself; return whether there is anything left to show."""

    def press(self, key: str) -> None:
        """Handle a key: a character, or a name of prompt_toolkit's such as `pageup`."""

    def render(self, columns: int, rows: int) -> Sequence[str]:
        """Return the lines; longer ones are cut."""


def show_full_screen(picture: Picture) -> None:
    """Show a picture until it is over or the user quits; standard output must be a terminal.

    On a signal that ends the program, raise SystemExit once the terminal is restored.
    """
    if code := _Screen(picture).run():
        sys.exit(code)


class _Screen:
    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._interval_s: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        window = Window(FormattedTextControl(self._draw), always_hide_cursor=True)
        self._app: Application[int] = Application(
            layout=Layout(window),
            key_bindings=self._bindings(),
            full_screen=True,
            erase_when_done=True,
            # Keys are read from the terminal although standard input may be something else.
            input=create_input(always_prefer_tty=True),
        )

    def run(self) -> int:
        """Show it; return the exit code."""
        # The end of the input means that the terminal was closed.
        with suppress(EOFError):
            return self._app.run(pre_run=self._start, set_exception_handler=False)
        return 0

    def _start(self) -> None:
        for number in END_SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._end, 128 + number)
        self._set_timer()

    def _end(self, code: int) -> None:
        if not self._app.is_done:
            self._app.exit(result=code)

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add(Keys.Any)
        def press(event: KeyPressEvent) -> None:
            key = event.key_sequence[0].key
            name = key.value if isinstance(key, Keys) else key
            # A terminal sends the same for Tab and Ctrl-I.
            self._try(lambda: self._picture.press("tab" if key == Keys.Tab else name))
            if self._picture.interval_s != self._interval_s:
                self._set_timer()

        @keys.add("c-z")
        def suspend(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        for key in _QUIT:
            keys.add(key)(lambda event: self._end(0))
        return keys

    def _set_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._interval_s = self._picture.interval_s
        if self._interval_s is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._interval_s, self._try, self._advance)

    def _advance(self) -> None:
        if self._picture.advance():
            self._app.invalidate()
            self._set_timer()
        else:
            self._end(0)

    def _draw(self) -> ANSI:
        rows, columns = self._app.output.get_size()
        lines: list[str] = []
        self._try(lambda: lines.extend(self._picture.render(columns, rows)))
        return ANSI("\n".join(truncate(line, columns) for line in lines[:rows]))

    def _try(self, function: Callable[[], object]) -> None:
        """Call a function; an error ends the application, which restores the terminal."""
        try:
            function()
        except Exception as error:
            if not self._app.is_done:
                self._app.exit(exception=error)
