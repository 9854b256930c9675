"""Views as tensors for a game that has no `tensor` module: field by field, as they are declared.

A number is one float; an enum or a symbol has a 1 for its value among zeros; a set of cards has one
float for each card. A tuple has room for as many items as `UpTo` says, and zeros where there are
fewer. Unlike the tensors of our games, seats are not counted from the view's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import partial
from typing import Any, NamedTuple, get_args, get_origin

from arena.errors import BadInput
from arena.games.notation import (
    Audience,
    Packed,
    Symbol,
    UpTo,
    hints_of,
    is_record,
    optional_type,
    private_fields,
    split_hint,
)
from arena.games.registry import AnyGame
from arena.games.tensors import Encoder, floats

# Views and their values have different types in each game: hence Any.


class _Piece(NamedTuple):
    """The floats of one kind of value."""

    size: int
    write: Callable[[Any], Iterable[float]]


class PlainEncoder(Encoder[Any]):
    """Writes the views of any game."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        """Lay out the fields: the parameters, what all may know, and what this seat may know."""
        private = private_fields(game.view_type)
        audiences = {
            name: Audience.PRIVATE if name in private else Audience.PUBLIC
            for name in game.view_type._fields
        }
        audiences["parameters"] = Audience.RULES
        order = list(Audience)
        names = sorted(audiences, key=lambda name: order.index(audiences[name]))
        view_type: Any = game.view_type
        hints = hints_of(view_type)
        self._pieces = {name: _piece(hints[name], f"{game.id}: {name}") for name in names}
        super().__init__(
            game,
            seats,
            [
                (name, audiences[name], piece.size, "the field of the view, as declared")
                for name, piece in self._pieces.items()
            ],
        )

    def pieces(self, view: Any) -> list[bytes]:
        """Return the bytes of a tensor in pieces."""
        return [floats(*piece.write(getattr(view, name))) for name, piece in self._pieces.items()]


def _piece(hint: Any, name: str) -> _Piece:
    kind, marks = split_hint(hint)
    for mark in marks:
        if isinstance(mark, Packed):
            cards = mark.item.values
            return _Piece(len(cards), partial(_write_set, cards))
    if kind in (int, bool):
        return _Piece(1, lambda value: (float(value),))
    if isinstance(kind, type) and issubclass(kind, Symbol | Enum):
        members = list(kind.values if issubclass(kind, Symbol) else kind)
        return _Piece(len(members), lambda value: [float(value == each) for each in members])
    if is_record(kind):
        pieces = {
            field: _piece(inner, f"{name}: {field}") for field, inner in hints_of(kind).items()
        }
        return _Piece(sum(piece.size for piece in pieces.values()), partial(_write_record, pieces))
    if present := optional_type(kind):
        return _several(_piece(present, name), 1, lambda value: () if value is None else (value,))
    if get_origin(kind) is tuple:
        most = next((mark.items for mark in marks if isinstance(mark, UpTo)), 0)
        if most:
            return _several(_piece(get_args(kind)[0], name), most, tuple)
    raise BadInput(f"{name}: a tensor needs its size: annotate a tuple with UpTo, others as Symbol")


def _write_set(cards: Iterable[int], packed: int) -> list[float]:
    return [packed >> card & 1 for card in cards]


def _write_record(pieces: dict[str, _Piece], record: Any) -> list[float]:
    return [each for name, piece in pieces.items() for each in piece.write(getattr(record, name))]


def _several(item: _Piece, most: int, items: Callable[[Any], Sequence[Any]]) -> _Piece:
    def write(value: Any) -> list[float]:
        written = [each for one in items(value) for each in (1.0, *item.write(one))]
        return written + [0.0] * (size - len(written))

    size = most * (1 + item.size)
    return _Piece(size, write)
