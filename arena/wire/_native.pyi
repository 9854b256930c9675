"""The types of the codec in C, which `native/` contains."""

from collections.abc import Callable, Sequence
from typing import Any

INTERFACE: int

class Message:
    def __init__(
        self,
        make: Callable[..., Any] | None,
        is_plain: bool,
        split: Callable[[Any], tuple[Any, ...]] | None,
        context: int,
        fields: tuple[tuple[Any, ...], ...],
        /,
    ) -> None: ...
    def write(self, record: Any, /) -> bytes: ...
    def read(self, data: bytes, /, *context: Any) -> Any: ...

class OneOf:
    def __init__(self, kinds: tuple[tuple[type[Any], int, Message], ...], /) -> None: ...

class Wrapped:
    def __init__(self, number: int, inner: Message | OneOf, /) -> None: ...
    def write(self, record: Any, /) -> bytes: ...
    def read(self, data: bytes, /, *context: Any) -> Any: ...

class Decisions:
    def __init__(self, *tags: int) -> None: ...
    def write(
        self, requests: Sequence[Any], actions: Sequence[int], notes: Sequence[str] = (), /
    ) -> bytes: ...
    def read(self, data: bytes, /) -> list[tuple[int, int, int, str]] | None: ...
