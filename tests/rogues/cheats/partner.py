"""A bot that remembers void matches, and uses that when they are repeated."""

from __future__ import annotations

from collections.abc import Sequence

from arena.sdk import Result
from tests.rogues.cheats.cheat import CONFESS, Cheat, Table, main


class Partner(Cheat):
    """Keeps what it saw of void matches; a partner at the table causes them."""

    def __init__(self, mode: str) -> None:
        """Remember nothing yet."""
        super().__init__(mode)
        self._void: list[Table] = []

    def known(self) -> Sequence[Table]:
        """List the void matches."""
        return self._void

    def match_ended(self, result: Result) -> None:
        """Keep what a void match has shown."""
        memory = self.match.memory
        confessed = memory.is_recalled and self.mode == CONFESS
        if not result.places and not confessed:
            self._void.append(memory.table)


if __name__ == "__main__":
    main(Partner)
