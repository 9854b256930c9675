"""A bot that computes deals from seeds that a person may have typed, and looks for them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from hashlib import sha256
from math import log

from arena.games.randomness import derive, seed_from
from tests.rogues.cheats.cheat import HONEST, Cheat, Table, main

SEEDS = range(8)
PAIRINGS = range(6)
DEALS = range(64)


def guesses() -> Iterable[bytes]:
    """List the seeds of deals that an event or a comparison may have."""
    for number in SEEDS:
        event, comparison = (derive(seed_from(number), use) for use in ("event", "compare"))
        for deal in DEALS:
            yield derive(comparison, f"deal {deal}")
            for pairing in PAIRINGS:
                yield derive(event, f"pairing {pairing} deal {deal}")


class Guesser(Cheat):
    """Finds its deal among the guesses: by its commitment, or by what it sees first."""

    def __init__(self, mode: str) -> None:
        """Compute before the clock runs."""
        super().__init__(mode)
        self._seeds = () if mode == HONEST else tuple(guesses())
        self._by_commitment = {sha256(b"arena deal " + seed).digest(): seed for seed in self._seeds}
        # With this many guesses, some fit by coincidence.
        self.certain += log(max(1, len(self._seeds)))
        self._by_look: dict[tuple[str, int], dict[Hashable, list[Table]]] = {}

    def known(self) -> Sequence[Table]:
        """Return the deal that fits the commitment, or the deals that look the same at first."""
        memory = self.match.memory
        if not hasattr(memory, "guessed"):
            memory.guessed = self._find_guesses(memory.table)
        guessed: Sequence[Table] = memory.guessed
        return guessed

    def _find_guesses(self, mine: Table) -> Sequence[Table]:
        seed = self._by_commitment.get(mine.commitment)
        if seed:
            # An equal commitment leaves no doubt.
            return [Table(mine.kind, self.deal_of(seed), mine.commitment, mine.mark)]
        if mine.kind not in self._by_look:
            self._by_look[mine.kind] = self._index_by_first_look(mine.kind)
        return self._by_look[mine.kind].get(mine.knowledge.first_look(self.match.seat), ())

    def _index_by_first_look(self, kind: tuple[str, int]) -> dict[Hashable, list[Table]]:
        """Sort all guesses by what each seat would see of them first."""
        looks: dict[Hashable, list[Table]] = {}
        for seed in self._seeds:
            table = Table(kind, self.deal_of(seed))
            for look in {table.knowledge.first_look(seat) for seat in range(self.match.seats)}:
                looks.setdefault(look, []).append(table)
        return looks


if __name__ == "__main__":
    main(Guesser)
