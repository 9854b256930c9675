"""The command `arena play`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

import arena
from arena.api.replay import Replay
from arena.cli.options.cage import cage_options, clock_option, warn
from arena.cli.options.completion import complete_bot_or_path, complete_game, complete_variant
from arena.cli.options.deals import deal_fields, secret_options
from arena.cli.options.league import db_option
from arena.cli.play.browser import BrowserOptions, browser_options
from arena.cli.play.output import SeatOutput, print_results
from arena.cli.play.people import People
from arena.cli.terminal.output import print_json, say
from arena.cli.terminal.values import NameList
from arena.errors import BadInput
from arena.games.registry import game_named
from arena.referee.clock import DEFAULT_CLOCK
from arena.referee.players.remote import OnOutput
from arena.secret import Secret


@click.command()
@click.argument("game", metavar="GAME", shell_complete=complete_game)
@click.argument(
    "words", metavar="PLAYER...", nargs=-1, required=True, shell_complete=complete_bot_or_path
)
@secret_options()
@click.option(
    "--variant",
    multiple=True,
    metavar="WORD",
    shell_complete=complete_variant,
    help="A variant, or a parameter as name=value; repeatable.",
)
@click.option(
    "--tables",
    type=click.IntRange(1, 1024),
    default=1,
    help="Number of matches to play, all at the same time.",
)
@clock_option(str(DEFAULT_CLOCK), allow_none=True)
@click.option(
    "--save",
    "path",
    type=click.Path(path_type=Path),
    help="Write the replay to this file; with --tables, one replay per match to this folder.",
)
@click.option(
    "--show-output/--hide-output",
    "show_output",
    default=None,
    help="Show what bots print; default: at one table of bots, on a terminal.",
)
@click.option(
    "--moves",
    type=NameList(),
    default=(),
    metavar="MOVES",
    help="Moves to play first for the people, separated by commas, to continue a match.",
)
@browser_options
@cage_options
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the matches as JSON.")
def play(
    game: str,
    words: tuple[str, ...],
    seed: Secret,
    tables: int,
    path: Path | None,
    show_output: bool | None,
    moves: tuple[str, ...],
    browser: BrowserOptions,
    db: Path,
    as_json: bool,
    **options: Any,
) -> None:
    """Play one or more matches.

    Name one player for each seat, starting with seat 0. A player is `human` (you), `random`, a
    folder with a bot.toml, a .py file, a house bot, a bot of the league (kitten is its newest
    version, kitten@2 its second), or a command line in quotes, tried in this order.

    What the bots print is shown as it comes, each line after the name of its seat. It is also kept
    in the replay that --save writes, and printed by --json: the first 64 KiB of each seat, with the
    decisions.

    As a human, type ? for help. Ctrl-C leaves the match and prints the command that continues it.

    With --browser, each human plays on their own page instead of the terminal. The page shows
    what its seat may know. Anyone who knows its address can play: keep it to yourself.

    Example: arena play meow greedy-meow random random --save final.replay
    """
    rules = game_named(game)
    people = People(rules, options["variant"], words, moves, browser, to_stderr=as_json)
    if people.seats and tables > 1:
        raise BadInput("a human can play only one match at a time: omit --tables")
    if path:
        _check_save_path(path, tables)
    if show_output is None:
        show_output = tables == 1 and not people.seats and not as_json and sys.stderr.isatty()
    outputs = _Outputs()
    with people.seated(seed) as players:
        # The other options have the names of the function's parameters.
        replays = arena.play_matches(
            rules,
            players,
            tables,
            seed=seed,
            league=db,
            on_output=outputs.show if show_output else None,
            on_warning=warn,
            **options,
        )
    outputs.close()
    if path:
        _save(replays, path, tables)
    people.finish(replays[0], path)
    if as_json:
        print_json({**deal_fields(seed), "matches": [each.document() for each in replays]})
    else:
        ending = print_results(replays, people.unsaid(replays[0]), with_output=not show_output)
        say(f"{rules.title}, {seed}, {ending}")


class _Outputs:
    """Shows what the bots in all seats print."""

    def __init__(self) -> None:
        self._seats: list[SeatOutput] = []

    def show(self, name: str) -> OnOutput:
        """Return what shows the output of a seat."""
        self._seats.append(SeatOutput(name))
        return self._seats[-1].write

    def close(self) -> None:
        """Show lines that have no end."""
        for seat in self._seats:
            seat.close()


def _check_save_path(path: Path, tables: int) -> None:
    """Check before the first match that the replay can be saved."""
    if tables == 1 and path.is_dir():
        raise BadInput(f"--save: {path} is a folder; give the name of a file")
    folder = path if tables > 1 else path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--save: cannot create {folder}: {error.strerror}") from None
    target = path if path.exists() else folder
    if not os.access(target, os.W_OK):
        raise BadInput(f"--save: {target} is not writable")


def _save(replays: list[Replay], path: Path, tables: int) -> None:
    for match, replay in enumerate(replays):
        try:
            replay.save(path if tables == 1 else path / f"{match:04}.replay")
        except BadInput as error:
            raise BadInput(f"--save: {error}") from None
