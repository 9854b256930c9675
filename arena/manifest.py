"""What is a bot on disk, and how is it started?

A bot is a folder with a `bot.toml`, or a bare `.py` file, or any command line. The first says its
name, its games and its command; for the others they are made up.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.errors import BadInput, did_you_mean
from arena.games.registry import GAME_IDS
from arena.limits import check_limit

MANIFEST = "bot.toml"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PYTHONS = ("python", "python3")
_SIZE_LIMIT = 64 * 1024
"""No bot.toml has reason to be longer, in bytes."""
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
"""How the parser ends its sentences."""


class BadManifest(BadInput):
    """A bot.toml that says something wrong, or a bot that is not there."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A bot that can be started."""

    name: str
    games: tuple[str, ...]
    command: tuple[str, ...]
    """Its first word is `python`, a program in the folder, or one that is installed here."""
    folder: Path
    """Where it runs."""
    only: tuple[str, ...] = ()
    """Its files in the folder, where not all of the folder is the bot's."""
    is_foreign: bool = False
    """Whether it is a mere command line: then nobody knows which files are its own."""
    environment: dict[str, str] = field(default_factory=dict)
    requirements: tuple[str, ...] = ()
    """Python packages that it needs beside the SDK, as pip takes them."""
    limits: dict[str, int] = field(default_factory=dict)
    """What it asks for in place of the usual limits."""

    @property
    def runs_python(self) -> bool:
        """Tell whether its program is the Python that it is given."""
        return self.command[0] in _PYTHONS

    def local_program(self) -> str | None:
        """Return the name of its program inside its folder, if it is there."""
        path = self.folder / self.command[0]
        is_program = os.path.isfile(path) and os.access(path, os.X_OK)
        return self.command[0] if is_program else None


def find_bot(word: str) -> Manifest:
    """Find the bot that a user means: a folder, a `.py` file, or a command line."""
    # The functions of os.path, because those of Path fail for a command line that is too long.
    if os.path.isdir(word):
        return read_manifest(Path(word))
    if word.endswith(".py") and os.path.isfile(word):
        path = Path(word).resolve()
        return Manifest(
            _made_up_name(path.stem), GAME_IDS, ("python", path.name), path.parent, (path.name,)
        )
    return _command_line(word)


def _command_line(word: str) -> Manifest:
    try:
        words = shlex.split(word)
    except ValueError as error:
        raise BadManifest(f"{word!r} is not a command line: {error}") from None
    if not words:
        raise BadManifest(f"{word!r} is not a bot: it is empty")
    if len(words) == 1 and word.endswith(".py"):
        raise BadManifest(f"there is no bot {word!r}: no such file")
    if words[0] not in _PYTHONS and shutil.which(words[0]) is None:
        raise BadManifest(
            f"there is no bot {word!r}: not a folder with a {MANIFEST}, not a .py file, "
            f"and no program is called {words[0]!r}"
        )
    name = _made_up_name(Path(words[0]).name)
    return Manifest(name, GAME_IDS, tuple(words), Path.cwd(), is_foreign=True)


def _made_up_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "-", text)[:40].lstrip("_.-") or "bot"


