"""Which codec and which gRPC driver are in use."""

from __future__ import annotations

import os

from arena.referee.players.connection import chosen_driver
from arena.wire.backend import IN_USE, VARIABLE, native_backend


def backends() -> dict[str, str]:
    """Return the names of the codec and of the driver."""
    return {"codec": IN_USE.name, "driver": chosen_driver().value}


def available_codecs() -> tuple[str, ...]:
    """Return the names of the codecs that are installed."""
    return ("python", "native") if native_backend() else ("python",)


def bot_environment() -> dict[str, str]:
    """Return the variables that a bot needs to use the same codec; a cage passes none by itself."""
    return {VARIABLE: os.environ[VARIABLE]} if VARIABLE in os.environ else {}
