"""How is a TOML file read so that every mistake in it is named with its line?"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from arena.errors import BadInput, did_you_mean

_SIZE_LIMIT = 64 * 1024
"""No file that people write for us has reason to be longer, in bytes."""
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
"""How the parser ends its sentences."""


class TomlFile:
    """A file that has been read, and where in it everything stands."""

    def __init__(self, path: Path, error: type[BadInput]) -> None:
        """Read a file; what is wrong with it is raised as the error that is named."""
        self.path = path
        self._error = error
        text = self._decoded(self._read())
        # Not splitlines(), which finds more ends of lines than TOML has.
        self._lines = text.split("\n")
        self.last_line = 1 + text.rstrip("\n").count("\n")
        self.table = self._parsed(text)

    def check_keys(self, known: Collection[str]) -> None:
        """Refuse a key that means nothing."""
        for key in self.table:
            if key not in known:
                hint = did_you_mean(key, known)
                raise self.mistake(key, f"is not a key of {self.path.name}: {hint}")

    def missing(self, key: str, tables: Collection[str] = ()) -> BadInput:
        """Say that a key is not there; perhaps it stands in a table, below where it belongs."""
        for name in tables:
            table = self.table.get(name)
            if isinstance(table, dict) and key in table:
                line = self.line_of(name, as_key(key))
                why = f"is missing: it stands here under [{name}], and belongs above that"
                return self._error(f"{self.path}, line {line}: {key!r} {why}")
        where = f"{self.path}, line {self.last_line}"
        return self._error(f"{where}: {key!r} is missing, and the file ends here")

    def mistake(self, key: str, what: str, inner: str = "") -> BadInput:
        """Say what is wrong with a key, or with a pattern inside its value."""
        line = self.line_of(key, inner)
        where = f", line {line}" if line else ""
        return self._error(f"{self.path}{where}: {key!r} {what}")

    def line_of(self, key: str, inner: str = "") -> int:
        """Find the line of a key, or that of a pattern inside its value; 0 if it is not found."""
        start = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[\]=.]""")
        lines = self._lines
        first = next((n for n, line in enumerate(lines, start=1) if start.match(line)), 0)
        inside = (n for n in range(max(first, 1), len(lines) + 1) if re.search(inner, lines[n - 1]))
        return next(inside, first) if inner else first

    def _read(self) -> bytes:
        # The functions of os.path, because those of Path fail where nobody may look.
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise self._error(f"{self.path} is not a file")
        try:
            with self.path.open("rb") as file:
                data = file.read(_SIZE_LIMIT + 1)
        except OSError as error:
            raise self._error(f"{self.path} cannot be read: {error.strerror}") from None
        if len(data) > _SIZE_LIMIT:
            raise self._error(f"{self.path} is too long: at most {_SIZE_LIMIT} bytes are read")
        return data

    def _decoded(self, data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            line = 1 + data.count(b"\n", 0, error.start)
            byte = data[error.start]
            raise self._error(f"{self.path}, line {line}: byte 0x{byte:02x} is not UTF-8") from None

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            place = _PLACE.search(str(error))
            line = int(place[1]) if place and place[1] else self.last_line
            what = _PLACE.sub("", str(error))
            what = what[:1].lower() + what[1:]
            raise self._error(f"{self.path}, line {line}: this is not TOML ({what})") from None
        except (ValueError, RecursionError):
            # The parser says neither where nor why: a number of thousands of digits, or as many
            # brackets one within the other.
            raise self._error(
                f"{self.path} holds a number too long or lists too deep to be read"
            ) from None


def as_key(name: str) -> str:
    """Return a pattern that finds a key of a table."""
    return rf"""(?:^|[{{,.])\s*["']?{re.escape(name)}["']?\s*[=.]"""


def as_value(value: object) -> str:
    """Return a pattern that finds a value of a list."""
    text = re.escape(str(value))
    return rf"""["']{text}["']""" if isinstance(value, str) else rf"\b{text}\b"


def shown(value: object) -> str:
    """Write a value for a sentence: all of it if it is short."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
