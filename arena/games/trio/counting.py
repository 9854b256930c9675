"""How many ways are there to deal cards to hands with bounds, and how is one drawn evenly?

All ways are counted at once by multiplying polynomials: a card that may go to hands a and b stands
for x_a + x_b, and in the product of all cards the coefficient of x_a^3 x_b^4 is the number of ways
to give three cards to a and four to b. A polynomial is one large integer, a field of bits for each
coefficient, so multiplying by a card is a few shifts and additions. Going back through the products
card by card draws a way, each as likely as any other.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from random import Random

from arena.games.trio.cards import NUMBERS

REFUSED = -1
Welcome = tuple[int, ...]
"""For each number whether a place takes it: `REFUSED`, or how many of it are known to be there."""
Ways = tuple[tuple[int, tuple[int, ...]], ...]
"""The ways to place some copies of one number: a weight and the places."""
Factor = tuple[int, Ways, int]
"""A number, its ways, and the product of all the factors before it."""
Counted = tuple[list[Factor], tuple[int, ...], int, int, int]
"""The factors, the shift of each place, the position where all places are full, the number of ways
there, and the mask of a field."""

LASTING_BITS = 100_000
"""Integers up to this length are worth remembering."""
_DIGIT = 30
ANYTHING: Welcome = (0,) * NUMBERS


@lru_cache(maxsize=4096)
def welcome(least: int, most: int, held: tuple[int, ...]) -> Welcome:
    """Say which numbers a hand takes within these bounds, beside the cards that it holds."""
    return tuple(
        held.count(number) if least <= number <= most else REFUSED
        for number in range(1, NUMBERS + 1)
    )


@lru_cache(maxsize=4096)
def ways_to_place(copies: int, welcoming: tuple[int, ...]) -> tuple[tuple[Ways, ...], int]:
    """List the ways to place copies of one number, and the product of their summed weights.

    The copies count as different cards, and each is placed by itself, unless one is known already
    in a hand that takes more: then the ways are those of all copies together, with six times their
    weight. Of m more copies beside k known ones only one in C(m + k, k) counts.
    """
    options = [(at, known) for at, known in enumerate(welcoming) if known != REFUSED]
    if not any(known for _, known in options):
        return (tuple((1, (at,)) for at, _ in options),) * copies, len(options) ** copies
    ways = []
    for chosen in combinations_with_replacement(options, copies):
        weight = 6 * factorial(copies)
        for at, known in set(chosen):
            weight = weight * factorial(known) // factorial(chosen.count((at, known)) + known)
        ways.append((weight, tuple(at for at, _ in chosen)))
    return (tuple(ways),), sum(weight for weight, _ in ways)


def count(
    hard: list[tuple[int, int, tuple[int, ...]]], core: int, sizes: tuple[int, ...]
) -> Counted:
    """Count the ways to fill places of these sizes.

    `hard` lists each number that is not welcome everywhere alike, with its copies and what each
    place says to it; `core` is how many other cards there are.
    """
    bound = len(sizes) ** core
    steps: list[tuple[int, Ways]] = []
    for number, copies, welcoming in hard:
        several, weights = ways_to_place(copies, welcoming)
        bound *= weights
        for ways in several:
            steps.append((number, ways))
    digits = bound.bit_length() // _DIGIT + 1
    shifts, mask, full, field = _grid(sizes, digits)
    if bits_to_count(sizes) <= LASTING_BITS:
        product = _small_core(sizes, core, digits)
    else:
        product = _core(sizes, core, digits)
    factors: list[Factor] = []
    for number, ways in steps:
        factors.append((number, ways, product))
        after = 0
        for weight, places in ways:
            shift = 0
            for at in places:
                shift += shifts[at]
            after += (product << shift) * weight
        product = after & mask
    return factors, shifts, full, product >> full & field, field


def draw(counted: Counted, placed: list[list[int]], rng: Random) -> list[list[int]]:
    """Place the hard numbers in one of the ways that have been counted, evenly."""
    factors, shifts, position, ways, field = counted
    random = rng.random
    for number, options, product in reversed(factors):
        ticket = random() * ways
        for weight, places in options:
            left = position
            for at in places:
                left -= shifts[at]
            if left >= 0:
                found = product >> left & field
                if found:
                    ways = found
                    after = left
                    chosen = places
                    ticket -= ways * weight
                    if ticket < 0:
                        break
        position = after
        for at in chosen:
            placed[at].append(number)
    return placed


@lru_cache(maxsize=4096)
def bits_to_count(sizes: tuple[int, ...]) -> int:
    """Estimate how long the integers will be that `count` calculates with."""
    fields = prod(size + 3 for size in sizes) // (max(sizes) + 3)
    return fields * _DIGIT * (sum(sizes) // 10 + 1)


@lru_cache(maxsize=1024)
def _grid(sizes: tuple[int, ...], digits: int) -> tuple[tuple[int, ...], int, int, int]:
    """Lay out fields: the shift of each place, the mask of all, the full position, one's mask.

    The largest place needs no variable: it gets what the others do not. Two fields beyond each
    size stay empty, so that an overfull hand is never taken for another.
    """
    implied = sizes.index(max(sizes))
    shifts = []
    stride = _DIGIT * digits
    field = mask = (1 << stride) - 1
    full = 0
    for at, size in enumerate(sizes):
        if at == implied:
            shifts.append(0)
            continue
        shifts.append(stride)
        full += stride * size
        mask = sum([mask << stride * used for used in range(size + 1)])
        stride *= size + 3
    return tuple(shifts), mask, full, field


def _core(sizes: tuple[int, ...], core: int, digits: int) -> int:
    """Multiply so many cards that fit anywhere."""
    shifts, mask, _, _ = _grid(sizes, digits)
    product = 1
    for _ in range(core):
        product = sum([product << shift for shift in shifts]) & mask
    return product


@lru_cache(maxsize=2048)
def _small_core(sizes: tuple[int, ...], core: int, digits: int) -> int:
    """Do the same, and remember it, for each number of cards on the way."""
    if not core:
        return 1
    shifts, mask, _, _ = _grid(sizes, digits)
    product = _small_core(sizes, core - 1, digits)
    return sum([product << shift for shift in shifts]) & mask
