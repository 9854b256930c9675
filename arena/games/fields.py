"""Mutable objects that declare their fields once: copies and comparisons follow from that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

from arena.games.randomness import Chance

# A field may be of any type: hence Any.


class Fields:
    """An object that consists of the fields that its class annotates.

    A class with `__slots__ = tuple(__annotations__)` gets a method `copy`. It copies the fields
    that are annotated as lists, lists of lists, dicts and sets, and shares all others.
    """

    __slots__ = ()

    _not_copied: ClassVar[tuple[str, ...]] = ()
    """Fields that are None in a copy."""
    _not_compared: ClassVar[tuple[str, ...]] = ()
    """Fields that `truth` leaves out: they follow from others, or are not decided yet."""

    def copy(self) -> Self:
        """Return an independent object."""
        return self._copy_fields()

    def _copy_fields(self) -> Self:
        """Do what `copy` does, for a class that has to copy something else, too."""
        raise NotImplementedError(f"{type(self).__name__} has no __slots__")

    def __init_subclass__(cls) -> None:
        """Write `_copy_fields`, and let `copy` be the same unless the class has its own."""
        super().__init_subclass__()
        # A method is not meant to be replaced: hence Any.
        made: Any = cls
        if vars(cls).get("__slots__"):
            made._copy_fields = _copy_function(cls)
            if "copy" not in vars(cls):
                made.copy = made._copy_fields

    def truth(self) -> tuple[object, ...]:
        """Return everything decided so far, hidden or not, as one hashable value.

        The seed, which determines everything still undecided, is not part of it.
        """
        names = [*_fields_of(type(self)), *getattr(self, "__dict__", ())]
        held = [getattr(self, name) for name in names if name not in self._not_compared]
        return tuple(_hashable(value) for value in held if not isinstance(value, Chance))


def _fields_of(cls: type) -> dict[str, str]:
    """Return the slots of a class and its bases, with their annotations."""
    return {
        name: base.__annotations__.get(name, "")
        for base in reversed(cls.__mro__)
        for name in vars(base).get("__slots__", ())
    }


def _copy_function(cls: Any) -> Callable[[Any], Any]:
    # Written out field by field, as dataclasses do: a loop takes three times as long.
    lines = ["def copy(self):", "new = make(cls)"]
    for name, hint in _fields_of(cls).items():
        value = f"self.{name}"
        if hint.startswith("list[list["):
            value = f"[each.copy() for each in {value}]"
        elif hint.startswith(("list[", "dict[", "set[")):
            value += ".copy()"
        lines.append(f"new.{name} = {None if name in cls._not_copied else value}")
    scope: dict[str, Any] = {"make": cls.__new__, "cls": cls}
    exec("\n ".join([*lines, "return new"]), scope)
    function: Callable[[Any], Any] = scope["copy"]
    return function


def _hashable(value: object) -> object:
    if isinstance(value, Fields):
        return value.truth()
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value