def read_manifest(folder: Path) -> Manifest:
    """Read the `bot.toml` of a folder; a mistake in it is named with its line."""
    path = folder / MANIFEST
    if path.exists() and not path.is_file():
        raise BadManifest(f"{path} is not a file")
    try:
        with path.open("rb") as file:
            data = file.read(_SIZE_LIMIT + 1)
    except FileNotFoundError:
        raise BadManifest(f"{folder} is not a bot: it has no {MANIFEST}") from None
    except OSError as error:
        raise BadManifest(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > _SIZE_LIMIT:
        raise BadManifest(f"{path} is too long: at most {_SIZE_LIMIT} bytes are read")
    text = _decoded(path, data)
    return _Reader(path, text, _parsed(path, text)).manifest()


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        byte = data[error.start]
        raise BadManifest(f"{path}, line {line}: byte 0x{byte:02x} is not UTF-8") from None


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else _last_line(text)
        what = _PLACE.sub("", str(error))
        what = what[:1].lower() + what[1:]
        raise BadManifest(f"{path}, line {line}: this is not TOML ({what})") from None
    except (ValueError, RecursionError):
        # The parser says neither where nor why: a number of thousands of digits, or as many
        # brackets one within the other.
        raise BadManifest(f"{path} holds a number too long or lists too deep to be read") from None


def _last_line(text: str) -> int:
    return 1 + text.rstrip("\n").count("\n")


class _Reader:
    """Checks what a bot.toml says, key by key."""

    def __init__(self, path: Path, text: str, table: dict[str, Any]) -> None:
        self._path = path
        # Not splitlines(), which finds more ends of lines than TOML has.
        self._lines = text.split("\n")
        self._last_line = _last_line(text)
        self._table = table

    def manifest(self) -> Manifest:
        checks: dict[str, Callable[[Any], Any]] = {
            "name": self._name,
            "games": self._games,
            "command": self._command,
            "environment": self._environment,
            "requirements": self._requirements,
            "limits": self._limits,
        }
        for key in self._table:
            if key not in checks:
                hint = did_you_mean(key, checks)
                raise self._mistake(key, f"is not a key of {MANIFEST}: {hint}")
        for key in ("name", "games", "command"):
            if key not in self._table:
                raise self._missing(key)
        values = {
            key: check(self._table[key]) for key, check in checks.items() if key in self._table
        }
        return Manifest(folder=self._path.parent.resolve(), **values)

    def _missing(self, key: str) -> BadManifest:
        environment = self._table.get("environment")
        if isinstance(environment, dict) and key in environment:
            line = self._line_of("environment", _as_key(key))
            why = "is missing: it stands here under [environment], and belongs above that"
        else:
            line = self._last_line
            why = "is missing, and the file ends here"
        return BadManifest(f"{self._path}, line {line}: {key!r} {why}")

    def _mistake(self, key: str, what: str, inner: str = "") -> BadManifest:
        line = self._line_of(key, inner)
        where = f", line {line}" if line else ""
        return BadManifest(f"{self._path}{where}: {key!r} {what}")

    def _line_of(self, key: str, inner: str = "") -> int:
        """Find the line of a key, or that of a pattern inside its value; 0 if it is not found."""
        start = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[\]=.]""")
        lines = self._lines
        first = next((n for n, line in enumerate(lines, start=1) if start.match(line)), 0)
        inside = (n for n in range(max(first, 1), len(lines) + 1) if re.search(inner, lines[n - 1]))
        return next(inside, first) if inner else first

    def _name(self, value: Any) -> str:
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            raise self._mistake(
                "name",
                f"is {_shown(value)}: it must be 1 to 40 letters, digits, dots, dashes and "
                "underscores, a letter or digit first",
            )
        return value

    def _games(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise self._mistake("games", f"is {_shown(value)}: it must be a list of games")
        for game_id in value:
            if game_id not in GAME_IDS:
                raise self._mistake(
                    "games",
                    f"names {_shown(game_id)}: the games are {', '.join(GAME_IDS)}",
                    inner=_as_value(game_id),
                )
        return tuple(dict.fromkeys(value))

    def _command(self, value: Any) -> tuple[str, ...]:
        good = isinstance(value, list) and value and all(map(_is_plain, value))
        if not good or not value[0]:
            raise self._mistake(
                "command",
                f'is {_shown(value)}: it must be a list of words, such as ["python", "bot.py"]',
            )
        if not self._is_program(value[0]):
            what = "not a program that can be run" if "/" in value[0] else "not installed here"
            raise self._mistake("command", f"starts {_shown(value[0])}, which is {what}")
        return tuple(value)

    def _is_program(self, word: str) -> bool:
        """Look for a program: in the bot's folder, or where programs are."""
        local = self._path.parent.resolve() / word
        if word in _PYTHONS or (os.path.isfile(local) and os.access(local, os.X_OK)):
            return True
        # Anything with a slash is looked for in the bot's folder, never in the user's own.
        return "/" not in word and shutil.which(word) is not None

    def _environment(self, value: Any) -> dict[str, str]:
        if not isinstance(value, dict):
            raise self._mistake("environment", f"is {_shown(value)}: it must be a table of texts")
        for name, text in value.items():
            if not _VARIABLE.fullmatch(name):
                what = f"sets {_shown(name)}, which is not a variable's name"
                raise self._mistake("environment", what, inner=_as_key(name))
            if not _is_plain(text):
                what = f"sets {_shown(name)} to {_shown(text)}: texts only"
                raise self._mistake("environment", what, inner=_as_key(name))
            if name.startswith("ARENA_"):
                what = f"sets {_shown(name)}: that is the referee's to set"
                raise self._mistake("environment", what, inner=_as_key(name))
        return dict(value)

    def _requirements(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(map(_is_plain, value)):
            what = 'it must be a list of Python packages, such as ["numpy>=2"]'
            raise self._mistake("requirements", f"is {_shown(value)}: {what}")
        return tuple(value)

    def _limits(self, value: Any) -> dict[str, int]:
        if not isinstance(value, dict):
            raise self._mistake("limits", f"is {_shown(value)}: it must be a table of numbers")
        for name, number in value.items():
            try:
                check_limit(name, number)
            except BadInput as error:
                raise self._mistake("limits", f"is wrong: {error}", inner=_as_key(name)) from None
        return dict(value)


def _as_key(name: str) -> str:
    """Return a pattern that finds a key of a table."""
    return rf"""(?:^|[{{,.])\s*["']?{re.escape(name)}["']?\s*[=.]"""


def _as_value(value: object) -> str:
    """Return a pattern that finds a value of a list."""
    text = re.escape(str(value))
    return rf"""["']{text}["']""" if isinstance(value, str) else rf"\b{text}\b"


def _is_plain(value: object) -> bool:
    """Tell whether a value is a text that a process can be started with."""
    return isinstance(value, str) and "\0" not in value


def _shown(value: object) -> str:
    """Write a value for a sentence: all of it if it is short."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
