"""Tournaments between untrusted bots at four hidden-information tabletop games.

>>> import arena
>>> arena.play_match("meow", ["greedy-meow", "random"], seed=7).places
(1, 2)

`arena docs python` describes the names in `__all__`.
"""

from __future__ import annotations

# Without `typing`, which takes longer to import than all else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from arena.api.checks import check
    from arena.api.comparison import compare
    from arena.api.league import League, open_league
    from arena.api.matches import play_match, play_matches
    from arena.api.replay import Replay, read_replay
    from arena.tournament.spec import Kind, Spec

__version__ = "0.1.0"
__all__ = [
    "Kind",
    "League",
    "Replay",
    "Spec",
    "check",
    "compare",
    "open_league",
    "play_match",
    "play_matches",
    "read_replay",
]

# Imported on first use: every bot imports this package.
_MODULES = {
    "Kind": "tournament.spec",
    "League": "api.league",
    "Replay": "api.replay",
    "Spec": "tournament.spec",
    "check": "api.checks",
    "compare": "api.comparison",
    "open_league": "api.league",
    "play_match": "api.matches",
    "play_matches": "api.matches",
    "read_replay": "api.replay",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Imported here: every bot imports this package.
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
