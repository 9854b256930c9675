"""A game's codec: its parameters, views, events and actions on the wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

from arena.errors import BadText
from arena.games.registry import AnyGame, game_named
from arena.wire.backend import IN_USE, Backend
from arena.wire.fields import Memo, cached, present, raw, text, uint, write_delimited, write_number
from arena.wire.message import Coder, Message, OneOf, as_tuple
from arena.wire.records import message_of

FIELDS: Mapping[str, int] = {"trio": 1, "jackal": 2, "meow": 3, "lifeislife": 4}
"""The field of each of our games in the messages `Parameters`, `View` and `Event`."""
OTHER = 5
"""The field of games that other packages bring."""
CONTEXT = 4
"""Number of leading fields of every view that are not sent: parameters, seats, seat, to_act."""
INDEX, TEXT = 1, 6
"""The fields of the message `Action` for an action's number, and for its text."""
NO_ACTION = -1
"""Stands for a message that names no action of the game; the rules reject it."""

# Views, events and parameters have different types in each game: hence Any.

index_bytes: Callable[[int], bytes] = cached(lambda action: write_number(INDEX, action))
"""Write a message `Action` with the number of an action."""


class Codec:
    """The values of a game on the wire."""

    def __init__(self, game: AnyGame, backend: Backend) -> None:
        """Describe the game's records, and take the functions of the backend."""
        number = FIELDS.get(game.id, OTHER)

        def coder(record: Any, *kind: int, context: int = 0) -> Coder[Any]:
            return backend.coder(message_of(record, context, (number, *kind)))

        of_parameters = coder(type(game.default_parameters))
        of_view = coder(game.view_type, context=CONTEXT)
        kinds = enumerate(game.event_types.values(), start=1)
        of_event = OneOf({record: (kind, coder(record, kind)) for kind, record in kinds})
        # Most matches have the same parameters.
        written: Memo[Any, bytes] = Memo(lambda record: of_parameters.write(record.values()))
        self.backend = backend
        self.parameters_bytes: Callable[[Any], bytes] = written.__getitem__
        """Write a message `Parameters`."""
        self.parameters_in: Callable[[bytes], Any] = of_parameters.read
        """Read a message `Parameters`."""
        self.view_bytes: Callable[[Any], bytes] = of_view.write
        """Write a message `View`."""
        self.view_in: Callable[..., Any] = of_view.read
        """Read a message `View`, given the values of the fields that both ends know."""
        self.event_bytes: Callable[[Any], bytes] = of_event.write
        """Write a message `Event`."""
        self.event_in: Callable[[bytes], Any] = of_event.read
        """Read a message `Event`."""
        self.action_in: Callable[[bytes], int | None] = cached(self._read_action)
        """Read a message `Action`: `NO_ACTION` if there is no such action, None if the message is
        not for this game."""
        self._game = game
        self._own_field = number + 1
        self._own = import_module(f"arena.wire.{game.id}") if game.id in FIELDS else None
        own = [present(raw(self._own_field))] if self._own else []
        self._action = Message(as_tuple, [present(uint(INDEX)), present(text(TEXT)), *own])

    def action_bytes(self, action: int) -> bytes:
        """Write a message `Action`: with the game's own message if it has one, else the number."""
        if self._messages is None:
            return index_bytes(action)
        return write_delimited(self._own_field, self._messages[action][0])

    @cached_property
    def _messages(self) -> list[tuple[bytes, ...]] | None:
        """The messages of each action in the game's own form; the first is written."""
        if self._own is None:
            return None
        return list(map(self._own.messages, range(self._game.action_count)))

    @cached_property
    def _own_actions(self) -> dict[Any, int]:
        """The actions by the values in their messages."""
        assert self._own is not None
        read, several = self._own.ACTION.read, enumerate(self._messages or ())
        return {read(data): action for action, messages in several for data in messages}

    def _read_action(self, message: bytes) -> int | None:
        number, words, *others = self._action.read(message)
        if number is not None:
            return int(number)
        if words is not None:
            try:
                return self._game.parse_action(words)
            except BadText:
                return NO_ACTION
        if self._own is None or others[0] is None:
            return None
        return self._own_actions.get(self._own.ACTION.read(others[0]), NO_ACTION)


@lru_cache
def codec_of(game_id: str, backend: Backend = IN_USE) -> Codec:
    """Return the codec of a game."""
    return Codec(game_named(game_id), backend)
