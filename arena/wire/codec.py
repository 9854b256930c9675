"""A game's codec: its parameters, views, events and actions on the wire."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass, field
from importlib import import_module
from typing import Any

from arena.wire.fields import Memo, write_delimited
from arena.wire.message import Message, OneOf, read_only_field
from arena.wire.v1.match_fields import MESSAGES

CONTEXT = 4
"""Number of leading fields of every view that are not sent: parameters, seats, seat, to_act."""

# Views, events and parameters have different types in each game: hence Any.


@dataclass(frozen=True, slots=True)
class Codec:
    """One game's values on the wire."""

    game_id: str
    parameters: Message[Any]
    view: Message[Any]
    event: OneOf
    write_action: Callable[[int], bytes]
    """Write an action as the game's own message."""
    read_action: Callable[[Any], int | None]
    """Return the action in a generated message; None if it names none."""

    number: int = field(init=False)
    """The game's field in the messages `Parameters`, `View` and `Event`."""
    action_number: int = field(init=False)
    """The game's field in the message `Action`."""
    _parameters: Memo[Any, bytes] = field(init=False)
    _events: Memo[tuple[type[Any], Any], bytes] = field(init=False)
    """The type is part of the key, because tuples of two kinds with the same values are equal."""

    def __post_init__(self) -> None:
        """Look up the game's fields; cache parameters and events, because most recur."""
        (number,) = {MESSAGES[name][self.game_id][0] for name in ("Parameters", "View", "Event")}
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "action_number", MESSAGES["Action"][self.game_id][0])
        object.__setattr__(self, "_events", Memo(self._write_event))
        object.__setattr__(self, "_parameters", Memo(self._write_parameters))

    def _write_parameters(self, parameters: Any) -> bytes:
        return write_delimited(self.number, self.parameters.write(astuple(parameters)))

    def _write_event(self, key: tuple[type[Any], Any]) -> bytes:
        return write_delimited(self.number, self.event.write(key[1]))

    def parameters_bytes(self, parameters: Any) -> bytes:
        """Write a message `Parameters`."""
        return self._parameters[parameters]

    def view_bytes(self, view: Any) -> bytes:
        """Write a message `View`."""
        return write_delimited(self.number, self.view.write(view))

    def event_bytes(self, event: Any) -> bytes:
        """Write a message `Event`."""
        return self._events[type(event), event]

    def parameters_in(self, data: bytes) -> Any:
        """Read a message `Parameters`."""
        return self.parameters.read(read_only_field(data)[1])

    def view_in(self, data: bytes, *context: Any) -> Any:
        """Read a message `View`; `context` is the values of the fields that both ends know."""
        return self.view.read(read_only_field(data)[1], *context)

    def event_in(self, data: bytes) -> Any:
        """Read a message `Event`."""
        return self.event.read(read_only_field(data)[1])

    def action_bytes(self, action: int) -> bytes:
        """Write a message `Action` that holds the game's own message."""
        return write_delimited(self.action_number, self.write_action(action))


def codec_of(game_id: str) -> Codec:
    """Return the codec of a game."""
    codec: Codec = import_module(f"arena.wire.{game_id}").CODEC
    return codec
