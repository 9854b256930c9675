"""The types of the codec in C, which `native/` contains."""

from collections.abc import Callable
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
        outer: tuple[int, ...],
        /,
    ) -> None: ...
    def write(self, record: Any, /) -> bytes: ...
    def read(self, data: bytes, /, *context: Any) -> Any: ...
