"""Chance that is decided from outside, for trees in which every card and die is a node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from arena.games.draws import ChanceDraw, draw_of
from arena.games.randomness import DIE, Chance

T = TypeVar("T")


class Undecided(Exception):
    """Chance has to decide this first."""

    def __init__(self, draw: ChanceDraw) -> None:
        """Take what has to be drawn."""
        super().__init__(draw.label)
        self.draw = draw


class OpenChance(Chance):
    """Chance that decides nothing by itself: it returns the answers it was given, in their order.

    It holds them only while an action is played, so all nodes of a tree can share one.
    """

    __slots__ = ("answers",)

    answers: list[list[Any]]
    """The answers to come, the next one last."""

    def __init__(self) -> None:
        """Begin without answers."""
        self.answers = []

    def __deepcopy__(self, memo: object) -> OpenChance:
        """Return the same one: all states of a tree share it."""
        return self

    def draw(
        self, label: str, items: Sequence[T], count: int, sets: tuple[int, ...] = ()
    ) -> list[T]:
        """Return the next answer, or raise `Undecided`."""
        if self.answers:
            return self.answers.pop()
        raise Undecided(draw_of(label, items, sets or (1,) * count))

    def dice(self, label: str, count: int, faces: int = DIE) -> list[int]:
        """Return dice that are rolled when they are read."""
        return _Dice(self, label, faces)

    def roll(self, label: str, count: int, faces: int = DIE) -> list[int]:
        """Return the faces of some dice, or raise `Undecided`."""
        if not count:
            return []
        if self.answers:
            return self.answers.pop()
        raise Undecided(ChanceDraw(label, tuple(range(1, faces + 1)), (), (1,) * count))

    def deck(self, label: str, items: Sequence[T]) -> list[T]:
        """Return a deck of which each card is decided when it is drawn."""
        return _Deck(self, label, items)


class _Dice(list[int]):
    """Dice that are rolled when they are read."""

    __slots__ = ("chance", "faces", "label")

    def __init__(self, chance: OpenChance, label: str, faces: int) -> None:
        self.chance = chance
        self.label = label
        self.faces = faces

    # A list can be read by index and by slice, with different types: hence Any.
    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        if isinstance(at, slice):
            return self.chance.roll(self.label, at.stop - at.start, self.faces)
        return self.chance.roll(self.label, 1, self.faces)[0]

    def __reduce__(self) -> tuple[type[_Dice], tuple[OpenChance, str, int]]:
        return _Dice, (self.chance, self.label, self.faces)


class _Deck(list[T]):
    """A deck in no order yet: `pop` draws any of its cards."""

    __slots__ = ("chance", "label")

    def __init__(self, chance: OpenChance, label: str, items: Sequence[T]) -> None:
        super().__init__(sorted(items))  # type: ignore[type-var]  # cards can be sorted
        self.chance = chance
        self.label = label

    def pop(self, index: SupportsIndex = -1) -> T:
        (card,) = self.chance.draw(self.label, self, 1)
        self.remove(card)
        return card

    def copy(self) -> _Deck[T]:
        return _Deck(self.chance, self.label, self)

    def __reduce__(self) -> tuple[type[_Deck[T]], tuple[OpenChance, str, list[T]]]:
        return _Deck, (self.chance, self.label, list(self))
