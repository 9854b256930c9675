"""The command `arena play`."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

import arena
from arena.api.replay import Replay
from arena.cli.group import SectionedCommand, section
from arena.cli.options import add_options, number_option
from arena.cli.options.cage import cage_options, clock_option, warn
from arena.cli.options.completion import complete_bot_or_path, complete_game
from arena.cli.options.deals import deal_fields, secret_options, variant_option
from arena.cli.options.league import db_option
from arena.cli.play.output import SeatOutput, print_results
from arena.cli.play.people import BrowserOptions, People, browser_options
from arena.cli.terminal.output import print_json, say
from arena.errors import BadInput
from arena.games.registry import game_named
from arena.models.answers import Answers
from arena.models.config import answers_folder, find_model, is_model
from arena.models.player import AskOptions, ModelSeat
from arena.referee.clock import DEFAULT_CLOCK
from arena.referee.players.remote import OnOutput
from arena.secret import Secret, secret_from


def _read_asking(replay_answers: bool, conversations: Path | None) -> AskOptions:
    _check_save_path(conversations and conversations / "conversation", 1, "--conversations")
    return AskOptions(Answers(answers_folder()), replay_answers, conversations)


_model_options = add_options(
    click.option(
        "--replay-answers",
        is_flag=True,
        help="Use the answers that language models gave to the same questions in earlier runs.",
    ),
    click.option(
        "--conversations",
        type=click.Path(file_okay=False, path_type=Path),
        help="Write what is said to language models, and by them, to files in this folder.",
    ),
    packed={"asking": _read_asking},
)


@click.command(cls=SectionedCommand)
@click.argument("game", metavar="GAME", shell_complete=complete_game)
@click.argument(
    "words", metavar="PLAYER...", nargs=-1, required=True, shell_complete=complete_bot_or_path
)
@section(
    "The match",
    secret_options(),
    variant_option,
    number_option(
        "--tables", most=1024, default=1, help="Number of matches to play, all at the same time."
    ),
    clock_option(str(DEFAULT_CLOCK), allow_none=True),
    click.option(
        "--save",
        "path",
        type=click.Path(path_type=Path),
        help="Write the replay to this file; with --tables, one replay per match to this folder.",
    ),
    click.option(
        "--show-output/--hide-output",
        "show_output",
        default=None,
        help="Show what bots print; default: at one table of bots, on a terminal.",
    ),
)
@cage_options
@section("People in the browser", browser_options)
@section("Language models", _model_options)
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the matches as JSON.")
def play(
    game: str,
    words: tuple[str, ...],
    seed: Secret,
    tables: int,
    path: Path | None,
    show_output: bool | None,
    browser: BrowserOptions,
    asking: AskOptions,
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

    As a human, type ? for help. Ctrl-C leaves the match.

    With --browser, each human plays on their own page instead of the terminal. The page shows
    what its seat may know. Anyone who knows its address can play: keep it to yourself.

    Example: arena play meow greedy-meow random random --save final.replay
    """
    rules = game_named(game)
    people = People(rules, options["variant"], words, browser, to_stderr=as_json)
    if people.seats and tables > 1:
        raise BadInput("a human can play only one match at a time: omit --tables")
    _check_save_path(path, tables)
    if show_output is None:
        show_output = tables == 1 and not people.seats and not as_json and sys.stderr.isatty()
    models = {word: ModelSeat(find_model(word), asking) for word in words if is_model(word)}

    def play_once(seed: Secret, path: Path | None) -> None:
        with people.seated(seed) as players, ExitStack() as outputs:

            def listen(name: str) -> OnOutput:
                output = SeatOutput(name)
                # It shows lines that have no end.
                outputs.callback(output.close)
                return output.write

            players = [models.get(word, each) for word, each in zip(words, players, strict=True)]
            # The other options have the names of the function's parameters.
            replays = arena.play_matches(
                rules,
                players,
                tables,
                seed=seed,
                league=db,
                on_output=listen if show_output else None,
                on_warning=warn,
                **options,
            )
        _save(replays, path, tables)
        people.finish(replays[0], path)
        if as_json:
            print_json({**deal_fields(seed), "matches": [each.document() for each in replays]})
        else:
            ending = print_results(replays, people.unsaid(replays[0]), with_output=not show_output)
            say(f"{rules.title}, {seed}, {ending}")

    play_once(seed, path)
    while people.want_another():
        # Other cards, which people save from their pages if they like.
        play_once(secret_from(None), None)


def _check_save_path(path: Path | None, tables: int, option: str = "--save") -> None:
    """Check before the first match that something can be written; folders are created."""
    if path is None:
        return
    if tables == 1 and path.is_dir():
        raise BadInput(f"{option}: {path} is a folder; give the name of a file")
    folder = path if tables > 1 else path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{option}: cannot create {folder}: {error.strerror}") from None
    target = path if path.exists() else folder
    if not os.access(target, os.W_OK):
        raise BadInput(f"{option}: {target} is not writable")


def _save(replays: list[Replay], path: Path | None, tables: int) -> None:
    for match, replay in enumerate(replays if path else ()):
        assert path
        try:
            replay.save(path if tables == 1 else path / f"{match:04}.replay")
        except BadInput as error:
            raise BadInput(f"--save: {error}") from None
