"""A bot that remembers every match that has ended, and plays better when its deal comes again."""

from __future__ import annotations

from collections.abc import Sequence

from arena.sdk import Result
from tests.rogues.cheats.cheat import Cheat, Table, main


class Rememberer(Cheat):
    """Keeps the deal of every match that has ended, or else what it saw of it."""

    def __init__(self, way: str) -> None:
        """Remember nothing yet."""
        super().__init__(way)
        self._ended: list[Table] = []

    def known(self) -> Sequence[Table]:
        """List the matches that have ended."""
        return self._ended

    def match_ended(self, result: Result) -> None:
        """Compute the deal if the end reveals its seed."""
        table = self.match.memory.table
        seed = getattr(result, "seed", b"")
        if seed:
            table.sight = self.deal_of(seed)
        self._ended.append(table)


if __name__ == "__main__":
    main(Rememberer)
