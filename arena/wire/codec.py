"""A game's codec: its parameters, views, events and actions on the wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from arena.errors import BadText
from arena.games.registry import AnyGame, game_named
from arena.wire.backend import IN_USE, Backend
from arena.wire.envelope import INDEX
from arena.wire.fields import Memo, write_delimited, write_number
from arena.wire.message import Wrapped
from arena.wire.records import message_of, one_of

FIELDS: Mapping[str, int] = {"trio": 1, "jackal": 2, "meow": 3, "lifeislife": 4}
"""The field of each of our games in the messages `Parameters`, `View` and `Event`."""
OTHER = 5
"""The field of games that other packages bring."""
CONTEXT = 4
"""Number of leading fields of every view that are not sent: parameters, seats, seat, to_act."""

# Views, events and parameters have different types in each game: hence Any.


class Codec:
    """The values of a game on the wire."""

    def __init__(self, game: AnyGame, backend: Backend) -> None:
        """Describe the game's records, and take the functions of the backend."""
        number = FIELDS.get(game.id, OTHER)
        of_parameters, of_view, of_event = (
            backend.coder(Wrapped(number, message))
            for message in (
                message_of(type(game.default_parameters)),
                message_of(game.view_type, CONTEXT),
                one_of(tuple(game.event_types.values())),
            )
        )
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
        self._actions = import_module(f"arena.wire.{game.id}") if game.id in FIELDS else None
        self._action_number = number + 1

    def action_bytes(self, action: int) -> bytes:
        """Write a message `Action`: with the game's own message if it has one, else the number."""
        if self._actions is None:
            return write_number(INDEX, action)
        return write_delimited(self._action_number, self._actions.write_action(action))

    def read_action(self, message: Any) -> int | None:
        """Return the action in a generated message of our game; None if it names none."""
        assert self._actions, "only our own games have messages for actions"
        action: int | None = self._actions.read_action(message)
        return action


@lru_cache
def codec_of(game_id: str, backend: Backend = IN_USE) -> Codec:
    """Return the codec of a game."""
    return Codec(game_named(game_id), backend)


def action_in_text(game: AnyGame, text: str) -> int | None:
    """Return the action that a text names in a game's notation; None if it names none."""
    try:
        return game.parse_action(text)
    except BadText:
        return None
