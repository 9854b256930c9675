"""What is a bot on disk, and how is it started?

A bot is a folder with a `bot.toml`, or a bare `.py` file, or any command line. The first says its
name, its games and its command; for the others they are made up.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.errors import BadInput, did_you_mean
from arena.games.registry import GAME_IDS
from arena.limits import check_limit
from arena.tomlfile import TomlFile, as_key, as_value, shown

MANIFEST = "bot.toml"
NAMES = "1 to 40 letters, digits, dots, dashes and underscores, a letter or digit first"
"""What names bots may have."""
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
    """What it asks for in place of the usual limits: less, or what the organiser must allow."""

    @property
    def runs_python(self) -> bool:
        """Tell whether its program is the Python that it is given."""
        return self.command[0] in _PYTHONS

    def local_program(self) -> str | None:
        """Return the name of its program inside its folder, if it is there."""
        return self.command[0] if _is_program(self.folder / self.command[0]) else None


def is_name(text: str) -> bool:
    """Tell whether a bot may have this name."""
    return _NAME.fullmatch(text) is not None


def find_bot(word: str, *, house: Collection[str] = ()) -> Manifest:
    """Find the bot that a user means: a folder, a `.py` file, or a command line.

    If it is none of them, one of the `house` bots may have been meant.
    """
    # The functions of os.path, because those of Path fail for a command line that is too long.
    if os.path.isdir(word):
        return read_manifest(Path(word))
    if word.endswith(".py") and os.path.isfile(word):
        path = Path(word).resolve()
        name = path.name
        # Python would take such a file for an option of its own.
        program = f"./{name}" if name.startswith("-") else name
        return Manifest(
            _made_up_name(path.stem), GAME_IDS, ("python", program), path.parent, (name,)
        )
    return _command_line(word, house)


def _command_line(word: str, house: Collection[str]) -> Manifest:
    try:
        words = shlex.split(word)
    except ValueError as error:
        raise BadManifest(f"{word!r} is not a command line: {error}") from None
    if not words:
        raise BadManifest(f"{word!r} is not a bot: it is empty")
    if len(words) == 1 and word.endswith(".py"):
        raise BadManifest(f"there is no bot {word!r}: no such file")
    if words[0] not in _PYTHONS and shutil.which(words[0]) is None:
        nor = f", not a house bot: {did_you_mean(word, house)}" if house else ""
        raise BadManifest(
            f"there is no bot {word!r}: not a folder with a {MANIFEST}, not a .py file, "
            f"not a program that is installed here{nor}"
        )
    name = _made_up_name(Path(words[0]).name)
    return Manifest(name, GAME_IDS, tuple(words), Path.cwd(), is_foreign=True)


def _made_up_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "-", text)[:40].lstrip("_.-") or "bot"


def read_manifest(folder: Path) -> Manifest:
    """Read the `bot.toml` of a folder; a mistake in it is named with its line."""
    path = folder / MANIFEST
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise BadManifest(f"{folder} is not a bot: it has no {MANIFEST}") from None
    except OSError as error:
        raise BadManifest(f"{path} cannot be read: {error.strerror}") from None
    return _Reader(TomlFile(path, BadManifest)).manifest()


class _Reader:
    """Checks what a bot.toml says, key by key."""

    def __init__(self, file: TomlFile) -> None:
        self._folder = file.path.parent.resolve()
        self._table = file.table
        self._file = file
        self._mistake = file.mistake

    def manifest(self) -> Manifest:
        checks: dict[str, Callable[[Any], Any]] = {
            "name": self._name,
            "games": self._games,
            "command": self._command,
            "environment": self._environment,
            "requirements": self._requirements,
            "limits": self._limits,
        }
        self._file.check_keys(checks)
        for key in ("name", "games", "command"):
            if key not in self._table:
                raise self._file.missing(key, ("environment", "limits"))
        values = {
            key: check(self._table[key]) for key, check in checks.items() if key in self._table
        }
        return Manifest(folder=self._folder, **values)

    def _name(self, value: Any) -> str:
        if not isinstance(value, str) or not is_name(value):
            raise self._mistake("name", f"is {shown(value)}: it must be {NAMES}")
        return value

    def _games(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise self._mistake("games", f"is {shown(value)}: it must be a list of games")
        for game_id in value:
            if game_id not in GAME_IDS:
                raise self._mistake(
                    "games",
                    f"names {shown(game_id)}: the games are {', '.join(GAME_IDS)}",
                    inner=as_value(game_id),
                )
        return tuple(dict.fromkeys(value))

    def _command(self, value: Any) -> tuple[str, ...]:
        good = isinstance(value, list) and value and all(map(_is_plain, value))
        if not good or not value[0]:
            raise self._mistake(
                "command",
                f'is {shown(value)}: it must be a list of words, such as ["python", "bot.py"]',
            )
        what = self._wrong_program(value[0])
        if what:
            raise self._mistake("command", f"starts {shown(value[0])}, which is {what}")
        return tuple(value)

    def _wrong_program(self, word: str) -> str:
        """Look for a program in the bot's folder and where programs are; say what is wrong."""
        # A cage shows the bot's folder alone, and the program must be the same without one.
        if os.path.isabs(word) or ".." in word.split("/"):
            return "outside the bot's folder: name an installed program without its path"
        if word in _PYTHONS or _is_program(self._folder / word):
            return ""
        # Anything with a slash is looked for in the bot's folder, never in the user's own.
        if "/" in word:
            return "not a program that can be run"
        return "" if shutil.which(word) else "not installed here"

    def _environment(self, value: Any) -> dict[str, str]:
        if not isinstance(value, dict):
            raise self._mistake("environment", f"is {shown(value)}: it must be a table of texts")
        for name, text in value.items():
            if not _VARIABLE.fullmatch(name):
                what = f"sets {shown(name)}, which is not a variable's name"
                raise self._mistake("environment", what, inner=as_key(name))
            if not _is_plain(text):
                what = f"sets {shown(name)} to {shown(text)}: texts only"
                raise self._mistake("environment", what, inner=as_key(name))
            if name.startswith("ARENA_"):
                what = f"sets {shown(name)}: that is the referee's to set"
                raise self._mistake("environment", what, inner=as_key(name))
        return dict(value)

    def _requirements(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(map(_is_plain, value)):
            what = 'it must be a list of Python packages, such as ["numpy>=2"]'
            raise self._mistake("requirements", f"is {shown(value)}: {what}")
        return tuple(value)

    def _limits(self, value: Any) -> dict[str, int]:
        if not isinstance(value, dict):
            raise self._mistake("limits", f"is {shown(value)}: it must be a table of numbers")
        for name, number in value.items():
            try:
                check_limit(name, number)
            except BadInput as error:
                raise self._mistake("limits", f"is wrong: {error}", inner=as_key(name)) from None
        return dict(value)


def _is_program(path: Path) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _is_plain(value: object) -> bool:
    """Tell whether a value is a text that a process can be started with."""
    return isinstance(value, str) and "\0" not in value
