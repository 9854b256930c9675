"""The moving picture of the README: commands on a terminal, as an animated SVG.

The commands really run; what takes long is shown faster, and waiting is cut short. Every line is
drawn once for each time that it is shown, so the file stays small.
"""

from __future__ import annotations

import os
import pty
import select
import shlex
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

import pyte

COLUMNS, ROWS = 80, 20
KEY_S, WAIT_S, COMMAND_S, END_S = 0.03, 0.5, 8.0, 5.0
"""Time for a typed key, for the longest wait and the longest command, and for the end."""
FRAME_S = 0.12
"""What would be shown for a shorter time is not shown."""
WIDTH, HEIGHT, MARGIN = 8.43, 19, 14
"""Of a character of 14 pixels, in pixels."""
GROUND, TEXT = "#1c2128", "#d5dbe1"
COLOURS = {
    "black": "#545d68",
    "red": "#f47067",
    "green": "#6bc46d",
    "brown": "#daaa3f",
    "blue": "#6cb6ff",
    "magenta": "#dcbdfb",
    "cyan": "#76d9e6",
    "white": "#ffffff",
}

Line = tuple[tuple[int, str, str, bool], ...]
"""The runs of equal characters in a line: column, text, colour, whether bold."""


class _Recorder:
    """A terminal's screen, and what it has shown for how long."""

    def __init__(self) -> None:
        self.frames: list[tuple[float, list[Line]]] = []
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self.screen)

    def show(self, output: bytes, lasting_s: float) -> None:
        """Draw some output, and show the screen for a time."""
        self._stream.feed(output)
        lines = [self._line(row) for row in range(ROWS)]
        if self.frames and (self.frames[-1][1] == lines or self.frames[-1][0] < FRAME_S):
            lasting_s += self.frames.pop()[0]
        self.frames.append((lasting_s, lines))

    def _line(self, row: int) -> Line:
        characters = [self.screen.buffer[row][column] for column in range(COLUMNS)]
        runs, column = [], 0
        for (colour, bold), same in groupby(characters, key=lambda each: (each.fg, each.bold)):
            text = "".join(each.data for each in same)
            if text.strip():
                runs.append((column, text.rstrip(), colour, bold))
            column += len(text)
        return tuple(runs)


def _run(command: str, folder: Path) -> Iterator[tuple[bytes, float]]:
    """Run a command on a terminal; yield its output, and the time until there is more."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (ROWS, COLUMNS))
    words = shlex.split(command.replace("arena", f"{sys.executable} -m arena", 1))
    environment = {**os.environ, "TERM": "xterm-256color"}
    process = subprocess.Popen(
        words, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    before, pending = time.monotonic(), b""
    while process.poll() is None or select.select([ours], [], [], 0)[0]:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                read = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            yield pending, time.monotonic() - before
            before, pending = time.monotonic(), read
    yield pending, 0
    os.close(ours)
    if process.wait():
        raise SystemExit(f"{command} failed")


def record(commands: Sequence[str], folder: Path) -> str:
    """Run commands one after another, and return the film as an SVG."""
    recorder = _Recorder()
    for command in commands:
        recorder.show(b"\x1b[1m$\x1b[0m ", WAIT_S)
        for key in command:
            recorder.show(key.encode(), KEY_S)
        recorder.show(b"\r\n", 0)
        shown = [(output, min(lasting_s, WAIT_S)) for output, lasting_s in _run(command, folder)]
        slowest_s = max(COMMAND_S, sum(lasting_s for _, lasting_s in shown))
        for output, lasting_s in shown:
            recorder.show(output, lasting_s * COMMAND_S / slowest_s)
        recorder.show(b"", 2.0)
    recorder.show(b"", END_S)
    return _svg(recorder.frames)


def _svg(frames: list[tuple[float, list[Line]]]) -> str:
    length_s = sum(lasting_s for lasting_s, _ in frames)
    rules: list[str] = []
    drawn: list[str] = []
    for row in range(ROWS):
        begin_s = 0.0
        shown = [(lines[row], lasting_s) for lasting_s, lines in frames]
        for line, same in groupby(shown, key=lambda each: each[0]):
            end_s = begin_s + sum(lasting_s for _, lasting_s in same)
            if line:
                name = f"l{len(drawn)}"
                begin, end = (f"{100 * at_s / length_s:.2f}%" for at_s in (begin_s, end_s))
                last = end_s > length_s - END_S
                hidden = "" if begin_s == 0 else "0%{visibility:hidden}"
                gone = "" if last else f"{end}{{visibility:hidden}}"
                rules.append(f"@keyframes {name}{{{hidden}{begin}{{visibility:visible}}{gone}}}")
                kind = "" if last else ' class="past"'
                drawn.append(f'<g{kind} style="animation-name:{name}">{_text(row, line)}</g>')
            begin_s = end_s
    width, height = COLUMNS * WIDTH + 2 * MARGIN, ROWS * HEIGHT + 2 * MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">',
            "<style>",
            f"text{{font:14px ui-monospace,monospace;fill:{TEXT};white-space:pre}}",
            f"g{{animation:{length_s:.1f}s step-end infinite}}",
            # Whoever wants no motion sees the end.
            "@media(prefers-reduced-motion:reduce){g{animation:none}.past{visibility:hidden}}",
            *rules,
            "</style>",
            f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
            *drawn,
            "</svg>\n",
        ]
    )


def _text(row: int, line: Line) -> str:
    y = MARGIN + row * HEIGHT + 14
    texts = []
    for column, text, colour, bold in line:
        # Its width is given, so that columns are aligned in every font.
        place = f'x="{MARGIN + column * WIDTH:.1f}" y="{y}" textLength="{len(text) * WIDTH:.1f}"'
        fill = COLOURS.get(colour.removeprefix("bright"), f"#{colour}")
        look = "" if colour == "default" else f' style="fill:{fill}"'
        weight = ' font-weight="bold"' if bold else ""
        texts.append(f"<text {place}{look}{weight}>{escape(text)}</text>")
    return "".join(texts)
