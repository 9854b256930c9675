"""Which codec and which gRPC driver are in use, as far as there is a choice."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

CODEC = "ARENA_CODEC"
"""The environment variable that chooses a codec: `python` or `native`."""


def backends() -> dict[str, str]:
    """Return the names of the codec and of the driver."""
    backend = _backend_module()
    connection = import_module("arena.referee.players.connection")
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
