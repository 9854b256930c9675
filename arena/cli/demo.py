"""What does a league look like?"""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from arena.cli.caging import working_cage
from arena.cli.db import now, writing
from arena.cli.leaderboard import show_boards
from arena.cli.running import TABLES, play_aloud
from arena.events.holding import start
from arena.events.spec import Kind, Spec
from arena.games.registry import all_games
from arena.house import house_bots
from arena.manifest import read_manifest
from arena.referee.clock import CORES
from arena.sandbox.cages import AUTO

_CLOCK = "cpu:1+0.01"
"""Enough for a sensible move, and nobody waits long for the leaderboards."""
_NEXT = (
    ("arena leaderboard meow --db {db}", "one of these leaderboards again"),
    ("arena event list --db {db}", "the events that were just held"),
    ("arena report --serve --db {db}", "the same in a browser, with replays"),
    ("arena verify --db {db}", "is all of it true?"),
    ("arena play trio human random random", "play a match yourself"),
    ("arena new kitten --game meow", "begin a bot of your own"),
)


@click.command()
@click.option(
    "--db",
    "db",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("demo.db"),
    show_default=True,
    help="The file of the league that is made, or played on.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 1000),
    default=4,
    show_default=True,
    help="How many deals each pairing plays.",
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def demo(db: Path, deals: int, quiet: bool) -> None:
    """Let the house bots play a short event in each game.

    The leaderboards are shown after that, and what to type next.

    Example: arena demo
    """
    working_cage(AUTO)
    house = {name: read_manifest(folder) for name, folder in house_bots().items()}
    with writing(db) as writer:
        for game in all_games():
            bots = tuple(name for name, bot in house.items() if game.id in bot.games)
            counts = game.seats_for(game.default_parameters)
            seats = max(count for count in counts if count <= max(len(bots), counts[0]))
            spec = Spec(
                Kind.ROUND_ROBIN, game.id, bots=bots, seats=seats, deals=deals, clock=_CLOCK
            )
            event = start(writer, spec, now=now())
            click.echo(f"{game.title}: {', '.join(bots)}")
            play_aloud(writer, event, jobs=CORES, tables=TABLES, quiet=quiet)
        click.echo()
        show_boards(writer)
    click.echo("\nWhat to type next:")
    for command, what in _NEXT:
        click.echo(f"  {command.format(db=shlex.quote(str(db))):40} {what}")
