"""Deal unseen cards uniformly to places with known bounds.

Cards that every place treats in the same way are simply shuffled. The others are placed first, by
one of two methods that are both exactly uniform: counting, or, where many large places would make
counting slow, rejection sampling. An attempt places the most restricted number first, each card in
a place with room that can take it. That alone would favour some deals, so an attempt is accepted
with a probability that corrects the bias. If too many attempts fail, counting decides.

Uniform means that each way to deal the 36 cards counts once, with the copies of a number as
different cards. A hand with a number twice is therefore half as likely as two hands with it once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.trio.cards import COPIES, NUMBERS
from arena.games.trio.counting import (
    CACHEABLE_BITS,
    EXCLUDED,
    Allowed,
    DealCount,
    bits_to_count,
    count,
    draw_placement,
)

if TYPE_CHECKING:
    from random import Random

COUNTABLE_BITS = 15_000
"""Counting is faster than attempts while its integers are no longer than this."""
ATTEMPT_BITS = 6_000
"""Before counting, one attempt is made, plus one for every this many bits of its integers."""

Restricted = tuple[int, int, tuple[int, ...]]
"""A number, how many copies of it there are, and its entry in each place's `Allowed`."""
Step = tuple[int, list[tuple[int, float, float]], list[float]]
"""A number; the places it may go to, each with its weight and its weight if the previous copy went
there; and for each copy an upper bound of the total weight."""

# By the number of copies known. Two more beside a known one weigh 1/2 and 2/3: together 1/3.
_WEIGHT = (1.0, 1 / 2, 1 / 3)
_WEIGHT_REPEATED = (1.0, 2 / 3, 1 / 3)

_COPIES_OF = tuple(
    tuple((number,) * copies for number in range(NUMBERS + 1)) for copies in range(COPIES + 1)
)


class Deal:
    """A prepared deal that can be drawn any number of times."""

    __slots__ = ("_bits", "_counted", "_restricted", "_sizes", "_steps", "_unrestricted")

    _unrestricted: list[int]
    """The cards that every place treats in the same way."""
    _steps: list[Step] | None
    """The steps of an attempt; None if no attempts are made."""
    _counted: DealCount | None
    """None until it is needed."""

    def __init__(
        self,
        counts: tuple[int, ...],
        sizes: tuple[int, ...],
        allowed: list[Allowed],
        countable_bits: int = COUNTABLE_BITS,
    ) -> None:
        """Prepare to deal these counts of the numbers from 1 up; the sizes add up to their sum.

        Whether they can fit is not checked.
        """
        self._sizes = sizes
        unrestricted: list[int] = []
        restricted: list[Restricted] = []
        self._unrestricted = unrestricted
        self._restricted = restricted
        self._steps = None
        self._counted = None
        number = 0
        for copies, by_place in zip(counts, zip(*allowed, strict=True), strict=True):
            number += 1
            if copies:
                if any(by_place):
                    restricted.append((number, copies, by_place))
                else:
                    unrestricted += _COPIES_OF[copies][number]
        self._bits = bits_to_count(sizes)
        if restricted:
            if self._bits <= countable_bits:
                self._counted = count(restricted, len(unrestricted), sizes)
            else:
                self._steps = _plan_attempt(restricted, sizes)

    def draw(self, rng: Random) -> list[list[int]]:
        """Draw a deal uniformly: the cards of each place, in no particular order."""
        sizes = self._sizes
        placed: list[list[int]] = [[] for _ in sizes]
        if self._restricted:
            placed = self._attempt_repeatedly(rng) or draw_placement(
                self._deal_count(), placed, rng
            )
        random = rng.random
        unrestricted = self._unrestricted.copy()
        left = len(unrestricted)
        for size, place in zip(sizes, placed, strict=True):
            for _ in range(size - len(place)):
                index = int(random() * left)
                left -= 1
                place.append(unrestricted[index])
                unrestricted[index] = unrestricted[left]
        return placed

    def _deal_count(self) -> DealCount:
        if self._counted is not None:
            return self._counted
        counted = count(self._restricted, len(self._unrestricted), self._sizes)
        if self._bits <= CACHEABLE_BITS:
            self._counted = counted
        return counted

    def _attempt_repeatedly(self, rng: Random) -> list[list[int]] | None:
        # Even if it has been counted already: the result must depend on nothing but `rng`.
        if self._steps is not None:
            for _ in range(1 + self._bits // ATTEMPT_BITS):
                placed = _attempt(self._steps, list(self._sizes), rng)
                if placed is not None:
                    return placed
        return None


def _plan_attempt(restricted: list[Restricted], sizes: tuple[int, ...]) -> list[Step]:
    """Sort the numbers by the room they have, and compute bounds for the weights."""
    drafts = []
    for number, copies, by_place in restricted:
        options = []
        room = places_mask = 0
        for place, known in enumerate(by_place):
            if known != EXCLUDED:
                options.append((place, _WEIGHT[known], _WEIGHT_REPEATED[known]))
                room += sizes[place]
                places_mask |= 1 << place
        drafts.append((room, number, copies, places_mask, options))
    drafts.sort()
    steps: list[Step] = []
    before: list[tuple[int, int]] = []
    for _, number, copies, places_mask, options in drafts:
        # Numbers that cannot go anywhere else have certainly taken room here.
        inside = sum([others for places, others in before if places | places_mask == places_mask])
        lightest = min([weight for _, weight, _ in options])
        first = sum([sizes[place] * weight for place, weight, _ in options])
        again = sum([sizes[place] * weight for place, _, weight in options])
        bounds = [first - inside * lightest]
        bounds += [again - (inside + copy) * lightest for copy in range(1, copies)]
        before.append((places_mask, copies))
        steps.append((number, options, bounds))
    return steps


def _attempt(steps: list[Step], left: list[int], rng: Random) -> list[list[int]] | None:
    """Place the restricted cards one by one; return None if that fails or is rejected."""
    random = rng.random
    placed: list[list[int]] = [[] for _ in left]
    acceptance = 1.0
    threshold = random()
    for number, options, bounds in steps:
        last = -1
        for bound in bounds:
            total = 0.0
            sums = []
            for place, weight, again in options:
                total += left[place] * (again if place == last else weight)
                sums.append(total)
            acceptance *= total / bound
            if acceptance <= threshold:
                return None
            target = random() * total
            for cumulative, (place, _, _) in zip(sums, options, strict=True):
                if target < cumulative:
                    last = place
                    break
            left[last] -= 1
            placed[last].append(number)
    return placed
