"""Which bots come with the arena?"""

from __future__ import annotations

import os
from pathlib import Path

import arena
from arena.manifest import MANIFEST, Manifest, find_bot, read_manifest

# In a checkout this is a link to bots/, which a wheel holds the files of.
_HOUSE = (Path(arena.__file__).parent / "house_bots").resolve()


def house_bots() -> dict[str, Path]:
    """Return the folders of the house bots by name."""
    folders = sorted(path.parent for path in _HOUSE.glob(f"*/{MANIFEST}"))
    return {folder.name: folder for folder in folders if _is_complete(folder)}


def javascript_example() -> Path:
    """Return the folder of the bot in JavaScript, whether or not it can play as it is."""
    return _HOUSE / "javascript-meow"


def bot_meant(word: str) -> Manifest:
    """Find the bot that a user means: one of their own, or a house bot by its name."""
    house = house_bots()
    if word in house and not os.path.isdir(word):
        return read_manifest(house[word])
    return find_bot(word, house=house)


def _is_complete(folder: Path) -> bool:
    """Tell whether a bot can play as it is; one in JavaScript must have its packages."""
    return not (folder / "package.json").exists() or (folder / "node_modules").exists()
