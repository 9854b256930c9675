"""Draw on the full terminal, and restore it afterwards.

Frames are drawn on the alternate screen, so the scrollback is kept. The terminal is restored when a
key, an error or a signal ends the command; only after SIGKILL, which cannot be handled, does the
user have to type `reset`.
"""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import click

from arena.cli.terminal.signals import END_SIGNALS
from arena.cli.terminal.styling import truncate

QUIT = "q"
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""Alternate screen, no cursor, no line wrap."""
_LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"
_KEY_PRESS = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[@-~]|.", re.DOTALL)
_UNFINISHED = re.compile(rb"\x1b(\[[0-?]*[ -/]*|O)?\Z")
_KEYS = {
    b"\t": "tab",
    b"\x1b[Z": "back tab",
    b"\x1b[5~": "page up",
    b"\x1b[6~": "page down",
    **dict.fromkeys((b"\x1b[A", b"\x1bOA"), "up"),
    **dict.fromkeys((b"\x1b[B", b"\x1bOB"), "down"),
    **dict.fromkeys((b"\x1b[C", b"\x1bOC"), "right"),
    **dict.fromkeys((b"\x1b[D", b"\x1bOD"), "left"),
    **dict.fromkeys((b"\x1b[H", b"\x1bOH", b"\x1b[1~", b"\x1b[7~"), "home"),
    **dict.fromkeys((b"\x1b[F", b"\x1bOF", b"\x1b[4~", b"\x1b[8~"), "end"),
}


class Screen:
    """A terminal that shows one frame after another."""

    def __init__(self, keyboard: int | None, wakeup: int) -> None:
        """Read keys from `keyboard`, if any; `wakeup` becomes readable on a signal."""
        self._keyboard = keyboard
        self._wakeup = wakeup
        self._unread = b""

    @property
    def size(self) -> os.terminal_size:
        """Columns and rows."""
        size = os.get_terminal_size(sys.stdout.fileno())
        return size if all(size) else os.terminal_size((80, 24))

    def draw(self, lines: Sequence[str]) -> None:
        """Replace the last frame; lines that do not fit are cut."""
        columns, rows = self.size
        shown = [truncate(_without_unwanted_colour(line), columns) for line in lines[:rows]]
        rest = [f"\x1b[{len(shown) + 1};1H\x1b[J"] if len(shown) < rows else []
        drawn = (f"\x1b[{row};1H\x1b[K{line}" for row, line in enumerate(shown, start=1))
        _write("".join([*drawn, *rest]))

    def keys(self, timeout_s: float | None = None) -> list[str]:
        """Wait for keys; return none after the timeout or when the size changes."""
        sources = [self._wakeup] if self._keyboard is None else [self._wakeup, self._keyboard]
        ready, _, _ = select.select(sources, [], [], timeout_s)
        if self._wakeup in ready:
            os.read(self._wakeup, 1024)
        if self._keyboard not in ready:
            return []
        data = b""
        with suppress(OSError):
            data = os.read(self._keyboard, 1024)
        if not data:
            # The terminal was closed.
            return [QUIT]
        pressed, self._unread = parse_keys(self._unread + data)
        return pressed


@contextmanager
def full_screen() -> Iterator[Screen]:
    """Use the full terminal for a `with` block; standard output must be a terminal."""
    keyboard = sys.stdin.fileno() if sys.stdin.isatty() else None
    modes: list[Any] = [] if keyboard is None else termios.tcgetattr(keyboard)
    wakeup, wakeup_writer = os.pipe()
    os.set_blocking(wakeup_writer, False)

    def enter() -> None:
        if keyboard is not None:
            tty.setcbreak(keyboard, termios.TCSADRAIN)
        _write(_ENTER)

    def leave() -> None:
        # A closed terminal needs no cleanup.
        with suppress(OSError, termios.error):
            _write(_LEAVE)
            if keyboard is not None:
                termios.tcsetattr(keyboard, termios.TCSADRAIN, modes)

    def end(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    def pause(number: int, frame: FrameType | None) -> None:
        leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        # Continued with `fg`.
        signal.signal(number, pause)
        enter()

    # Without a handler, SIGWINCH would not write to the wakeup descriptor.
    handlers: dict[int, Any] = {**dict.fromkeys(END_SIGNALS, end), signal.SIGTSTP: pause}
    handlers[signal.SIGWINCH] = lambda number, frame: None
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *handlers)}
    wakeup_before = signal.set_wakeup_fd(wakeup_writer, warn_on_full_buffer=False)
    try:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        sys.stdout.flush()
        enter()
        yield Screen(keyboard, wakeup)
    finally:
        for number in before:
            signal.signal(number, signal.SIG_IGN)
        leave()
        signal.set_wakeup_fd(wakeup_before)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(wakeup)
        os.close(wakeup_writer)


def _without_unwanted_colour(line: str) -> str:
    """Remove colours if the user does not want any (NO_COLOR)."""
    command = click.get_current_context(silent=True)
    return click.unstyle(line) if command and command.color is False else line


def _write(text: str) -> None:
    # Unbuffered: the pause handler may write in the middle of a frame.
    data = text.encode(sys.stdout.encoding, errors="replace")
    while data:
        data = data[os.write(sys.stdout.fileno(), data) :]


def parse_keys(data: bytes) -> tuple[list[str], bytes]:
    """Return the keys in the input, and an unfinished sequence at its end."""
    unfinished = _UNFINISHED.search(data)
    rest = unfinished.group() if unfinished else b""
    pressed = _KEY_PRESS.findall(data.removesuffix(rest))
    letters = {key: chr(key[0]) for key in pressed if len(key) == 1 and 32 <= key[0] < 127}
    names = letters | _KEYS
    return [names[key] for key in pressed if key in names], rest
