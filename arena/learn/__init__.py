"""Our games in the forms that learning programs use. README.md (`arena docs learn`) has examples.

`arena.learn.vector` plays many matches at once with numpy arrays. `arena.learn.pettingzoo` and
`arena.learn.gym` are environments of PettingZoo and Gymnasium, and `arena.learn.openspiel` adds our
games to OpenSpiel. All of them need the extra `learn`, and nothing else of the arena imports them.
"""

from __future__ import annotations

from importlib import import_module

from arena.errors import ArenaError


class ExtraMissing(ArenaError, ImportError):
    """A package of the extra `learn` is not installed."""


def need(package: str, user: str) -> None:
    """Raise an error if a package that `user` imports next is missing."""
    try:
        import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise ExtraMissing(
            f"{user} needs {package}, which is not installed: pip install 'arena-league[learn]'"
        ) from None
