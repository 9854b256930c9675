"""The wire form of games that other packages bring: everything is text, in the game's notation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from arena.errors import ArenaError, BadText
from arena.games.forms import Form
from arena.games.registry import AnyGame
from arena.wire.fields import Malformed, write_delimited
from arena.wire.message import read_only_field
from arena.wire.v1.match_fields import MESSAGES

FIELD = "text"
"""The field of such games in the messages `Parameters`, `View`, `Event` and `Action`."""

# Views, events and parameters have different types in each game: hence Any.


class TextCodec:
    """One game's values on the wire, as text."""

    def __init__(self, game: AnyGame) -> None:
        """Take the forms of the game."""
        self.game_id = game.id
        self.parameters_bytes = _writer("Parameters", game.parameters_form)
        self.parameters_in: Callable[[bytes], Any] = partial(_read, game.parameters_form)
        self.view_bytes = _writer("View", game.view_form)
        self.event_bytes = _writer("Event", game.event_form)
        self.event_in: Callable[[bytes], Any] = partial(_read, game.event_form)
        self.action_bytes = _writer("Action", game.action_form)
        self._view_form = game.view_form

    def view_in(self, data: bytes, *context: Any) -> Any:
        """Read a message `View`; the text has all fields, so it needs no context."""
        return _read(self._view_form, data)


def _writer(message: str, form: Form[Any]) -> Callable[[Any], bytes]:
    number, _ = MESSAGES[message][FIELD]
    return lambda value: write_delimited(number, form.show(value).encode())


def _read(form: Form[Any], data: bytes) -> Any:
    try:
        return form.read(read_only_field(data)[1].decode())
    except (ArenaError, UnicodeDecodeError) as error:
        raise Malformed from error


def action_in_text(game: AnyGame, text: str) -> int | None:
    """Return the action that a text names in a game's notation; None if it names none."""
    try:
        return game.parse_action(text)
    except BadText:
        return None
