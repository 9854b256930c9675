"""What is a bot on disk, and how is it started?

A bot is a folder with a `bot.toml`, or a bare `.py` file, or any command line. The first says its
name, its games and its command; for the others they are made up.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from arena.errors import BadInput
from arena.games.registry import GAME_IDS

MANIFEST = "bot.toml"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PYTHONS = ("python", "python3")


class BadManifest(BadInput):
    """A bot.toml that says something wrong, or a bot that is not there."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A bot that can be started."""

    name: str
    games: tuple[str, ...]
    command: tuple[str, ...]
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)


def find_bot(word: str) -> Manifest:
    """Find the bot that a user means: a folder, a `.py` file, or a command line."""
    path = Path(word)
    if path.is_dir():
        return read_manifest(path)
    if path.suffix == ".py":
        if not path.is_file():
            raise BadManifest(f"there is no bot {word!r}: no such file")
        command = (sys.executable, str(path.resolve()))
        return Manifest(_made_up_name(path.stem), GAME_IDS, command, path.resolve().parent)
    return _command_line(word)


def _command_line(word: str) -> Manifest:
    try:
        words = shlex.split(word)
    except ValueError as error:
        raise BadManifest(f"{word!r} is not a command line: {error}") from None
    if not words:
        raise BadManifest("an empty word is not a bot")
    program = sys.executable if words[0] in _PYTHONS else shutil.which(words[0])
    if program is None:
        raise BadManifest(
            f"there is no bot {word!r}: not a folder with a {MANIFEST}, not a .py file, "
            f"and no program is called {words[0]!r}"
        )
    name = _made_up_name(Path(words[0]).name)
    return Manifest(name, GAME_IDS, (program, *words[1:]), Path.cwd())


def _made_up_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "-", text)[:40].lstrip("_.-") or "bot"


def read_manifest(folder: Path) -> Manifest:
    """Read the `bot.toml` of a folder; a mistake in it is named with its line."""
    path = folder / MANIFEST
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except FileNotFoundError:
        raise BadManifest(f"{folder} is not a bot: it has no {MANIFEST}") from None
    except UnicodeDecodeError as error:
        raise BadManifest(f"{path}: not a text in UTF-8 ({error.reason})") from None
    except tomllib.TOMLDecodeError as error:
        raise BadManifest(f"{path}: {error}") from None
    return _Reader(path, text, table).manifest()


class _Reader:
    """Checks what a bot.toml says, key by key."""

    def __init__(self, path: Path, text: str, table: dict[str, Any]) -> None:
        self._path = path
        self._text = text
        self._table = table

    def manifest(self) -> Manifest:
        checks: dict[str, Callable[[Any], Any]] = {
            "name": self._name,
            "games": self._games,
            "command": self._command,
            "environment": self._environment,
        }
        for key in self._table:
            if key not in checks:
                near = get_close_matches(key, checks, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(checks)}"
                raise self._mistake(key, f"is not a key of {MANIFEST}: {hint}")
        for key in ("name", "games", "command"):
            if key not in self._table:
                raise BadManifest(f"{self._path}: {key!r} is missing")
        values = {
            key: check(self._table[key]) for key, check in checks.items() if key in self._table
        }
        return Manifest(folder=self._path.parent.resolve(), **values)

    def _mistake(self, key: str, what: str) -> BadManifest:
        pattern = re.compile(rf"""^\s*\[*["']?{re.escape(key)}["']?\s*[\]=.]""")
        for number, line in enumerate(self._text.splitlines(), start=1):
            if pattern.match(line):
                return BadManifest(f"{self._path}, line {number}: {key!r} {what}")
        return BadManifest(f"{self._path}: {key!r} {what}")

    def _name(self, value: Any) -> str:
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            raise self._mistake(
                "name",
                f"is {value!r}: it must be 1 to 40 letters, digits, dots, dashes and underscores, "
                "a letter or digit first",
            )
        return value

    def _games(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise self._mistake("games", f"is {value!r}: it must be a list of games")
        for game_id in value:
            if game_id not in GAME_IDS:
                raise self._mistake(
                    "games", f"names {game_id!r}: the games are {', '.join(GAME_IDS)}"
                )
        return tuple(dict.fromkeys(value))

    def _command(self, value: Any) -> tuple[str, ...]:
        good = isinstance(value, list) and value and all(isinstance(word, str) for word in value)
        if not good or not value[0]:
            raise self._mistake(
                "command", f'is {value!r}: it must be a list of words, such as ["python", "bot.py"]'
            )
        if value[0] in _PYTHONS:
            return (sys.executable, *value[1:])
        program = shutil.which(value[0], path=None)
        local = self._path.parent / value[0]
        if local.is_file():
            return (str(local.resolve()), *value[1:])
        if program is None:
            raise self._mistake("command", f"starts {value[0]!r}, which is not installed here")
        return (program, *value[1:])

    def _environment(self, value: Any) -> dict[str, str]:
        if not isinstance(value, dict):
            raise self._mistake("environment", f"is {value!r}: it must be a table of texts")
        for name, text in value.items():
            if not _VARIABLE.fullmatch(name) or not isinstance(text, str) or "\0" in text:
                raise self._mistake("environment", f"sets {name!r} to {text!r}: texts only")
            if name.startswith("ARENA_"):
                raise self._mistake("environment", f"sets {name!r}: that is the referee's to set")
        return dict(value)
