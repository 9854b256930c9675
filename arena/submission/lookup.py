"""Find the bot that a word names.

Every command searches in the same order, and takes the first match:

1. a folder with a bot.toml, or a .py file;
2. a house bot;
3. a bot of the league: NAME is its newest version that is not retired, NAME@2 its second;
4. a command line in quotes, where the command can run one.

An event plays house bots and bots of the league only: a folder has to be submitted first.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Protocol, TypeVar, overload

import arena
from arena.errors import UnknownName, did_you_mean
from arena.games.registry import EVERY_GAME
from arena.submission.manifest import (
    MANIFEST,
    PYTHONS,
    BadManifest,
    Manifest,
    command_manifest,
    file_manifest,
    read_manifest,
)

V_co = TypeVar("V_co", covariant=True)
V = TypeVar("V")
# In a checkout this is a link to bots/; a wheel contains the files themselves.
_HOUSE_FOLDER = (Path(arena.__file__).parent / "house_bots").resolve()


class StoredBots(Protocol[V_co]):
    """The bots of a league."""

    def names(self) -> Collection[str]:
        """Return the names of all bots, retired ones included."""

    def find(self, word: str) -> V_co:
        """Return the version that `NAME` or `NAME@NUMBER` names; the bot must exist."""


@overload
def find_bot(word: str, league: None = None) -> Manifest: ...
@overload
def find_bot(word: str, league: StoredBots[V] | None) -> Manifest | V: ...
def find_bot(word: str, league: StoredBots[V] | None = None) -> Manifest | V:
    """Return the manifest of a bot on disk, or a version of the league.

    Raises `BadManifest` or `UnknownName`, with a suggestion.
    """
    if names_a_folder(word):
        return read_manifest(Path(word))
    # Not Path.is_file, which raises an error if the word is too long.
    if word.endswith(".py") and os.path.isfile(word):
        return file_manifest(Path(word))
    house = house_bots()
    if word in house:
        return read_manifest(house[word])
    if league and bot_name(word) in league.names():
        return league.find(word)
    return _command(word, {*house, *(league.names() if league else ())})


def find_entrant(word: str, league: StoredBots[V], house: Collection[str]) -> str | V:
    """Return the name of a house bot, or a version of the league, for an event."""
    if word in house:
        return word
    if bot_name(word) in league.names():
        return league.find(word)
    if names_a_folder(word):
        path = shlex.quote(word)
        raise UnknownName(f"{word} is not in the league yet: run `arena submit {path}` first")
    if word.endswith(".py") and os.path.isfile(word):
        raise UnknownName(
            f"{word} is not in the league: put it into a folder with a {MANIFEST}, and run "
            "`arena submit FOLDER`"
        )
    raise _unknown(word, {*house, *league.names()})


def bot_name(word: str) -> str:
    """Return the name in `NAME` or `NAME@NUMBER`."""
    return word.partition("@")[0]


def names_a_folder(word: str) -> bool:
    """Tell whether a word is the path of a bot's folder.

    A folder without a bot.toml does not count, so that it hides no bot of the same name. A word
    that is written as a path can only be a folder.
    """
    is_path = os.sep in word or word in (os.curdir, os.pardir)
    return os.path.isdir(word) and (is_path or os.path.lexists(os.path.join(word, MANIFEST)))


def _command(word: str, names: Collection[str]) -> Manifest:
    try:
        words = shlex.split(word)
    except ValueError as error:
        raise BadManifest(f"{word!r} is not a command line: {error}") from None
    if not words:
        raise BadManifest("a bot's name or path cannot be empty")
    if words[0] in PYTHONS or (shutil.which(words[0]) and not os.path.isdir(word)):
        return command_manifest(words)
    raise _unknown(word, names)


def _unknown(word: str, names: Collection[str]) -> UnknownName:
    name, at, _ = word.partition("@")
    if at and name in names:
        return UnknownName(
            f"no such version: {word!r}; {name} is a house bot that has not played "
            "in this league yet"
        )
    if os.path.isdir(word):
        return UnknownName(f"no such bot: the folder {word} has no {MANIFEST}")
    if word.endswith(".py"):
        return UnknownName(f"no such file: {word}")
    return UnknownName(f"no such bot: {word!r}; {did_you_mean(name, sorted(names))}")


def house_bots() -> dict[str, Path]:
    """Return the folders of the house bots by name."""
    folders = sorted(path.parent for path in _HOUSE_FOLDER.glob(f"*/{MANIFEST}"))
    return {folder.name: folder for folder in folders if _is_complete(folder)}


def why_not_a_folder(word: str) -> str:
    """Say why a word that is no folder cannot be submitted, and what to do instead."""
    if word in house_bots():
        return f"{word} is a house bot: it plays in every event without being submitted"
    if word.endswith(".py") and os.path.isfile(word):
        bot = file_manifest(Path(word))
        lines = (
            f'name = "{bot.name}"',
            f'games = ["{EVERY_GAME}"]',
            f'command = ["python", "{bot.command[1]}"]',
        )
        return "\n  ".join(
            (f"{word} is a file: move it into a folder, with a {MANIFEST} of three lines:", *lines)
        )
    return f"{word} is not a folder with a {MANIFEST}"


def is_house_name(bot: Manifest) -> bool:
    """Tell whether a bot with a bot.toml has the name of a house bot, and is another one."""
    folder = house_bots().get(bot.name)
    return bot.has_file and folder is not None and folder.resolve() != bot.folder.resolve()


def _is_complete(folder: Path) -> bool:
    """Return whether a bot can play as it is.

    A bot with requirements is an example to be submitted: it needs an index of packages.
    """
    manifest = (folder / MANIFEST).read_text(encoding="utf-8")
    return not any(line.startswith("requirements") for line in manifest.splitlines())
