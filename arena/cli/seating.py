"""Who is meant by a word on the command line, and how do they sit down?"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from arena.cli.drawing import drawing_of
from arena.cli.person import Person
from arena.errors import BadInput
from arena.games.registry import AnyGame
from arena.manifest import Manifest, find_bot
from arena.records import Entrant
from arena.referee.desk import Player
from arena.referee.players.local import LocalPlayer, at_random
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.process import BotProcess, launch
from arena.wire.messages import SOCKET

HUMAN = "human"
RANDOM = "random"


def named(game: AnyGame, words: tuple[str, ...]) -> tuple[list[str], list[Manifest | None]]:
    """Find the bots that are meant, and give every seat a name of its own."""
    bots = [None if word in (HUMAN, RANDOM) else find_bot(word) for word in words]
    for bot in bots:
        if bot and game.id not in bot.games:
            raise BadInput(f"{bot.name} does not play {game.id}: only {', '.join(bot.games)}")
    names = [
        f"{bot.name if bot else word}-{seat}"
        for seat, (word, bot) in enumerate(zip(words, bots, strict=True))
    ]
    return names, bots


def seated(
    game: AnyGame,
    words: tuple[str, ...],
    names: list[str],
    bots: list[Manifest | None],
    *,
    to_stderr: bool,
) -> tuple[list[Player], list[Person]]:
    """Make the players; those at the terminal are returned apart, too."""
    players: list[Player] = []
    people: list[Person] = []
    for word, name, bot in zip(words, names, bots, strict=True):
        entrant = Entrant(name)
        if bot:
            players.append(RemotePlayer(entrant, launcher(bot)))
        elif word == HUMAN:
            alone = words.count(HUMAN) == 1
            person = Person(game, drawing_of(game), names, alone=alone, to_stderr=to_stderr)
            people.append(person)
            players.append(LocalPlayer(entrant, person.sit, is_slow=True))
        else:
            players.append(LocalPlayer(entrant, at_random))
    return players, people


def launcher(bot: Manifest) -> Callable[[Path, Callable[[], None]], BotProcess]:
    """Return what starts a bot as a plain process of this user."""

    def start(socket: Path, on_exit: Callable[[], None]) -> BotProcess:
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": os.environ.get("HOME", "/"),
            "LANG": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
            # What gRPC says on its own account would bury what the bot prints.
            "GRPC_VERBOSITY": "NONE",
            **bot.environment,
            SOCKET: str(socket),
        }
        return launch(bot.command, folder=bot.folder, environment=environment, on_exit=on_exit)

    return start
