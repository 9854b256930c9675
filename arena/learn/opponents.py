"""Bots that play in this process, as opponents of a program that learns.

There is no cage, clock or socket: a bot's `choose` is called directly. Use bots that you trust.
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

from arena.errors import BadInput
from arena.games.randomness import Seed
from arena.games.registry import AnyGame, plays
from arena.records import bot_seed
from arena.sdk import Bot, Match
from arena.sdk.seated import SeatedBot
from arena.submission.lookup import find_bot
from arena.submission.manifest import Manifest

THINKING_S = 0.05
"""How long a bot that watches its clock should think about a decision."""


def bot_class(bot: str | type[Bot]) -> type[Bot]:
    """Return the class of a bot: a house bot, a folder or file with a bot in Python, or a class."""
    if isinstance(bot, type) and issubclass(bot, Bot):
        return bot
    if not isinstance(bot, str):
        raise BadInput(f"an opponent is the name of a bot, or a subclass of Bot, not {bot!r}")
    manifest = find_bot(bot)
    module = bot_module(manifest)
    classes = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type)
        and issubclass(thing, Bot)
        and thing.__module__ == module.__name__
    ]
    if len(classes) != 1:
        raise BadInput(f"{bot} has {len(classes)} subclasses of Bot, so pass the one that you mean")
    return classes[0]


def bot_module(manifest: Manifest) -> Any:
    """Load the program of a bot as a module, once; its contents vary, hence Any."""
    programs = [word for word in manifest.command[1:] if word.endswith(".py")]
    if not manifest.runs_python or len(programs) != 1:
        raise BadInput(
            f"{manifest.name} is not a bot in Python: only those can play in this process"
        )
    path = Path(manifest.folder, programs[0])
    name = f"bots.{path}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    # A program can import the modules in its folder.
    sys.path.append(str(path.parent))
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


class Opponent:
    """A bot that plays in this process, in any number of matches."""

    def __init__(
        self, bot: str | type[Bot], game: AnyGame, *, thinking_s: float = THINKING_S
    ) -> None:
        """Load the bot; refuse one that does not play the game."""
        made = bot_class(bot)
        self.name = bot if isinstance(bot, str) else made.name or made.__name__
        if not plays(made.games, game.id):
            raise BadInput(f"{self.name} does not play {game.id}: only {', '.join(made.games)}")
        self._bot = made()
        self._game = game
        self._thinking_s = thinking_s
        self.wants_events = made.happened is not Bot.happened
        """Whether it takes note of events, so that states have to record them."""

    def sit(self, parameters: Any, seats: int, seat: int, seed: Seed) -> SeatedBot:
        """Begin a match; the bot's own random numbers follow from the seed of the deal."""
        spare_s = 3 * self._thinking_s
        match = Match(
            game=self._game,
            parameters=parameters,
            seats=seats,
            seat=seat,
            bank_s=spare_s,
            increment_s=self._thinking_s,
            counts_cpu=False,
            commitment=bytes(32),
            rng=Random(bot_seed(seed, b"", seat)),
            time_left_s=spare_s,
            wall_left_s=spare_s,
        )
        return SeatedBot(self._bot, match)
