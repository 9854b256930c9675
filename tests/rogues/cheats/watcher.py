"""A bot that compares its tables: if two have the same deal, it knows more hands."""

from __future__ import annotations

from collections.abc import Sequence

from arena.sdk import Result
from tests.rogues.cheats.cheat import Cheat, Table, main


class Watcher(Cheat):
    """Compares the matches that it plays at the same time, and forgets those that have ended."""

    def __init__(self, mode: str) -> None:
        """Start without tables."""
        super().__init__(mode)
        self._tables: list[Table] = []

    def known(self) -> Sequence[Table]:
        """List the tables at which this process plays or has played."""
        return self._tables

    def match_started(self) -> None:
        """Add a table."""
        super().match_started()
        self._tables.append(self.match.memory.table)

    def match_ended(self, result: Result) -> None:
        """Remove a table."""
        self.match.memory.table.is_forgotten = True


if __name__ == "__main__":
    main(Watcher)
