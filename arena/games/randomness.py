"""Chance: where the shuffles and dice of a match come from.

`Chance` is the interface, `Source` the one that matches use: it derives all from a seed. With the
one in `arena.learn.tree`, every card and die is a separate decision.

Everything follows from a seed of 32 bytes, by keyed hashing: the same on every machine and every
Python version, and unpredictable even after a thousand observed rolls.

Every shuffle and every roll has its own label ("cards 2", "duel 4 1 0") and draws from its own
stream, so what one seat does never changes what another is dealt. The stream of a label is
BLAKE2b with the seed as key over `label/0`, `label/1`, ...: 64 bytes each. Cards read it as
little-endian 16-bit words, dice as bytes.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeVar

from arena.errors import BadSeed

try:
    # The same function as in hashlib, which takes longer to import: it loads OpenSSL.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

T = TypeVar("T")

Seed = bytes
"""32 bytes that determine everything random in a match."""

SEED_BYTES = 32
_WORDS = struct.Struct("<32H")
# The first 16-bit word too large to be reduced to 0..n-1 without favouring the small ones.
_LIMIT = tuple(65536 - 65536 % n if n else 0 for n in range(129))

DIE = 8
"""The faces of a die, unless it has fewer."""
_FACES = {faces: bytes(1 + byte % faces for byte in range(256)) for faces in (2, 4, DIE)}
"""The face of a die for every byte, by the number of faces: all are equally likely."""


def seed_from(number: int) -> Seed:
    """Derive a seed from a number that a person can type."""
    if not hasattr(number, "__index__"):
        raise BadSeed(f"a seed is a whole number from 0, or {SEED_BYTES} bytes, not {number!r}")
    if number < 0:
        raise BadSeed(f"seed {number} is negative: seeds are whole numbers from 0")
    return blake2b(f"arena seed {number}".encode(), digest_size=SEED_BYTES).digest()


def derive(seed: Seed, label: str) -> Seed:
    """Derive another seed from a seed; different labels give different seeds."""
    return blake2b(b"derive " + label.encode(), key=seed, digest_size=SEED_BYTES).digest()


class Chance(ABC):
    """All the randomness of one match. No two calls of a match have the same label."""

    __slots__ = ()

    @abstractmethod
    def draw(
        self, label: str, items: Sequence[T], count: int, sets: tuple[int, ...] = ()
    ) -> list[T]:
        """Draw `count` of at most 128 items at random, in the order drawn.

        `sets` are the sizes of sets that the drawn items form one after another, such as hands,
        if their order within a set makes no difference. They add up to the count.
        """

    @abstractmethod
    def dice(self, label: str, count: int, faces: int = DIE) -> list[int]:
        """Roll up to 64 dice with 2, 4 or 8 faces; each die is read once, when it is rolled."""

    def deck(self, label: str, items: Sequence[T]) -> list[T]:
        """Return at most 128 items in random order; the caller only draws cards with `pop`."""
        return self.draw(label, items, len(items))


class Source(Chance):
    """The randomness of a seed. Immutable: every answer depends on the label alone."""

    __slots__ = ("_keyed", "_seed")

    def __init__(self, seed: Seed) -> None:
        """Take a seed of exactly 32 bytes."""
        if len(seed) != SEED_BYTES:
            raise BadSeed(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed
        self._keyed = blake2b(key=seed)

    def __reduce__(self) -> tuple[type[Source], tuple[Seed]]:
        """Pickle and deep-copy the seed; the state of a hash function cannot be."""
        return type(self), (self._seed,)

    def draw(
        self, label: str, items: Sequence[T], count: int, sets: tuple[int, ...] = ()
    ) -> list[T]:
        """Draw `count` of at most 128 items at random, in the order drawn (Fisher-Yates)."""
        pool = list(items)
        drawn: list[T] = []
        left = len(pool)
        block = 0
        words: tuple[int, ...] = ()
        at = 32
        while len(drawn) < count:
            if at == 32:
                words = _WORDS.unpack(self._block(label, block))
                block += 1
                at = 0
            word = words[at]
            at += 1
            if word >= _LIMIT[left]:
                continue
            chosen = word % left
            left -= 1
            drawn.append(pool[chosen])
            pool[chosen] = pool[left]
        return drawn

    def dice(self, label: str, count: int, faces: int = DIE) -> list[int]:
        """Roll up to 64 dice with 2, 4 or 8 faces."""
        return list(self._block(label, 0)[:count].translate(_FACES[faces]))

    def _block(self, label: str, number: int) -> bytes:
        hashed = self._keyed.copy()
        hashed.update(f"{label}/{number}".encode())
        return hashed.digest()
