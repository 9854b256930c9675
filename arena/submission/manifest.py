"""Manifests: the name, games and command of a bot on disk.

A bot is a folder with a `bot.toml`, a single `.py` file, or any command line. A `bot.toml`
is read and checked; for a file or a command line the manifest is derived.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unicodedata import normalize

from arena.errors import BadInput
from arena.games.registry import EVERY_GAME, game_ids, is_game
from arena.submission.limits import check_limit
from arena.text import is_visible
from arena.tomlfile import TomlFile, key_pattern, short_repr, value_pattern

MANIFEST = "bot.toml"
NAME_RULE = "1 to 40 letters, digits, dots, dashes and underscores, starting with a letter or digit"
"""The rule for names of bots, to be used in a sentence."""
_LONGEST = {"title": 30, "author": 60, "description": 200}
"""The keys with text for people, in any script, and how many characters it may have."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PYTHONS = ("python", "python3")


class BadManifest(BadInput):
    """A bot.toml with a mistake in it, or a bot that does not exist."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A bot that can be started."""

    name: str
    games: tuple[str, ...]
    """Their ids; `EVERY_GAME` alone for all of them."""
    command: tuple[str, ...]
    """The first word is `python`, a program in the folder, or an installed program."""
    folder: Path
    """Its working directory."""
    only: tuple[str, ...] = ()
    """Its files, if it does not consist of the whole folder."""
    is_command_line: bool = False
    """Whether it is just a command line, so that its files are unknown."""
    environment: dict[str, str] = field(default_factory=dict)
    requirements: tuple[str, ...] = ()
    """Python packages that it needs in addition to the SDK, as pip requirements."""
    limits: dict[str, int] = field(default_factory=dict)
    """Limits that it asks for: lower than the defaults, or higher if the organiser allows it."""
    title: str = ""
    """What it is called where people read, beside its name; empty if it has only the name."""
    author: str = ""
    """Who wrote it, as they call themselves; empty if they do not say."""
    description: str = ""
    """A sentence about it for the pages of the league; empty if there is none."""

    @property
    def has_file(self) -> bool:
        """Whether it was read from a bot.toml; otherwise it is derived."""
        return not self.only and not self.is_command_line

    @property
    def runs_python(self) -> bool:
        """Whether its program is the Python interpreter that it is given."""
        return self.command[0] in PYTHONS

    def local_program(self) -> str | None:
        """Return the name of its program if it is in the bot's folder."""
        return self.command[0] if _is_program(self.folder / self.command[0]) else None


def is_name(text: str) -> bool:
    """Return whether this is a valid name for a bot."""
    return _NAME.fullmatch(text) is not None


def is_text_for_people(text: str, key: str) -> bool:
    """Return whether this can be the `title`, the `author` or the `description` of a bot."""
    return 1 <= len(text) <= _LONGEST[key] and text == text.strip() and is_visible(text)


def rule_for(key: str) -> str:
    """Return the rule for such a text, to be used in a sentence."""
    return (
        f"1 to {_LONGEST[key]} characters that everyone can see, in any script, without spaces at "
        "either end"
    )


def text_in(manifest: str, key: str) -> str:
    """Return the `title`, the `author` or the `description` in the text of a bot.toml.

    It is empty if there is none, or if the text, which may come from anyone, is unreadable.
    """
    if key not in manifest:
        return ""
    try:
        text = tomllib.loads(manifest).get(key)
    except (ValueError, RecursionError):
        return ""
    composed = normalize("NFC", text) if isinstance(text, str) else ""
    return composed if is_text_for_people(composed, key) else ""


def file_manifest(path: Path) -> Manifest:
    """Return the manifest of a bot that is one Python file."""
    path = path.resolve()
    name = path.name
    # Python would parse such a name as an option.
    program = f"./{name}" if name.startswith("-") else name
    return Manifest(
        _derive_name(path.stem), (EVERY_GAME,), ("python", program), path.parent, (name,)
    )


def command_manifest(words: Sequence[str]) -> Manifest:
    """Return the manifest of a bot that is a command line."""
    name = _derive_name(Path(words[0]).name)
    return Manifest(name, (EVERY_GAME,), tuple(words), Path.cwd(), is_command_line=True)


