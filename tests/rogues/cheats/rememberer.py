"""A bot that remembers every match that has ended, and plays better when a deal is repeated."""

from __future__ import annotations

from collections.abc import Sequence

from arena.sdk import Result
from tests.rogues.cheats.cheat import Cheat, Table, main


class Rememberer(Cheat):
    """Keeps the deal of every match that has ended, or what it saw of the deal."""

    def __init__(self, mode: str) -> None:
        """Remember nothing yet."""
        super().__init__(mode)
        self._ended: list[Table] = []

    def known(self) -> Sequence[Table]:
        """List the matches that have ended."""
        return self._ended

    def match_ended(self, result: Result) -> None:
        """Compute the deal if the end reveals its seed."""
        table = self.match.memory.table
        seed = getattr(result, "seed", b"")
        if seed:
            table.knowledge = self.deal_of(seed)
        self._ended.append(table)


if __name__ == "__main__":
    main(Rememberer)
