"""The names in a league's file, for the completion of words in a shell.

The file is only read, and whatever is wrong with it gives no names.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def names_in(path: Path, table: str) -> list[str]:
    """Return the names in the table `bots` or `events`, without any that a shell may mistake."""
    assert table in ("bots", "events")
    with (
        suppress(sqlite3.Error, OSError),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        found = [name for (name,) in connection.execute(f"SELECT name FROM {table} ORDER BY id")]
        return [name for name in found if isinstance(name, str) and _NAME.fullmatch(name)]
    return []
