"""A game's codec: its parameters, views, events and actions on the wire."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from arena.wire.fields import Memo, write_delimited
from arena.wire.message import Message, OneOf, read_only_field
from arena.wire.v1.match_fields import MESSAGES

CONTEXT = 4
"""Number of leading fields of every view that are not sent: parameters, seats, seat, to_act."""

# Views, events and parameters have different types in each game: hence Any.


class Codec:
    """One game's values on the wire."""

    def __init__(
        self,
        game_id: str,
        parameters: Message[Any],
        view: Message[Any],
        event: OneOf,
        write_action: Callable[[int], bytes],
        read_action: Callable[[Any], int | None],
    ) -> None:
        """Take a game's messages.

        `write_action` writes an action as the game's own message; `read_action` returns the action
        in a generated message, or None if it names none.
        """
        (number,) = {MESSAGES[name][game_id][0] for name in ("Parameters", "View", "Event")}
        self.number: int = number
        """The game's field in the messages `Parameters`, `View` and `Event`."""
        self.action_number = MESSAGES["Action"][game_id][0]
        """The game's field in the message `Action`."""
        self.parameters = parameters
        self.view = view
        self.event = event
        self.write_action = write_action
        self.read_action = read_action
        # Most parameters and events recur. The type of an event is part of the key, because tuples
        # of two kinds with the same values are equal.
        self._parameters: Memo[Any, bytes] = Memo(self._write_parameters)
        self._events: Memo[tuple[type[Any], Any], bytes] = Memo(self._write_event)

    def _write_parameters(self, parameters: Any) -> bytes:
        return write_delimited(self.number, self.parameters.write(parameters.values()))

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