def _derive_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "-", text)[:40].lstrip("_.-") or "bot"


def read_manifest(folder: Path) -> Manifest:
    """Read the `bot.toml` of a folder; errors name the line of the mistake."""
    path = folder / MANIFEST
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise BadManifest(f"{folder} is not a bot: it has no {MANIFEST}") from None
    except OSError as error:
        raise BadManifest(f"{path} cannot be read: {error.strerror}") from None
    return _ManifestReader(TomlFile(path, BadManifest)).manifest()


class _ManifestReader:
    """Check a bot.toml key by key."""

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
            **{key: partial(self._text, key) for key in _LONGEST},
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
            raise self._mistake("name", f"is {short_repr(value)}: it must be {NAME_RULE}")
        return value

    def _text(self, key: str, value: Any) -> str:
        text = normalize("NFC", value) if isinstance(value, str) else ""
        if not is_text_for_people(text, key):
            raise self._mistake(key, f"is {short_repr(value)}: it must be {rule_for(key)}")
        return text

    def _games(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise self._mistake(
                "games", f'is {short_repr(value)}: it must be a list of games, such as ["meow"]'
            )
        if value == [EVERY_GAME]:
            return (EVERY_GAME,)
        for game_id in value:
            if not is_game(game_id):
                raise self._mistake(
                    "games",
                    f"contains {short_repr(game_id)}, but the games are {', '.join(game_ids())}",
                    inner=value_pattern(game_id),
                )
        return tuple(dict.fromkeys(value))

    def _command(self, value: Any) -> tuple[str, ...]:
        is_valid = isinstance(value, list) and value and all(map(_is_text, value))
        if not is_valid or not value[0]:
            raise self._mistake(
                "command",
                f'is {short_repr(value)}: it must be a list of words, such as ["python", "bot.py"]',
            )
        what = self._program_problem(value[0])
        if what:
            raise self._mistake("command", f"runs {short_repr(value[0])}, which is {what}")
        return tuple(value)

    def _program_problem(self, word: str) -> str:
        """Look for a program in the bot's folder and in PATH; return what is wrong with it."""
        # A cage shows only the bot's folder, and the bot must run the same program without a cage.
        if os.path.isabs(word) or ".." in word.split("/"):
            return "outside the bot's folder: use an installed program by its name, without a path"
        if word in PYTHONS or _is_program(self._folder / word):
            return ""
        # A name with a slash is looked up in the bot's folder, never in the user's current one.
        if "/" in word:
            return "not an executable file in the bot's folder"
        return "" if shutil.which(word) else "not installed"

    def _environment(self, value: Any) -> dict[str, str]:
        if not isinstance(value, dict):
            raise self._mistake(
                "environment", f"is {short_repr(value)}: it must be a table of strings"
            )
        for name, text in value.items():
            if not _VARIABLE.fullmatch(name):
                what = f"sets {short_repr(name)}, which is not a valid variable name"
                raise self._mistake("environment", what, inner=key_pattern(name))
            if not _is_text(text):
                what = f"sets {short_repr(name)} to {short_repr(text)}: it must be a string"
                raise self._mistake("environment", what, inner=key_pattern(name))
            if name.startswith("ARENA_"):
                what = f"sets {short_repr(name)}: variables named ARENA_... are reserved"
                raise self._mistake("environment", what, inner=key_pattern(name))
        return dict(value)

    def _requirements(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(map(_is_text, value)):
            what = 'it must be a list of Python packages, such as ["numpy>=2"]'
            raise self._mistake("requirements", f"is {short_repr(value)}: {what}")
        return tuple(value)

    def _limits(self, value: Any) -> dict[str, int]:
        if not isinstance(value, dict):
            raise self._mistake("limits", f"is {short_repr(value)}: it must be a table of numbers")
        for name, number in value.items():
            try:
                check_limit(name, number)
            except BadInput as error:
                raise self._mistake(
                    "limits", f"is wrong: {error}", inner=key_pattern(name)
                ) from None
        return dict(value)


def _is_program(path: Path) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _is_text(value: object) -> bool:
    """Return whether a value is a string that can be passed to a process."""
    return isinstance(value, str) and "\0" not in value
