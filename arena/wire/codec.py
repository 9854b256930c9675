"""A game's codec: its parameters, views, events and actions on the wire."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from typing import Any

from arena.wire.backend import IN_USE, PYTHON, Backend
from arena.wire.fields import Memo, write_delimited
from arena.wire.message import Message, OneOf, Wrapped
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
    backend: Backend = PYTHON

    action_number: int = field(init=False)
    """The game's field in the message `Action`."""
    parameters_bytes: Callable[[Any], bytes] = field(init=False)
    """Write a message `Parameters`."""
    parameters_in: Callable[[bytes], Any] = field(init=False)
    """Read a message `Parameters`."""
    view_bytes: Callable[[Any], bytes] = field(init=False)
    """Write a message `View`."""
    view_in: Callable[..., Any] = field(init=False)
    """Read a message `View`, given the values of the fields that both ends know."""
    event_bytes: Callable[[Any], bytes] = field(init=False)
    """Write a message `Event`."""
    event_in: Callable[[bytes], Any] = field(init=False)
    """Read a message `Event`."""

    def __post_init__(self) -> None:
        """Look up the game's fields, and take the functions of the backend."""
        (number,) = {MESSAGES[name][self.game_id][0] for name in ("Parameters", "View", "Event")}
        parameters, view, event = (
            self.backend.coder(Wrapped(number, inner))
            for inner in (self.parameters, self.view, self.event)
        )
        # Most matches have the same parameters, and `astuple` is slow.
        written: Memo[Any, bytes] = Memo(lambda record: parameters.write(astuple(record)))
        functions = {
            "action_number": MESSAGES["Action"][self.game_id][0],
            "parameters_bytes": written.__getitem__,
            "parameters_in": parameters.read,
            "view_bytes": view.write,
            "view_in": view.read,
            "event_bytes": event.write,
            "event_in": event.read,
        }
        for name, function in functions.items():
            object.__setattr__(self, name, function)

    def action_bytes(self, action: int) -> bytes:
        """Write a message `Action` that holds the game's own message."""
        return write_delimited(self.action_number, self.write_action(action))


@lru_cache
def codec_of(game_id: str, backend: Backend = IN_USE) -> Codec:
    """Return the codec of a game."""
    codec: Codec = import_module(f"arena.wire.{game_id}").CODEC
    return replace(codec, backend=backend)
