"""What does the wire need to know of a game?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass, field
from importlib import import_module
from typing import Any

from arena.wire.composite import Message, OneOf, opened
from arena.wire.fields import Memo, delimited

CONTEXT = 4
"""Every view begins with parameters, seats, seat and to_act: both ends know them."""

# Views, events and parameters are of each game's own types: hence Any.


@dataclass(frozen=True, slots=True)
class Codec:
    """One game's values on the wire."""

    number: int
    """The game's field in the messages `Parameters`, `View` and `Event`."""
    action_number: int
    """The game's field in the message `Action`."""
    parameters: Message[Any]
    view: Message[Any]
    event: OneOf
    write_action: Callable[[int], bytes]
    """Write an action in the game's own words."""
    read_action: Callable[[Any], int | None]
    """Make the action of a generated message; None if it names none."""

    _parameters: Memo[Any, bytes] = field(init=False)
    _events: Memo[tuple[type[Any], Any], bytes] = field(init=False)
    """By type as well, because events of two kinds with the same numbers in them are equal."""

    def __post_init__(self) -> None:
        """Begin to remember parameters and events: most are like one that was before."""
        object.__setattr__(self, "_events", Memo(self._write_event))
        object.__setattr__(self, "_parameters", Memo(self._write_parameters))

    def _write_parameters(self, parameters: Any) -> bytes:
        return delimited(self.number, self.parameters.write(astuple(parameters)))

    def _write_event(self, key: tuple[type[Any], Any]) -> bytes:
        return delimited(self.number, self.event.write(key[1]))

    def parameters_bytes(self, parameters: Any) -> bytes:
        """Write a message `Parameters`."""
        return self._parameters[parameters]

    def view_bytes(self, view: Any) -> bytes:
        """Write a message `View`."""
        return delimited(self.number, self.view.write(view))

    def event_bytes(self, event: Any) -> bytes:
        """Write a message `Event`."""
        return self._events[type(event), event]

    def parameters_in(self, data: bytes) -> Any:
        """Read a message `Parameters`."""
        return self.parameters.read(opened(data)[1])

    def view_in(self, data: bytes, *context: Any) -> Any:
        """Read a message `View`; `context` are the fields that both ends know."""
        return self.view.read(opened(data)[1], *context)

    def event_in(self, data: bytes) -> Any:
        """Read a message `Event`."""
        return self.event.read(opened(data)[1])

    def action_bytes(self, action: int) -> bytes:
        """Write a message `Action` in the game's own words."""
        return delimited(self.action_number, self.write_action(action))


def codec_of(game_id: str) -> Codec:
    """Return the codec of a game."""
    codec: Codec = import_module(f"arena.wire.{game_id}").CODEC
    return codec
