"""Run commands on a pseudo-terminal and read its screen."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyte

from tests.builders.bots import ROOT
from tests.sandbox.caged_bot import PATIENCE_S

ENTER_ALTERNATE_SCREEN = b"\x1b[?1049h"
LEAVE_ALTERNATE_SCREEN = b"\x1b[?1049l"


class _AnsweringScreen(pyte.Screen):
    """A screen that tells the command where the cursor is when it asks."""

    def __init__(self, ours: int) -> None:
        super().__init__(80, 24)
        self._ours = ours

    def write_process_input(self, data: str) -> None:
        os.write(self._ours, data.encode())


class Terminal:
    """A command that runs on its own terminal."""

    def __init__(self, process: subprocess.Popen[bytes], ours: int, theirs: int) -> None:
        """Wrap a command that has been started."""
        self.process = process
        self.output = b""
        self.modes_before = termios.tcgetattr(theirs)
        self._ours = ours
        self._theirs = theirs
        self._screen = _AnsweringScreen(ours)
        self._stream = pyte.ByteStream(self._screen)
        self.resize(80, 24)

    @property
    def lines(self) -> list[str]:
        """The lines on the screen."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines)

    def read_screen(self) -> str:
        """Read all pending output, and return the screen."""
        while select.select([self._ours], [], [], 0)[0]:
            self._read()
        return self.text

    def wait_for(self, *texts: str) -> None:
        """Read until all these texts are on the screen."""
        self.wait_until(lambda: all(text in self.text for text in texts), texts)

    def wait_for_prompt(self, prompt: str, *texts: str) -> None:
        """Read until a line can be typed after a prompt, and these texts are on the screen.

        A picture is complete once the cursor is visible again.
        """

        def is_ready() -> bool:
            is_drawn = not self._screen.cursor.hidden
            return is_drawn and prompt in self.lines and all(text in self.text for text in texts)

        self.wait_until(is_ready, (prompt, *texts))

    def wait_until_gone(self, text: str) -> None:
        """Read until the text has left the screen."""
        self.wait_until(lambda: text not in self.text, text)

    def wait_for_output(self, text: str, *, after: int = 0) -> None:
        """Read until this text appears after this number of bytes."""
        self.wait_until(lambda: text.encode() in self.output[after:], text)

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self._ours, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal, which signals the command."""
        self._screen.resize(rows, columns)
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def wait_for_end(self) -> int:
        """Read until the command ends; return its exit code."""
        self.wait_until(lambda: self.process.poll() is not None, "the end")
        self.read_screen()
        return self.process.wait()

    def is_restored(self) -> bool:
        """Return whether the command left the terminal as it found it."""
        return (
            self.output.count(ENTER_ALTERNATE_SCREEN) == self.output.count(LEAVE_ALTERNATE_SCREEN)
            and self.output.rfind(b"\x1b[?25h") > self.output.rfind(b"\x1b[?25l")
            and self.output.rfind(b"\x1b[?7h") > self.output.rfind(b"\x1b[?7l")
            and termios.tcgetattr(self._theirs) == self.modes_before
        )

    def wait_until(self, condition: Callable[[], bool], what: object = "it") -> None:
        """Read until a condition holds."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, f"{what} did not come:\n{self.text}"
            if select.select([self._ours], [], [], 0.02)[0]:
                self._read()

    def _read(self) -> None:
        data = os.read(self._ours, 65536)
        self.output += data
        self._stream.feed(data)


@contextmanager
def at_terminal(
    words: list[str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    **popen_options: Any,
) -> Iterator[Terminal]:
    """Start a program on a terminal of 80 × 24; `other` goes to Popen."""
    ours, theirs = pty.openpty()
    streams: dict[str, Any] = {"stdin": theirs, "stdout": theirs, "stderr": theirs, **popen_options}
    process = subprocess.Popen(
        words,
        cwd=folder,
        env={
            **os.environ,
            "TERM": "xterm-256color",
            "PYTHONPATH": str(ROOT),
            **(environment or {}),
        },
        start_new_session=True,
        # Without a controlling terminal there are no SIGINT and SIGWINCH.
        preexec_fn=lambda: fcntl.ioctl(theirs, termios.TIOCSCTTY, 0),
        **streams,
    )
    try:
        yield Terminal(process, ours, theirs)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(ours)
        os.close(theirs)


@contextmanager
def arena_at_terminal(
    folder: Path, *words: str, columns: int = 80, rows: int = 24
) -> Iterator[Terminal]:
    """Run an `arena` command on a terminal of a size."""
    command = [sys.executable, "-m", "arena", *words]
    with at_terminal(command, folder) as terminal:
        terminal.resize(columns, rows)
        yield terminal
