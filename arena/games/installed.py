"""Games that other installed packages bring, by the entry point group `arena.games`.

A package names its game there: `pig = "pig_game:GAME"`. Nothing of it is imported until the game is
used. `importlib.metadata` finds entry points too, but importing it takes longer than a bot's start.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from arena.errors import BrokenGame
from arena.games.core import Game

GROUP = "arena.games"
"""The entry point group."""
_INFO = ".dist-info"
_ID = re.compile(r"[a-z][a-z0-9]{0,19}")
_ID_RULE = "1 to 20 lower-case letters and digits, beginning with a letter"

# A game's own types do not matter here: hence Any.


class InstalledGame(NamedTuple):
    """An entry point: a package brings a game under an id."""

    id: str
    package: str
    module: str
    attribute: str

    @property
    def value(self) -> str:
        """The entry point as the package writes it."""
        return f"{self.module}:{self.attribute}"


@cache
def installed_games() -> dict[str, tuple[InstalledGame, ...]]:
    """Return the entry points of the group by id, in alphabetical order."""
    found: dict[str, dict[str, InstalledGame]] = {}
    for entry in sys.path:
        for package, text in _entry_point_files(entry or os.curdir):
            for point in _points_in(text, package):
                # The first package of a name in sys.path is the one that is imported.
                found.setdefault(point.id, {}).setdefault(package, point)
    return {game_id: tuple(found[game_id].values()) for game_id in sorted(found)}


def _entry_point_files(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the entry points of each package in a folder of `sys.path`."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(_INFO))
    except OSError:
        return  # It may be missing, or an archive.
    for name in names:
        try:
            with open(os.path.join(folder, name, "entry_points.txt"), encoding="utf-8") as file:
                yield name.removesuffix(_INFO).partition("-")[0].replace("_", "-"), file.read()
        except (OSError, UnicodeDecodeError):
            continue  # Most packages have none.


def _points_in(text: str, package: str) -> Iterator[InstalledGame]:
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == GROUP and "=" in line and not line.startswith(("#", ";")):
            game_id, _, value = line.partition("=")
            module, _, attribute = value.partition("[")[0].strip().partition(":")
            yield InstalledGame(game_id.strip(), package, module.strip(), attribute.strip())


def load_game(game_id: str) -> Game[Any, Any, Any, Any]:
    """Import the game that a package brings under this id; `BrokenGame` says why it cannot be."""
    points = installed_games()[game_id]
    packages = " and ".join(point.package for point in points)
    point = points[0]
    if len(points) > 1:
        raise BrokenGame(f"{packages} both bring a game {game_id!r}: uninstall one of them")
    if not _ID.fullmatch(game_id):
        raise BrokenGame(f"{packages} brings a game {game_id!r}, but an id must be {_ID_RULE}")
    try:
        game: object = import_module(point.module)
        for name in point.attribute.split("."):
            game = getattr(game, name)
    except Exception as error:  # A package of someone else may raise anything.
        raise BrokenGame(
            f"the game {game_id!r} of {packages} cannot be imported: "
            f"{type(error).__name__}: {error}"
        ) from error
    if not isinstance(game, Game):
        raise BrokenGame(
            f"{packages} brings {point.value!r} as the game {game_id!r}, but that is not an "
            f"instance of arena.games.Game: it is {type(game).__name__}"
        )
    if game.id != game_id:
        raise BrokenGame(f"{packages} brings the game {game.id!r} under another id, {game_id!r}")
    return game
