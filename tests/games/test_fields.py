"""Copies and comparisons follow from the fields that a class annotates."""

from __future__ import annotations

from arena.games.fields import Fields
from arena.games.randomness import Source, seed_from


class Pile(Fields):
    """Some cards."""

    cards: list[int]
    __slots__ = tuple(__annotations__)


class Held(Fields):
    """Fields of every kind."""

    number: int
    rows: list[list[int]]
    counts: dict[str, int]
    seen: set[int]
    pile: Pile
    source: Source
    later: int
    __slots__ = tuple(__annotations__)
    _not_compared = ("later",)

    def copy(self) -> Held:
        """Copy the pile, too."""
        new = self._copy_fields()
        new.pile = self.pile.copy()
        return new


def make() -> Held:
    """Make an object with all fields."""
    held = Held()
    held.number, held.rows, held.counts, held.seen, held.later = 3, [[1], [2]], {"a": 1}, {4}, 5
    held.pile = Pile()
    held.pile.cards = [7]
    held.source = Source(seed_from(1))
    return held


def test_a_copy_is_equal_and_independent() -> None:
    held = make()
    copy = held.copy()
    assert (copy.number, copy.later, copy.source) == (3, 5, held.source)
    copy.rows[0].append(9)
    copy.counts["b"] = 2
    copy.seen.add(5)
    copy.pile.cards.append(8)
    assert (held.rows, held.counts, held.seen, held.pile.cards) == ([[1], [2]], {"a": 1}, {4}, [7])


def test_the_truth_is_what_is_decided() -> None:
    held, other = make(), make()
    other.later, other.source = 6, Source(seed_from(2))
    assert held.truth() == other.truth()
    assert ((1,), (2,)) in held.truth()
    other.pile.cards[0] = 8
    assert held.truth() != other.truth()
