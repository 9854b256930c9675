"""Turn the descriptions in `message` into objects of the codec in C.

Importing this module fails with ImportError if the extension has not been built, or was built from
sources that do not fit this module.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from arena.wire import _native
from arena.wire.fields import Field
from arena.wire.message import Message, SingleField, as_tuple

_INTERFACE = 5
"""Increase it here and in native/module.c whenever one of them no longer fits older ones."""
if _native.INTERFACE != _INTERFACE:
    raise ImportError("the codec in C was built from other sources: install this package again")

# Records have different types in each game: hence Any.


@cache
def compiled(described: Message[Any] | SingleField[Any]) -> _native.Message:
    """Return an object that writes and reads the same as `described`."""
    if isinstance(described, SingleField):
        return _native.Message(None, False, None, 0, (_field(described.field),), ())
    fields = tuple(map(_field, described.fields))
    make = tuple if described.make is as_tuple else described.make
    is_plain = make is tuple or _is_plain(make, described.context + len(fields))
    return _native.Message(
        make, is_plain, described.split, described.context, fields, described.outer
    )


def _is_plain(make: Any, size: int) -> bool:
    """Return whether a record is a named tuple with exactly these values.

    Then the codec makes the tuple itself, which is faster than calling the class.
    """
    return (
        isinstance(make, type)
        and make.__bases__ == (tuple,)
        and len(getattr(make, "_fields", ())) == size
    )


def _field(field: Field[Any]) -> tuple[Any, ...]:
    message = None if field.message is None else compiled(field.message)
    return (
        field.tag,
        field.kind,
        field.default,
        message,
        tuple(field.members),
        field.shifts,
        field.mask,
    )
