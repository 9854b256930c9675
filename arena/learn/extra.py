"""Say what to install if the packages of the extra `learn` are missing."""

from __future__ import annotations

from importlib import import_module

from arena.errors import ArenaError


class ExtraMissing(ArenaError, ImportError):
    """A package of the extra `learn` is not installed."""


def need(package: str, user: str) -> None:
    """Refuse to go on without a package that `user` imports next."""
    try:
        import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise ExtraMissing(
            f"{user} needs {package}, which is not installed: pip install 'arena-league[learn]'"
        ) from None
