"""The command `arena demo`."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from arena.cli.event.play import play
from arena.cli.leaderboard.command import print_boards
from arena.cli.options.cage import select_cage_and_warn
from arena.cli.options.completion import complete_game
from arena.cli.options.league import now, writing
from arena.cli.options.workers import WorkerChoice, quiet_option
from arena.cli.terminal.output import say
from arena.games.registry import all_games, game_named, plays
from arena.sandbox.select import AUTO
from arena.submission.lookup import house_bots
from arena.submission.manifest import read_manifest
from arena.tournament.setup import enter_event
from arena.tournament.spec import Kind, Spec

_CLOCK = "cpu:1+0.01"
"""Enough for sensible moves, while the demo stays short."""
_NEXT = (
    ("arena leaderboard meow --db {db}", "show one leaderboard again"),
    ("arena event list --db {db}", "list the events"),
    ("arena report --serve --db {db}", "browse the results and replays"),
    ("arena verify --db {db}", "check every result and rating"),
    ("arena play trio human random random", "play a match yourself"),
    ("arena new kitten --game meow", "start your own bot"),
)


@click.command()
@click.argument("games", metavar="[GAME]...", nargs=-1, shell_complete=complete_game)
@click.option(
    "--db",
    "db",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("demo.db"),
    show_default=True,
    help="League file; created if it does not exist.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 1000),
    default=4,
    show_default=True,
    help="Deals for each pairing.",
)
@click.option(
    "--clock",
    metavar="[cpu:]BANK+INC",
    default=_CLOCK,
    show_default=True,
    help="Thinking time of each seat, in seconds.",
)
@quiet_option
def demo(games: tuple[str, ...], db: Path, deals: int, clock: str, quiet: bool) -> None:
    """Play a short event in each game between the house bots.

    Then print the leaderboards and what to try next. GAME limits it to some of the games.

    Example: arena demo
    """
    chosen = list(map(game_named, games)) or all_games()
    select_cage_and_warn(AUTO)
    house = {name: read_manifest(folder) for name, folder in house_bots().items()}
    with writing(db) as writer:
        for game in chosen:
            bots = tuple(name for name, bot in house.items() if plays(bot.games, game.id))
            counts = game.seats_for(game.default_parameters)
            seats = max(count for count in counts if count <= max(len(bots), counts[0]))
            spec = Spec(Kind.ROUND_ROBIN, game.id, bots=bots, seats=seats, deals=deals, clock=clock)
            event = enter_event(writer, spec, now=now())
            say(f"{game.title}: {', '.join(bots)}")
            play(writer, event, WorkerChoice(quiet=quiet))
        say()
        print_boards(writer)
    say("\nTry next:")
    for command, what in _NEXT:
        say(f"  {command.format(db=shlex.quote(str(db))):40} {what}")
