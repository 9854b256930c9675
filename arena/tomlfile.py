"""Read a TOML file and report every mistake in it with its line."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from arena.errors import BadInput, did_you_mean

_SIZE_LIMIT = 64 * 1024
"""In bytes; no file written by hand needs to be longer."""
_POSITION = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
"""How the parser's messages end."""


class TomlFile:
    """A parsed file that knows the line of each key."""

    def __init__(self, path: Path, error: type[BadInput]) -> None:
        """Read a file; mistakes are raised as `error`."""
        self.path = path
        self._error = error
        text = self._decode(self._read())
        # Not splitlines(), which splits at more characters than TOML does.
        self._lines = text.split("\n")
        self.last_line = 1 + text.rstrip("\n").count("\n")
        self.table = self._parse(text)

    def check_keys(self, known: Collection[str]) -> None:
        """Refuse unknown keys."""
        for key in self.table:
            if key not in known:
                hint = did_you_mean(key, known)
                raise self.mistake(key, f"is not a key of {self.path.name}: {hint}")

    def missing(self, key: str, tables: Collection[str] = ()) -> BadInput:
        """Return the error for a missing key, which may have been put into one of `tables`."""
        for name in tables:
            table = self.table.get(name)
            if isinstance(table, dict) and key in table:
                line = self.line_of(name, key_pattern(key))
                why = f"is missing: it is here under [{name}], move it above that line"
                return self._error(f"{self.path}, line {line}: {key!r} {why}")
        where = f"{self.path}, line {self.last_line}"
        return self._error(f"{where}: {key!r} is missing (the file ends here)")

    def mistake(self, key: str, what: str, inner: str = "") -> BadInput:
        """Return the error for a key, or for a pattern within its value."""
        line = self.line_of(key, inner)
        where = f", line {line}" if line else ""
        return self._error(f"{self.path}{where}: {key!r} {what}")

    def line_of(self, key: str, inner: str = "") -> int:
        """Find the line of a key, or of a pattern within its value; 0 if not found."""
        start = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[\]=.]""")
        lines = self._lines
        first = next((n for n, line in enumerate(lines, start=1) if start.match(line)), 0)
        inside = (n for n in range(max(first, 1), len(lines) + 1) if re.search(inner, lines[n - 1]))
        return next(inside, first) if inner else first

    def _read(self) -> bytes:
        # os.path rather than Path, which raises where access is denied.
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise self._error(f"{self.path} is not a file")
        try:
            with self.path.open("rb") as file:
                data = file.read(_SIZE_LIMIT + 1)
        except OSError as error:
            raise self._error(f"{self.path} cannot be read: {error.strerror}") from None
        if len(data) > _SIZE_LIMIT:
            raise self._error(f"{self.path} is too long: the maximum is {_SIZE_LIMIT} bytes")
        return data

    def _decode(self, data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            line = 1 + data.count(b"\n", 0, error.start)
            byte = data[error.start]
            raise self._error(f"{self.path}, line {line}: byte 0x{byte:02x} is not UTF-8") from None

    def _parse(self, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            position = _POSITION.search(str(error))
            line = int(position[1]) if position and position[1] else self.last_line
            what = _POSITION.sub("", str(error))
            what = what[:1].lower() + what[1:]
            raise self._error(f"{self.path}, line {line}: invalid TOML ({what})") from None
        except (ValueError, RecursionError):
            # The parser gives neither position nor reason: a number with thousands of digits, or
            # thousands of nested brackets.
            raise self._error(
                f"{self.path} contains a number that is too long, or lists nested too deeply"
            ) from None


def key_pattern(name: str) -> str:
    """Return a pattern that matches a key in a table."""
    return rf"""(?:^|[{{,.])\s*["']?{re.escape(name)}["']?\s*[=.]"""


def value_pattern(value: object) -> str:
    """Return a pattern that matches a value in a list."""
    text = re.escape(str(value))
    return rf"""["']{text}["']""" if isinstance(value, str) else rf"\b{text}\b"


def short_repr(value: object) -> str:
    """Return the repr of a value for a message, shortened to 80 characters."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
