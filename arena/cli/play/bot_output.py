"""Show what bots print while they play, line by line, each line marked with its seat."""

from __future__ import annotations

import click

from arena.text import plain

_LINE_LIMIT = 4096
"""Bytes after which a line is cut, so that one without an end is shown too."""


class SeatOutput:
    """Writes the output of the bot in one seat to stderr."""

    def __init__(self, name: str) -> None:
        """Mark every line with the name of the seat."""
        self._name = name
        self._rest = b""

    def write(self, data: bytes) -> None:
        """Write complete lines; keep the beginning of the next."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._write_line(line)
        if len(self._rest) > _LINE_LIMIT:
            self.close()

    def close(self) -> None:
        """Write what is left, although its line has no end."""
        if self._rest:
            self._write_line(self._rest)
            self._rest = b""

    def _write_line(self, line: bytes) -> None:
        text = plain(line.decode(errors="replace").rstrip("\r").expandtabs())
        click.echo(f"{self._name} | {text}", err=True)
