"""Choose between the codec in C and the one in Python.

Both write the same bytes and read the same values. The one in C is several times as fast, but it
exists only where it could be compiled when the package was installed. The environment variable
`ARENA_CODEC` forces one of them: `python` or `native`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from arena.errors import BadInput, PlatformError
from arena.wire.message import Coder, Message

VARIABLE = "ARENA_CODEC"
REMEDY = "install a C compiler and the headers of Python, then install this package again"

# Records have different types in each game: hence Any.


class UnknownCodec(BadInput):
    """The environment variable names no codec."""


class MissingCodec(PlatformError):
    """The codec in C was requested, but it is not built."""


class Backend(NamedTuple):
    """One implementation of the codec."""

    name: str
    coder: Callable[[Message[Any]], Coder[Any]]
    """Returns what writes and reads the described message."""


PYTHON = Backend("python", lambda described: described)


def native_backend() -> Backend | None:
    """Return the codec in C, or None if it is not built."""
    try:
        from arena.wire.compiled import compiled
    except ImportError:
        return None
    return Backend("native", compiled)


def choose_backend(wanted: str | None) -> Backend:
    """Return the codec with this name; without a name, the fastest."""
    if wanted not in (None, "", "python", "native"):
        raise UnknownCodec(f"{VARIABLE}={wanted}: there are two codecs, python and native")
    native = None if wanted == "python" else native_backend()
    if wanted == "native" and native is None:
        raise MissingCodec(f"{VARIABLE}=native, but the codec in C is not built: {REMEDY}")
    return native or PYTHON


IN_USE = choose_backend(os.environ.get(VARIABLE))
