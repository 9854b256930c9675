"""Who is meant by a word on the command line, and how do they sit down?"""

from __future__ import annotations

from arena.cli.caging import Caging
from arena.cli.drawing import drawing_of
from arena.cli.person import Person
from arena.errors import BadInput
from arena.games.registry import AnyGame
from arena.house import bot_meant
from arena.manifest import Manifest
from arena.records import Entrant
from arena.referee.desk import Player
from arena.referee.players.local import LocalPlayer, at_random
from arena.referee.players.remote import RemotePlayer

HUMAN = "human"
RANDOM = "random"


def named(game: AnyGame, words: tuple[str, ...]) -> tuple[list[str], list[Manifest | None]]:
    """Find the bots that are meant, and give every seat a name of its own."""
    bots = [None if word in (HUMAN, RANDOM) else bot_meant(word) for word in words]
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
    caging: Caging | None,
    *,
    to_stderr: bool,
) -> tuple[list[Player], list[Person]]:
    """Make the players; those at the terminal are returned apart, too.

    Where there are bots, `caging` says how they are run.
    """
    players: list[Player] = []
    people: list[Person] = []
    for word, name, bot in zip(words, names, bots, strict=True):
        entrant = Entrant(name)
        if bot and caging:
            players.append(RemotePlayer(entrant, caging.launcher(bot)))
        elif word == HUMAN:
            alone = words.count(HUMAN) == 1
            person = Person(game, drawing_of(game), names, alone=alone, to_stderr=to_stderr)
            people.append(person)
            players.append(LocalPlayer(entrant, person.sit, is_slow=True))
        else:
            players.append(LocalPlayer(entrant, at_random))
    return players, people
