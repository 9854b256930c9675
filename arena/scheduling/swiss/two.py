"""Pair entrants at tables of two.

The usual Swiss rules, as costs of a pair; each outweighs all below it together:

1. entrants that must not meet do not meet;
2. no entrant has a second bye;
3. no two entrants meet again;
4. the bye goes to the lowest score;
5. scores are close: the sum of squared differences is least;
6. two entrants who are due the same seat do not meet (in chess: the same colour);
7. in a group of equal scores the top half meets the bottom half in order, and the last of an odd
   group floats down and meets the first of the next group.

The total cost of the pairs is the exact minimum, see `matching`. A large field is cut into blocks
of neighbouring scores, and each block is paired exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby

from arena.indices import Seat
from arena.scheduling.swiss.history import Entry, whole_scores
from arena.scheduling.swiss.matching import cheapest_matching
from arena.scheduling.swiss.seats import seat_penalty
from arena.scheduling.swiss.tables import fill_from_top

BLOCK = 64
"""The number of entrants paired at a time, if that breaks none of the first three rules."""


def pair_up(entries: Sequence[Entry]) -> tuple[list[list[Entry]], list[Entry]]:
    """Pair entrants listed by rank; return the pairs, and the entrant with a bye if any."""
    if not entries:
        return [], []
    costs = _Costs(entries)
    block = BLOCK
    mates = costs.cheapest_mates(block)
    while block < len(entries) and costs.breaks_a_rule(mates):
        block *= 2
        mates = costs.cheapest_mates(block)
    pairs = [[entries[one], entries[mates[one]]] for one in sorted(mates) if one < mates[one]]
    return pairs, [entries[one] for one in mates if one == mates[one]]


class _Costs:
    """The cost of each pair and of each bye; a bye is a pair with oneself."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._scores, _ = whole_scores(entries)
        self._dues = [
            seat_penalty(entry, Seat(1)) - seat_penalty(entry, Seat(0)) for entry in entries
        ]
        """How much each entrant is due seat 0; if negative, seat 1."""
        self._first: list[int] = []
        self._last: list[int] = []
        self._half: list[int] = []
        floats = 0
        for _, group in groupby(self._scores):
            count = len(list(group))
            self._half += [(count - floats) // 2] * count
            self._last += [len(self._last) + count - 1] * count
            self._first += [len(self._first)] * count
            floats = (count - floats) % 2
        # Each unit exceeds the largest possible sum of all lower costs in a round.
        size = len(entries)
        spread = self._scores[0] - self._scores[-1]
        most = max((times for entry in entries for times in entry.met.values()), default=0)
        self._seat = 1 + size**3
        self._score = self._seat * (1 + size * max(map(abs, self._dues)))
        self._bye = self._score * (1 + size * spread**2)
        self._meeting = self._bye * (1 + spread)
        self._second_bye = self._meeting * (1 + size * most)
        self._conflict = self._second_bye * (2 + max(entry.byes for entry in entries))

    def cheapest_mates(self, block: int) -> dict[int, int]:
        """Pair block by block and return the mate of each rank; a bye is its own mate."""
        size = len(self._entries)
        ideal = [rank for table in fill_from_top(self._scores, [2] * (size // 2)) for rank in table]
        if size % 2:
            ideal.append(size - 1)
        mates = {}
        for start in range(0, size, block):
            ranks = sorted(ideal[start : start + block])
            mates.update(self._cheapest_mates_among(ranks))
        return mates

    def _cheapest_mates_among(self, ranks: Sequence[int]) -> dict[int, int]:
        pairs = [
            (i, j, self._cost(ranks[i], ranks[j])) for i, j in combinations(range(len(ranks)), 2)
        ]
        if len(ranks) % 2:
            pairs += [(i, len(ranks), self._cost_of_bye(rank)) for i, rank in enumerate(ranks)]
        mates = cheapest_matching(len(ranks) + len(ranks) % 2, pairs)
        assert mates is not None
        return {rank: [*ranks, rank][mate] for rank, mate in zip(ranks, mates, strict=False)}

    def breaks_a_rule(self, mates: dict[int, int]) -> bool:
        """Return whether an entrant has a second bye, or two meet again or must not meet."""
        return any(
            self._entries[one].byes
            if one == other
            else self._meetings(one, other) or self._must_not_meet(one, other)
            for one, other in mates.items()
        )

    def _meetings(self, one: int, other: int) -> int:
        return self._entries[one].met[self._entries[other].entrant]

    def _must_not_meet(self, one: int, other: int) -> bool:
        return self._entries[other].entrant in self._entries[one].apart

    def _cost_of_bye(self, rank: int) -> int:
        return (
            self._second_bye * self._entries[rank].byes
            + self._bye * (self._scores[rank] - self._scores[-1])
            + self._last[rank]
            - rank
        )

    def _cost(self, one: int, other: int) -> int:
        cost = self._meeting * self._meetings(one, other)
        cost += self._conflict * self._must_not_meet(one, other)
        if self._dues[one] * self._dues[other] > 0:
            cost += self._seat * min(abs(self._dues[one]), abs(self._dues[other]))
        apart = self._scores[one] - self._scores[other]
        if apart:
            floats = (self._last[one] - one) ** 2 + (other - self._first[other]) ** 2
            return cost + self._score * apart**2 + floats
        return cost + (other - one - self._half[one]) ** 2
