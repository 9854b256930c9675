"""Which codec and which gRPC driver are in use, as far as there is a choice."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import Any

from arena.referee.players import connection
from arena.wire import envelope

CODEC = "ARENA_CODEC"
"""The environment variable that chooses a codec: `python` or `native`."""


# Without a choice of drivers and codecs, these have other names; hence Any.
listen: Any = getattr(connection, "listen", connection.Connection)
"""Returns a connection that listens on a socket, given a function to call when it ends."""
write_decisions: Any = getattr(envelope.decisions, "write", envelope.decisions)
"""Writes a bot's answers, given its requests and the actions."""


def backends() -> dict[str, str]:
    """Return the names of the codec and of the driver."""
    backend = _backend_module()
    chosen_driver = getattr(connection, "chosen_driver", None)
    return {
        "codec": backend.IN_USE.name if backend else "python",
        "driver": chosen_driver().value if chosen_driver else "grpcio",
    }


def available_codecs() -> tuple[str, ...]:
    """Return the names of the codecs that are installed."""
    backend = _backend_module()
    return ("python", "native") if backend and backend.native_backend() else ("python",)


def bot_environment() -> dict[str, str]:
    """Return the variables that a bot needs to use the same codec; a cage passes none by itself."""
    return {CODEC: os.environ[CODEC]} if CODEC in os.environ else {}


def _backend_module() -> ModuleType | None:
    try:
        return import_module("arena.wire.backend")
    except ModuleNotFoundError:
        return None
