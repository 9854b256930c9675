"""Which files of a folder are the bot's own?

They are the same when a bot is tried and when it is submitted: what it finds here, it finds in the
league.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

IGNORED = frozenset(
    (
        *(".git", ".hg", ".svn", ".DS_Store", ".idea", ".vscode"),
        *("__pycache__", ".cache", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"),
        *(".venv", ".tox", ".nox"),
    )
)
"""Files and folders that are not the bot's own."""
IGNORED_ENDINGS = (".pyc", ".pyo")
_VENV_MARK = "pyvenv.cfg"
"""What every virtual environment has, whatever its folder is called."""


def own_files(folder: Path) -> Iterator[Path]:
    """Yield what is in a folder and below, of whatever kind, but for the folders themselves.

    Raises OSError for a folder that cannot be looked into.
    """

    def fail(error: OSError) -> None:
        raise error

    for where, folders, files in os.walk(folder, onerror=fail):
        links = [name for name in folders if os.path.islink(os.path.join(where, name))]
        folders[:] = sorted(name for name in folders if name not in links and _is_own(where, name))
        yield from (Path(where, name) for name in sorted(files + links) if _is_own(where, name))


def _is_own(where: str, name: str) -> bool:
    return (
        name not in IGNORED
        and not name.endswith(IGNORED_ENDINGS)
        and not os.path.isfile(os.path.join(where, name, _VENV_MARK))
    )
