"""A game's codec: its parameters, views, events and actions on the wire."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol

from arena.games.registry import GAME_IDS, game_named
from arena.wire.backend import IN_USE, PYTHON, Backend
from arena.wire.fields import Memo, write_delimited
from arena.wire.message import Message, OneOf, Wrapped
from arena.wire.text import TextCodec
from arena.wire.v1.match_fields import MESSAGES

CONTEXT = 4
"""Number of leading fields of every view that are not sent: parameters, seats, seat, to_act."""

# Views, events and parameters have different types in each game: hence Any.


class GameCodec(Protocol):
    """Writes and reads one game's values: each function returns or takes one message."""

    @property
    def parameters_bytes(self) -> Callable[[Any], bytes]:
        """Write a message `Parameters`."""
        ...

    @property
    def parameters_in(self) -> Callable[[bytes], Any]:
        """Read a message `Parameters`."""
        ...

    @property
    def view_bytes(self) -> Callable[[Any], bytes]:
        """Write a message `View`."""
        ...

    @property
    def view_in(self) -> Callable[..., Any]:
        """Read a message `View`, given the values of the fields that both ends know."""
        ...

    @property
    def event_bytes(self) -> Callable[[Any], bytes]:
        """Write a message `Event`."""
        ...

    @property
    def event_in(self) -> Callable[[bytes], Any]:
        """Read a message `Event`."""
        ...

    @property
    def action_bytes(self) -> Callable[[int], bytes]:
        """Write a message `Action` that holds the game's own message or text."""
        ...


class Codec:
    """The values of one of our own games on the wire, each as a message of the game."""

    def __init__(
        self,
        game_id: str,
        parameters: Message[Any],
        view: Message[Any],
        event: OneOf,
        write_action: Callable[[int], bytes],
        read_action: Callable[[Any], int | None],
        backend: Backend = PYTHON,
    ) -> None:
        """Look up the game's fields, and take the functions of the backend."""
        (number,) = {MESSAGES[name][game_id][0] for name in ("Parameters", "View", "Event")}
        self.messages = parameters, view, event
        self.action_number = MESSAGES["Action"][game_id][0]
        """The game's field in the message `Action`."""
        self.game_id = game_id
        self.backend = backend
        self.write_action = write_action
        """Write an action as the game's own message."""
        self.read_action = read_action
        """Return the action in a generated message; None if it names none."""
        of_parameters, of_view, of_event = (
            backend.coder(Wrapped(number, message)) for message in self.messages
        )
        # Most matches have the same parameters.
        written: Memo[Any, bytes] = Memo(lambda record: of_parameters.write(record.values()))
        self.parameters_bytes: Callable[[Any], bytes] = written.__getitem__
        """Write a message `Parameters`."""
        self.parameters_in: Callable[[bytes], Any] = of_parameters.read
        """Read a message `Parameters`."""
        self.view_bytes: Callable[[Any], bytes] = of_view.write
        """Write a message `View`."""
        self.view_in: Callable[..., Any] = of_view.read
        """Read a message `View`, given the values of the fields that both ends know."""
        self.event_bytes: Callable[[Any], bytes] = (
            _cached_by_type(of_event.write) if backend is PYTHON else of_event.write
        )
        """Write a message `Event`."""
        self.event_in: Callable[[bytes], Any] = of_event.read
        """Read a message `Event`."""

    def on(self, backend: Backend) -> Codec:
        """Return the same codec on another backend."""
        return Codec(self.game_id, *self.messages, self.write_action, self.read_action, backend)

    def action_bytes(self, action: int) -> bytes:
        """Write a message `Action` that holds the game's own message."""
        return write_delimited(self.action_number, self.write_action(action))


def _cached_by_type(write: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """Cache what is written for an event: most recur, and the codec in Python is slow.

    The type is part of the key, because tuples of two kinds with the same values are equal.
    """
    written: Memo[tuple[type[Any], Any], bytes] = Memo(lambda key: write(key[1]))
    return lambda event: written[type(event), event]


@lru_cache
def own_codec(game_id: str, backend: Backend = IN_USE) -> Codec:
    """Return the codec of one of our own games."""
    codec: Codec = import_module(f"arena.wire.{game_id}").CODEC
    return codec.on(backend)


@lru_cache
def codec_of(game_id: str) -> GameCodec:
    """Return the codec of a game; those of other packages are sent as text."""
    return own_codec(game_id) if game_id in GAME_IDS else TextCodec(game_named(game_id))
