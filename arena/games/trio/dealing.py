"""How are unseen cards dealt evenly to places of which only bounds are known?

The cards that are welcome everywhere alike are simply shuffled. The others are placed first, in
one of two ways, both exactly even: by counting, or, where the places are so many and so large that
counting takes long, by attempts. An attempt places the least welcome card first, each into an open
place that takes it. That alone would favour some deals, so the attempt is kept only with a
probability that makes up for it. Should too many fail, counting decides after all.

Even means: each way to deal the 36 cards counts once, the copies of a number being different
cards. A hand with a number twice is therefore half as likely as two hands with it once.
"""

from __future__ import annotations

from random import Random

from arena.games.trio.cards import COPIES, NUMBERS
from arena.games.trio.counting import (
    LASTING_BITS,
    REFUSED,
    Counted,
    Welcome,
    bits_to_count,
    count,
    draw,
)

COUNTABLE_BITS = 15_000
"""Up to this length of its integers, counting is faster than attempts."""
ATTEMPT_BITS = 6_000
"""For every so many bits of the integers, one attempt is made before they are counted with."""

Hard = tuple[int, int, tuple[int, ...]]
"""A number, how many copies of it there are, and what each place says to it."""
Step = tuple[int, list[tuple[int, float, float]], list[float]]
"""A number, where it may go, with which weight, and with which once a copy has just gone there, and
for each copy the most that the weights can sum to."""

# By the copies known. Two more beside one known weigh a half and two thirds: together a third.
_WEIGHT = (1.0, 1 / 2, 1 / 3)
_WEIGHT_AGAIN = (1.0, 2 / 3, 1 / 3)

_REPEATED = tuple(
    tuple((number,) * copies for number in range(NUMBERS + 1)) for copies in range(COPIES + 1)
)


class Deal:
    """A deal, prepared so that it can be drawn again and again."""

    __slots__ = ("_bits", "_core", "_counted", "_hard", "_sizes", "_steps")

    _core: list[int]
    """The cards that are welcome everywhere alike."""
    _steps: list[Step] | None
    """How to make an attempt; None if there is no need to."""
    _counted: Counted | None
    """None until it is needed."""

    def __init__(
        self,
        counts: tuple[int, ...],
        sizes: tuple[int, ...],
        welcomes: list[Welcome],
        countable_bits: int = COUNTABLE_BITS,
    ) -> None:
        """Prepare to deal so many cards of each number from 1 up, just as many as have a place.

        Whether they can fit is not checked.
        """
        self._sizes = sizes
        core: list[int] = []
        hard: list[Hard] = []
        self._core = core
        self._hard = hard
        self._steps = None
        self._counted = None
        number = 0
        for copies, welcoming in zip(counts, zip(*welcomes, strict=True), strict=True):
            number += 1
            if copies:
                if any(welcoming):
                    hard.append((number, copies, welcoming))
                else:
                    core += _REPEATED[copies][number]
        self._bits = bits_to_count(sizes)
        if hard:
            if self._bits <= countable_bits:
                self._counted = count(hard, len(core), sizes)
            else:
                self._steps = _steps(hard, sizes)

    def drawn(self, rng: Random) -> list[list[int]]:
        """Draw one deal evenly: the cards of each place, in no particular order."""
        sizes = self._sizes
        placed: list[list[int]] = [[] for _ in sizes]
        if self._hard:
            placed = self._attempted(rng) or draw(self._count(), placed, rng)
        random = rng.random
        core = self._core.copy()
        left = len(core)
        for size, place in zip(sizes, placed, strict=True):
            for _ in range(size - len(place)):
                at = int(random() * left)
                left -= 1
                place.append(core[at])
                core[at] = core[left]
        return placed

    def _count(self) -> Counted:
        if self._counted is not None:
            return self._counted
        counted = count(self._hard, len(self._core), self._sizes)
        if self._bits <= LASTING_BITS:
            self._counted = counted
        return counted

    def _attempted(self, rng: Random) -> list[list[int]] | None:
        # Even if it has been counted already: what is drawn must depend on nothing but `rng`.
        if self._steps is not None:
            for _ in range(1 + self._bits // ATTEMPT_BITS):
                placed = _attempt(self._steps, list(self._sizes), rng)
                if placed is not None:
                    return placed
        return None


def _steps(hard: list[Hard], sizes: tuple[int, ...]) -> list[Step]:
    """Order the numbers by the room they have, and find bounds for the weights."""
    drafts = []
    for number, copies, welcoming in hard:
        options = []
        room = where = 0
        for at, known in enumerate(welcoming):
            if known != REFUSED:
                options.append((at, _WEIGHT[known], _WEIGHT_AGAIN[known]))
                room += sizes[at]
                where |= 1 << at
        drafts.append((room, number, copies, where, options))
    drafts.sort()
    steps: list[Step] = []
    before: list[tuple[int, int]] = []
    for _, number, copies, where, options in drafts:
        # Numbers that have nowhere else to go have surely taken room here.
        inside = sum([others for places, others in before if places | where == where])
        lightest = min([weight for _, weight, _ in options])
        first = sum([sizes[at] * weight for at, weight, _ in options])
        again = sum([sizes[at] * weight for at, _, weight in options])
        bounds = [first - inside * lightest]
        bounds += [again - (inside + copy) * lightest for copy in range(1, copies)]
        before.append((where, copies))
        steps.append((number, options, bounds))
    return steps


def _attempt(steps: list[Step], left: list[int], rng: Random) -> list[list[int]] | None:
    """Place the hard cards one by one; None if it fails or is not kept."""
    random = rng.random
    placed: list[list[int]] = [[] for _ in left]
    chance = 1.0
    needed = random()
    for number, options, bounds in steps:
        last = -1
        for bound in bounds:
            total = 0.0
            sums = []
            for at, weight, again in options:
                total += left[at] * (again if at == last else weight)
                sums.append(total)
            chance *= total / bound
            if chance <= needed:
                return None
            ticket = random() * total
            for upto, (at, _, _) in zip(sums, options, strict=True):
                if ticket < upto:
                    last = at
                    break
            left[last] -= 1
            placed[last].append(number)
    return placed
