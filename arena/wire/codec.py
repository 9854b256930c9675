"""What does the wire need to know of a game?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from importlib import import_module
from typing import Any

from arena.wire.fields import Bytes, Message, OneOf, delimited

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
    write_action: Callable[[int], Bytes]
    """Write an action in the game's own words."""
    read_action: Callable[[Any], int | None]
    """Make the action of a generated message; None if it names none."""

    def parameters_bytes(self, parameters: Any) -> Bytes:
        """Write a message `Parameters`."""
        return delimited(self.number, self.parameters.write(astuple(parameters)))

    def view_bytes(self, view: Any) -> Bytes:
        """Write a message `View`."""
        return delimited(self.number, self.view.write(view))

    def event_bytes(self, event: Any) -> Bytes:
        """Write a message `Event`."""
        return delimited(self.number, self.event.write(event))

    def action_bytes(self, action: int) -> Bytes:
        """Write a message `Action` in the game's own words."""
        return delimited(self.action_number, self.write_action(action))


def codec_of(game_id: str) -> Codec:
    """Return the codec of a game."""
    codec: Codec = import_module(f"arena.wire.{game_id}").CODEC
    return codec
