"""A bot that remembers matches that were broken off, for when they are played again."""

from __future__ import annotations

from collections.abc import Sequence

from arena.sdk import Result
from tests.rogues.cheats.cheat import TELL, Cheat, Table, main


class Partner(Cheat):
    """Keeps what it saw of void matches; a friend at the table sees to it that there are some."""

    def __init__(self, way: str) -> None:
        """Remember nothing yet."""
        super().__init__(way)
        self._void: list[Table] = []

    def known(self) -> Sequence[Table]:
        """List the void matches."""
        return self._void

    def match_ended(self, result: Result) -> None:
        """Keep what a void match has shown."""
        memory = self.match.memory
        confessed = memory.recalled and self.way == TELL
        if not result.places and not confessed:
            self._void.append(memory.table)


if __name__ == "__main__":
    main(Partner)
