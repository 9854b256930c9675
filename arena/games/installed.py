"""Games that other installed packages bring, by the entry point group `arena.games`.

A package names its game there: `pig = "pig_game:GAME"`. Nothing of it is imported until the game is
used. Bots that play our games never import this module, which takes longer than their start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, distributions
from typing import Any

from arena.errors import BrokenGame
from arena.games.core import Game

GROUP = "arena.games"
"""The entry point group."""
_ID = re.compile(r"[a-z][a-z0-9]{0,19}")
_ID_RULE = "1 to 20 lower-case letters and digits, beginning with a letter"

# A game's own types do not matter here: hence Any.


@cache
def installed_games() -> dict[str, tuple[EntryPoint, ...]]:
    """Return the entry points of the group by id, in alphabetical order."""
    found: dict[str, list[EntryPoint]] = {}
    for point in sorted(_entry_points(), key=lambda each: (each.name, package_of(each))):
        found.setdefault(point.name, []).append(point)
    return {game_id: tuple(points) for game_id, points in found.items()}


def _entry_points() -> Iterator[EntryPoint]:
    """Yield the entry points of the group; a package whose files are damaged has none."""
    seen = set()
    for package in distributions():
        try:
            name, points = package.name, list(package.entry_points.select(group=GROUP))
        except Exception:  # A package of someone else may have anything in its files.
            continue
        # Of two packages of one name in sys.path, the first one is imported.
        if name is None or name not in seen:
            seen.add(name)
            yield from points


def package_of(point: EntryPoint) -> str:
    """Return the name of the package that an entry point belongs to."""
    # A damaged package has no name.
    name: str | None = point.dist.name if point.dist else None
    return (name or "a package without a name").replace("_", "-")


def load_game(game_id: str) -> Game[Any, Any, Any, Any]:
    """Import the game that a package brings under this id; `BrokenGame` says why it cannot be."""
    points = installed_games()[game_id]
    packages = " and ".join(map(package_of, points))
    point = points[0]
    if len(points) > 1:
        raise BrokenGame(f"{packages} both bring a game {game_id!r}: uninstall one of them")
    if not _ID.fullmatch(game_id):
        raise BrokenGame(f"{packages} brings a game {game_id!r}, but an id must be {_ID_RULE}")
    try:
        game: object = point.load()
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
