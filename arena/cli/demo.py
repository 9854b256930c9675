"""The command `arena demo`."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from arena.cli.event.play import play
from arena.cli.leaderboard.boards import print_boards
from arena.cli.options import number_option
from arena.cli.options.cage import warn
from arena.cli.options.completion import complete_game
from arena.cli.options.league import now, writing
from arena.cli.options.workers import WorkerChoice, quiet_option
from arena.cli.report import build_pages
from arena.cli.terminal.output import say
from arena.games.registry import all_games, game_named, plays
from arena.pages.site.pages import Options
from arena.sandbox.select import AUTO, choose_cage
from arena.submission.lookup import house_bots
from arena.submission.manifest import read_manifest
from arena.text import plain
from arena.tournament.setup import enter_event
from arena.tournament.spec import Kind, Spec
from leaderboard.queries.leaderboards import leaderboard

_CLOCK = "cpu:1+0.01"
"""Enough for sensible moves, while the demo stays short."""
_NEXT = (
    ("arena play meow human greedy-meow random", "play a match yourself"),
    ("arena new kitten --game meow", "start your own bot"),
    ("arena leaderboard meow --db {db}", "see who leads, and how sure that is"),
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
@number_option("--deals", most=1000, default=4, help="Deals for each pairing.")
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

    Then show the leaderboards, write the league as pages, open them where there is a screen, and
    say what to try next. GAME limits it to some of the games.

    Example: arena demo
    """
    chosen = list(map(game_named, games)) or all_games()
    choose_cage(AUTO, warn)
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
        print_boards(leaderboard(writer))
        site = db.with_name(f"{db.stem}-site")
        build_pages(writer, site, 1, Options("Demo"), quiet=quiet)
    _open(site / "index.html")
    say("\nTry next:")
    for command, what in _NEXT:
        say(f"  {command.format(db=shlex.quote(str(db))):42} {what}")


def _open(page: Path) -> None:
    """Name a page, and open it for a person at a screen."""
    say(f"\nThe league as pages, with replays: {plain(str(page))}")
    if sys.stdout.isatty() and os.environ.keys() & {"DISPLAY", "WAYLAND_DISPLAY"}:
        click.launch(str(page))
