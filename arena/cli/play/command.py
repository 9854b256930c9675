"""The command `arena play`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

import arena
from arena.api.players import AnyPlayer
from arena.api.replay import Replay
from arena.cli.options.cage import cage_options, clock_option, warn
from arena.cli.options.completion import complete_bot_or_path, complete_game, complete_variant
from arena.cli.options.deals import deal_fields, secret_options
from arena.cli.options.league import db_option
from arena.cli.play.browser import BrowserOptions, InBrowser, browser_options, command_for
from arena.cli.play.console import open_console
from arena.cli.play.goodbye import say_goodbye
from arena.cli.play.output import SeatOutput, print_faults, print_standings
from arena.cli.play.person import HUMAN, AtTerminal, PlayerQuit, Script
from arena.cli.terminal.output import print_json, say
from arena.cli.terminal.values import NameList
from arena.errors import BadInput
from arena.games.registry import game_named, parameters_from
from arena.indices import Seat
from arena.referee.clock import DEFAULT_CLOCK
from arena.referee.players.output import OnOutput
from arena.replays.transcript import result_text
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
    help="Moves to play first for the people, separated by commas: a match that you left goes on.",
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

    With --browser, each human plays at a page of their own instead of the terminal. The page shows
    what its seat may know. Whoever knows its address plays: give it to nobody else.

    Example: arena play meow greedy-meow random random --save final.replay
    """
    rules = game_named(game)
    people = [Seat(seat) for seat, word in enumerate(words) if word == HUMAN]
    is_at_terminal = bool(people) and not browser.browser
    if moves and not is_at_terminal:
        raise BadInput("--moves is for people at the terminal")
    browser.check(words)
    if people and tables > 1:
        raise BadInput("a human can play only one match at a time: omit --tables")
    if path:
        _check_save_path(path, tables)
    if show_output is None:
        show_output = tables == 1 and not people and not as_json and sys.stderr.isatty()
    variant = options["variant"]
    in_browser = InBrowser(
        rules, parameters_from(rules, variant), people, browser, to_stderr=as_json
    )
    script, outputs = Script(moves), _Outputs()
    try:
        with open_console(has_person=is_at_terminal, to_stderr=as_json) as console:
            at_terminal = AtTerminal(rules, console, script, alone=len(people) == 1)
            person: AnyPlayer = in_browser if browser.browser else at_terminal
            # The other options have the names of the function's parameters.
            replays = arena.play_matches(
                rules,
                [person if word == HUMAN else word for word in words],
                tables,
                seed=seed,
                league=db,
                on_output=outputs.show if show_output else None,
                on_warning=warn,
                **options,
            )
    except (PlayerQuit, KeyboardInterrupt) as error:
        if not is_at_terminal:
            raise
        reason = str(error) or "you left the table; the match does not count"
        say_goodbye(reason, seed, script.played)
        raise click.exceptions.Exit(1) from None
    outputs.close()
    if path:
        _save(replays, path, tables)
    if browser.browser:
        saved = str(path.resolve()) if path else ""
        command = command_for(rules, words, variant)
        in_browser.finish(replays[0].record, saved=saved, command=command)
    if as_json:
        documents = [replay.document() for replay in replays]
        print_json({**deal_fields(seed), "matches": documents})
        return
    if tables == 1:
        if not browser.browser:
            for sentence in replays[0].narrate()[script.events_said :]:
                say(sentence)
        say(result_text(replays[0].record))
        ending = replays[0].record.outcome.ending.value
    else:
        print_standings(replays)
        ending = f"{tables} matches"
    print_faults(replays, with_output=not show_output)
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
