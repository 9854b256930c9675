"""An opponent in a comparison that plays better against the version that plays second.

Both versions play a deal in the same seat and against the same opponents. A bot that sees a
deal for the second time in the same seat knows that the other version is playing now.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.sdk import Result
from tests.rogues.cheats.cheat import Cheat, Table, main


class Opponent(Cheat):
    """Remembers by seat what it saw."""

    def __init__(self, mode: str) -> None:
        """Remember nothing yet."""
        super().__init__(mode)
        self._in_seat: dict[int, list[Table]] = {}

    def known(self) -> Sequence[Table]:
        """List the matches that have ended in this seat."""
        return self._in_seat.setdefault(self.match.seat, [])

    def match_ended(self, result: Result) -> None:
        """Keep the match with its seat."""
        self._in_seat.setdefault(self.match.seat, []).append(self.match.memory.table)


if __name__ == "__main__":
    main(Opponent)
