"""House bots: the bots that come with the arena."""

from __future__ import annotations

from pathlib import Path

import arena
from arena.submission.manifest import MANIFEST

# In a checkout this is a link to bots/; a wheel contains the files themselves.
_HOUSE_FOLDER = (Path(arena.__file__).parent / "house_bots").resolve()


def house_bots() -> dict[str, Path]:
    """Return the folders of the house bots by name."""
    folders = sorted(path.parent for path in _HOUSE_FOLDER.glob(f"*/{MANIFEST}"))
    return {folder.name: folder for folder in folders if _is_complete(folder)}


def _is_complete(folder: Path) -> bool:
    """Return whether a bot can play as it is.

    A bot with requirements is an example to be submitted: it needs an index of packages.
    """
    manifest = (folder / MANIFEST).read_text(encoding="utf-8")
    return not any(line.startswith("requirements") for line in manifest.splitlines())
