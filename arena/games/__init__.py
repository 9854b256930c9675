"""The rules of the games: pure, deterministic, without clock, file or network.

Public API: the names below; `conformance.check_game`, which checks a new game; and in each game,
`GAME` and the modules that define views and actions: `view`, `events`, `parameters`, `cards`, and
where they exist `actions`, `dice` and `scoring`. Everything else may change in any release,
including the attributes of a game's state class. README.md (`arena docs games`) has examples.
"""

from arena.games.core import NOBODY, Game, State
from arena.games.outcome import Ending, Outcome
from arena.games.randomness import Chance, Seed, Source, derive, seed_from
from arena.games.registry import GAME_IDS, AnyGame, all_games, game_named, parameters_from

__all__ = [
    "GAME_IDS",
    "NOBODY",
    "AnyGame",
    "Chance",
    "Ending",
    "Game",
    "Outcome",
    "Seed",
    "Source",
    "State",
    "all_games",
    "derive",
    "game_named",
    "parameters_from",
    "seed_from",
]
