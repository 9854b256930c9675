"""Turn the players named on the command line into players of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.drawing import drawing_of
from arena.cli.find_bots import RunnableBot, bots_on_disk
from arena.cli.options.cage import CageSettings
from arena.cli.terminal.console import Console
from arena.cli.terminal.person import Person, Script
from arena.errors import BadInput
from arena.games.registry import AnyGame, plays
from arena.indices import Seat
from arena.records import Entrant
from arena.referee.players.local import LocalPlayer, random_chooser
from arena.referee.players.output import OnOutput
from arena.referee.players.player import Player
from arena.referee.players.remote import RemotePlayer

if TYPE_CHECKING:
    from arena.pages.play.seats import BrowserTable

HUMAN = "human"
RANDOM = "random"


def seat_names(words: tuple[str, ...], bots: Sequence[RunnableBot | None]) -> list[str]:
    """Return a unique name for each seat."""
    return [
        f"{bot.manifest.name if bot else word}-{seat}"
        for seat, (word, bot) in enumerate(zip(words, bots, strict=True))
    ]


@contextmanager
def find_players(
    game: AnyGame, words: tuple[str, ...], db: Path
) -> Iterator[list[RunnableBot | None]]:
    """Find the bots that words name; None for a word that names no bot."""
    with bots_on_disk((word for word in words if word not in (HUMAN, RANDOM)), db) as bots:
        for bot, _ in bots:
            if not plays(bot.games, game.id):
                raise BadInput(f"{bot.name} does not play {game.id}: only {', '.join(bot.games)}")
        remaining = iter(bots)
        yield [None if word in (HUMAN, RANDOM) else next(remaining) for word in words]


def make_players(
    game: AnyGame,
    words: tuple[str, ...],
    names: list[str],
    bots: Sequence[RunnableBot | None],
    cage_settings: CageSettings | None,
    *,
    console: Console,
    script: Script,
    table: BrowserTable | None = None,
    on_output: Sequence[OnOutput] | None = None,
) -> list[Player]:
    """Return the players of a match.

    If there are bots, `cage_settings` is required. With `on_output`, one function for each seat,
    these are called with what the bots print. People use the console and, first, the script; with
    `table`, they play at its pages instead.
    """
    players: list[Player] = []
    for seat, (word, name, bot) in enumerate(zip(words, names, bots, strict=True)):
        entrant = Entrant(name)
        if bot and cage_settings:
            listener = on_output[seat] if on_output else None
            launch = cage_settings.launcher(*bot)
            players.append(RemotePlayer(entrant, launch, on_output=listener))
        elif word == HUMAN and table:
            players.append(table.player(Seat(seat)))
        elif word == HUMAN:
            alone = words.count(HUMAN) == 1
            drawing = drawing_of(game)
            person = Person(game, drawing, names, console, script, alone=alone)
            player = LocalPlayer(entrant, person.start_match, is_slow=True)
            player.observer = person.observe
            players.append(player)
        else:
            players.append(LocalPlayer(entrant, random_chooser))
    return players
