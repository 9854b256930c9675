"""How are unseen cards dealt evenly to places of which only bounds are known?

The cards that are welcome everywhere alike are simply shuffled. The others are placed first, in
one of two ways, both exactly even: by counting, or, where the places are so many and so large that
counting takes long, by attempts. An attempt places the least welcome card first, each into an open
place that takes it. That alone would favour some deals, so the attempt is kept only with a
probability that makes up for it. Should all `ATTEMPTS` fail, counting decides after all.

Even means: each way to deal the 36 cards counts once, the copies of a number being different
cards. A hand with a number twice is therefore half as likely as two hands with it once.
"""

from __future__ import annotations

from random import Random

from arena.games.trio.cards import NUMBERS
from arena.games.trio.counting import REFUSED, Counted, Welcome, bits_to_count, count, draw

ATTEMPTS = 6
COUNTABLE_BITS = 15_000
"""Up to this length of its integers, counting is faster than attempts."""

Hard = tuple[int, int, tuple[int, ...]]
"""A number, how many copies of it there are, and what each place says to it."""
Step = tuple[int, list[tuple[int, float]], list[float]]
"""A number, where it may go with which weight, and for each copy the most that they can sum to."""

_REPEATED = tuple(tuple((number,) * copies for number in range(NUMBERS + 1)) for copies in range(4))


class Deal:
    """A deal, prepared so that it can be drawn again and again."""

    __slots__ = ("_core", "_counted", "_hard", "_sizes", "_steps")

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
        if hard:
            if bits_to_count(sizes) <= countable_bits:
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
        if self._counted is None:
            self._counted = count(self._hard, len(self._core), self._sizes)
        return self._counted

    def _attempted(self, rng: Random) -> list[list[int]] | None:
        if self._steps is not None and self._counted is None:
            for _ in range(ATTEMPTS):
                placed = _attempt(self._steps, list(self._sizes), rng)
                if placed is not None:
                    return placed
        return None


def _steps(hard: list[Hard], sizes: tuple[int, ...]) -> list[Step]:
    """Order the numbers by the room they have, and find bounds for the weights."""
    drafts = []
    for number, copies, welcoming in hard:
        options = [(at, 1 / (1 + known)) for at, known in enumerate(welcoming) if known != REFUSED]
        room = sum(sizes[at] for at, _ in options)
        drafts.append((room, number, copies, options))
    drafts.sort()
    steps: list[Step] = []
    before: list[tuple[set[int], int]] = []
    for _, number, copies, options in drafts:
        where = {at for at, _ in options}
        # Numbers that have nowhere else to go have surely taken room here.
        inside = sum(others for places, others in before if places <= where)
        lightest = min(weight for _, weight in options)
        bounds = []
        for copy in range(copies):
            total = sum(sizes[at] * _weight(weight, again=copy > 0) for at, weight in options)
            bounds.append(total - (inside + copy) * lightest)
        before.append((where, copies))
        steps.append((number, options, bounds))
    return steps


def _weight(weight: float, *, again: bool) -> float:
    # Beside one known copy, the first weighs a half and a second two thirds: together a third.
    return 2 / 3 if again and weight == 0.5 else weight


def _attempt(steps: list[Step], left: list[int], rng: Random) -> list[list[int]] | None:
    """Place the hard cards one by one; None if it fails or is not kept."""
    placed: list[list[int]] = [[] for _ in left]
    chance = 1.0
    needed = rng.random()
    for number, options, bounds in steps:
        last = -1
        for bound in bounds:
            total = 0.0
            sums = []
            for at, weight in options:
                total += left[at] * _weight(weight, again=at == last)
                sums.append(total)
            chance *= total / bound
            if chance <= needed:
                return None
            ticket = rng.random() * total
            last = next(at for (at, _), upto in zip(options, sums, strict=True) if ticket < upto)
            left[last] -= 1
            placed[last].append(number)
    return placed
