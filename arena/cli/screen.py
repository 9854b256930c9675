"""How is the whole terminal drawn on, and given back as it was?

Pictures are on the terminal's other screen, so that nothing of what was on it is lost. Whatever
ends the command, a key, an error or a signal, the terminal is as before; only after SIGKILL, which
nobody hears, `reset` is needed.
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

from arena.cli.styled import clipped

QUIT = "q"
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""To the other screen, without a cursor; a line that is too long stays one line."""
_LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"
_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_PRESSED = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[@-~]|.", re.DOTALL)
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
    """A terminal that shows one picture after the other."""

    def __init__(self, keyboard: int | None, alarm: int) -> None:
        """Say where keys come from, if there are any, and what becomes readable at a signal."""
        self._keyboard = keyboard
        self._alarm = alarm
        self._unread = b""

    @property
    def size(self) -> os.terminal_size:
        """The columns and the rows."""
        size = os.get_terminal_size(sys.stdout.fileno())
        return size if all(size) else os.terminal_size((80, 24))

    def draw(self, lines: Sequence[str]) -> None:
        """Show a picture in the place of the last one; what does not fit is left out."""
        columns, rows = self.size
        shown = [clipped(_tinted(line), columns) for line in lines[:rows]]
        rest = [f"\x1b[{len(shown) + 1};1H\x1b[J"] if len(shown) < rows else []
        drawn = (f"\x1b[{row};1H\x1b[K{line}" for row, line in enumerate(shown, start=1))
        _write("".join([*drawn, *rest]))

    def keys(self, timeout_s: float | None = None) -> list[str]:
        """Wait for keys; there are none if the time is over first, or the size changes."""
        sources = [self._alarm] if self._keyboard is None else [self._alarm, self._keyboard]
        ready, _, _ = select.select(sources, [], [], timeout_s)
        if self._alarm in ready:
            os.read(self._alarm, 1024)
        if self._keyboard not in ready:
            return []
        data = b""
        with suppress(OSError):
            data = os.read(self._keyboard, 1024)
        if not data:
            # The terminal is gone, and nobody can press a key any more.
            return [QUIT]
        pressed, self._unread = keys_in(self._unread + data)
        return pressed


@contextmanager
def full_screen() -> Iterator[Screen]:
    """Take the whole terminal until the end of the block; standard output has to be one."""
    keyboard = sys.stdin.fileno() if sys.stdin.isatty() else None
    modes: list[Any] = [] if keyboard is None else termios.tcgetattr(keyboard)
    alarm, bell = os.pipe()
    os.set_blocking(bell, False)

    def take() -> None:
        if keyboard is not None:
            tty.setcbreak(keyboard, termios.TCSADRAIN)
        _write(_ENTER)

    def give_back() -> None:
        # A terminal that is gone needs no care.
        with suppress(OSError, termios.error):
            _write(_LEAVE)
            if keyboard is not None:
                termios.tcsetattr(keyboard, termios.TCSADRAIN, modes)

    def end(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    def pause(number: int, frame: FrameType | None) -> None:
        give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        # Here somebody has said `fg`.
        signal.signal(number, pause)
        take()

    # Without a handler, a change of size would not ring the bell.
    handlers: dict[int, Any] = {**dict.fromkeys(_ENDING, end), signal.SIGTSTP: pause}
    handlers[signal.SIGWINCH] = lambda number, frame: None
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *handlers)}
    bell_before = signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    try:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        sys.stdout.flush()
        take()
        yield Screen(keyboard, alarm)
    finally:
        for number in before:
            signal.signal(number, signal.SIG_IGN)
        give_back()
        signal.set_wakeup_fd(bell_before)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(alarm)
        os.close(bell)


def _tinted(line: str) -> str:
    """Take the colours away where the user wants none."""
    command = click.get_current_context(silent=True)
    return click.unstyle(line) if command and command.color is False else line


def _write(text: str) -> None:
    # Not through the buffer: who is paused in the middle of a picture writes in between.
    data = text.encode(sys.stdout.encoding, errors="replace")
    while data:
        data = data[os.write(sys.stdout.fileno(), data) :]


def keys_in(data: bytes) -> tuple[list[str], bytes]:
    """Return the keys that a terminal sends, and what is only the beginning of one."""
    unfinished = _UNFINISHED.search(data)
    rest = unfinished.group() if unfinished else b""
    pressed = _PRESSED.findall(data.removesuffix(rest))
    letters = {key: chr(key[0]) for key in pressed if len(key) == 1 and 32 <= key[0] < 127}
    names = letters | _KEYS
    return [names[key] for key in pressed if key in names], rest
