"""A bot that looks from one table to another: where the deal is the same, it knows more hands."""

from __future__ import annotations

from collections.abc import Sequence

from arena.sdk import Result
from tests.rogues.cheats.cheat import Cheat, Table, main


class Watcher(Cheat):
    """Compares the matches that it plays at the same time, and forgets those that have ended."""

    def __init__(self, way: str) -> None:
        """Sit nowhere yet."""
        super().__init__(way)
        self._tables: list[Table] = []

    def known(self) -> Sequence[Table]:
        """List the tables at which this process sits or sat."""
        return self._tables

    def match_started(self) -> None:
        """Sit down at one more table."""
        super().match_started()
        self._tables.append(self.match.memory.table)

    def match_ended(self, result: Result) -> None:
        """Leave a table."""
        self.match.memory.table.is_forgotten = True


if __name__ == "__main__":
    main(Watcher)
