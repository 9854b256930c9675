"""The base class of a game's parameters.

It behaves like a frozen dataclass. But every bot imports the parameters of its games, and importing
`dataclasses` would take longer than importing everything else that a bot needs.
"""

from __future__ import annotations

from typing import Any, ClassVar, dataclass_transform

# Each parameter has its own type, hence Any.


@dataclass_transform(frozen_default=True)
class BaseParameters:
    """Values that are fixed for a match. A subclass annotates each, and gives it a default."""

    _names: ClassVar[tuple[str, ...]] = ()
    brief: ClassVar[tuple[str, ...]] = ()
    """The values that are written only if they are set: empty or 0 means as the rules say."""

    def __init_subclass__(cls) -> None:
        """Take the names from the annotations."""
        cls._names = tuple(cls.__annotations__)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take the values by position or by name; the others have their defaults."""
        given = dict(zip(self._names, args, strict=False)) | kwargs
        if len(given) < len(args) + len(kwargs) or not given.keys() <= set(self._names):
            names = ", ".join(self._names)
            raise TypeError(f"parameters are {names}, each given once; got {args} and {kwargs}")
        self.__dict__.update({name: getattr(self, name) for name in self._names} | given)
        self.check()

    def check(self) -> None:
        """Raise `BadParameter` for values that the rules do not allow."""

    def values(self) -> tuple[Any, ...]:
        """Return all values, in the order of their declaration."""
        return tuple(self.__dict__.values())

    def named_values(self) -> dict[str, Any]:
        """Return all values by their names."""
        return dict(self.__dict__)

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse to change a value."""
        raise AttributeError(f"cannot change {name}: parameters are fixed for a match")

    def __eq__(self, other: object) -> bool:
        """Compare the values with those of parameters of the same class."""
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        """Hash the values."""
        return hash(self.values())

    def __repr__(self) -> str:
        """Show the class and all values."""
        values = ", ".join(
            f"{name}={value!r}"
            for name, value in self.__dict__.items()
            if value or name not in self.brief
        )
        return f"{type(self).__name__}({values})"
