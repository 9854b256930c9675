"""Count the ways to deal cards to places with bounds, and draw one of them uniformly.

All ways are counted at once by multiplying polynomials: a card that may go to places a and b is
x_a + x_b, and in the product over all cards the coefficient of x_a^3 x_b^4 is the number of ways to
give three cards to a and four to b. A polynomial is stored as one large integer with a field of
bits for each coefficient, so multiplying by a card takes a few shifts and additions. Going back
through the products card by card draws one of the ways, all equally likely.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING

from arena.games.trio.cards import NUMBERS

if TYPE_CHECKING:
    from random import Random

EXCLUDED = -1
Allowed = tuple[int, ...]
"""For each number, `EXCLUDED` if a place cannot hold it, else how many are known to be there."""
Ways = tuple[tuple[int, tuple[int, ...]], ...]
"""The ways to place some copies of one number, each as its weight and the places."""
Factor = tuple[int, Ways, int]
"""A number, the ways to place it, and the product of all factors before it."""
DealCount = tuple[list[Factor], tuple[int, ...], int, int, int]
"""The factors, the shift of each place, the position of the field where all places are full, the
number of ways stored there, and the mask of one field."""

CACHEABLE_BITS = 100_000
"""Products with integers up to this length are cached."""
_DIGIT = 30
ALL_ALLOWED: Allowed = (0,) * NUMBERS


@lru_cache(maxsize=4096)
def numbers_allowed(least: int, most: int, held: tuple[int, ...]) -> Allowed:
    """Return which numbers a hand can take within these bounds, given the cards known in it."""
    return tuple(
        held.count(number) if least <= number <= most else EXCLUDED
        for number in range(1, NUMBERS + 1)
    )


@lru_cache(maxsize=4096)
def ways_to_place(copies: int, by_place: tuple[int, ...]) -> tuple[tuple[Ways, ...], int]:
    """List the ways to place copies of one number; also return the product of their total weights.

    Copies count as different cards. Each is placed separately, unless a hand that can take more is
    already known to hold one: then the ways are those of all copies together, with their weights
    multiplied by six. If m copies join k known ones, only one way in C(m + k, k) counts.
    """
    options = [(place, known) for place, known in enumerate(by_place) if known != EXCLUDED]
    if not any(known for _, known in options):
        return (tuple((1, (place,)) for place, _ in options),) * copies, len(options) ** copies
    ways = []
    for chosen in combinations_with_replacement(options, copies):
        weight = 6 * factorial(copies)
        for place, known in set(chosen):
            weight = weight * factorial(known) // factorial(chosen.count((place, known)) + known)
        ways.append((weight, tuple(place for place, _ in chosen)))
    return (tuple(ways),), sum(weight for weight, _ in ways)


def count(
    restricted: list[tuple[int, int, tuple[int, ...]]], unrestricted: int, sizes: tuple[int, ...]
) -> DealCount:
    """Count the ways to fill places of these sizes.

    `restricted` lists each number that the places treat differently: the number, its copies and its
    entry for each place. `unrestricted` is the number of all other cards.
    """
    bound = len(sizes) ** unrestricted
    steps: list[tuple[int, Ways]] = []
    for number, copies, by_place in restricted:
        several, weights = ways_to_place(copies, by_place)
        bound *= weights
        for ways in several:
            steps.append((number, ways))
    digits = bound.bit_length() // _DIGIT + 1
    shifts, mask, full, field = _grid(sizes, digits)
    if bits_to_count(sizes) <= CACHEABLE_BITS:
        product = _cached_unrestricted_product(sizes, unrestricted, digits)
    else:
        product = _unrestricted_product(sizes, unrestricted, digits)
    factors: list[Factor] = []
    for number, ways in steps:
        factors.append((number, ways, product))
        after = 0
        for weight, places in ways:
            shift = 0
            for place in places:
                shift += shifts[place]
            after += (product << shift) * weight
        product = after & mask
    return factors, shifts, full, product >> full & field, field


def draw_placement(counted: DealCount, placed: list[list[int]], rng: Random) -> list[list[int]]:
    """Place the restricted numbers in one of the counted ways, all equally likely."""
    factors, shifts, position, ways, field = counted
    random = rng.random
    for number, options, product in reversed(factors):
        target = random() * ways
        for weight, places in options:
            left = position
            for place in places:
                left -= shifts[place]
            if left >= 0:
                ways_left = product >> left & field
                if ways_left:
                    ways = ways_left
                    after = left
                    chosen = places
                    target -= ways * weight
                    if target < 0:
                        break
        position = after
        for place in chosen:
            placed[place].append(number)
    return placed


@lru_cache(maxsize=4096)
def bits_to_count(sizes: tuple[int, ...]) -> int:
    """Estimate the length of the integers in `count`."""
    fields = prod(size + 3 for size in sizes) // (max(sizes) + 3)
    return fields * _DIGIT * (sum(sizes) // 10 + 1)


@lru_cache(maxsize=1024)
def _grid(sizes: tuple[int, ...], digits: int) -> tuple[tuple[int, ...], int, int, int]:
    """Lay out the fields: each place's shift, the mask of all, the full position, a field's mask.

    The largest place needs no variable: it gets what the others do not. Two fields beyond each
    size stay empty, so an overfull place cannot be mistaken for another.
    """
    implied = sizes.index(max(sizes))
    shifts = []
    stride = _DIGIT * digits
    field = mask = (1 << stride) - 1
    full = 0
    for place, size in enumerate(sizes):
        if place == implied:
            shifts.append(0)
            continue
        shifts.append(stride)
        full += stride * size
        mask = sum([mask << stride * used for used in range(size + 1)])
        stride *= size + 3
    return tuple(shifts), mask, full, field


def _unrestricted_product(sizes: tuple[int, ...], unrestricted: int, digits: int) -> int:
    """Return the product of this many cards that fit anywhere."""
    shifts, mask, _, _ = _grid(sizes, digits)
    product = 1
    for _ in range(unrestricted):
        product = sum([product << shift for shift in shifts]) & mask
    return product


@lru_cache(maxsize=2048)
def _cached_unrestricted_product(sizes: tuple[int, ...], unrestricted: int, digits: int) -> int:
    """Return the same product, and cache it for every smaller number of cards as well."""
    if not unrestricted:
        return 1
    shifts, mask, _, _ = _grid(sizes, digits)
    product = _cached_unrestricted_product(sizes, unrestricted - 1, digits)
    return sum([product << shift for shift in shifts]) & mask
