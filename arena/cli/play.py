"""The command `arena play`."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from arena.cli.goodbye import say_goodbye
from arena.cli.options.cage import CageSettings, cage_options, clock_option, select_cage_and_warn
from arena.cli.options.completion import complete_bot_or_path, complete_game, complete_variant
from arena.cli.options.deals import deal_fields, deal_options
from arena.cli.options.league import db_option
from arena.cli.play_browser import browser_options, check_browser_options, command_for, open_table
from arena.cli.players import HUMAN, find_players, make_players, seat_names
from arena.cli.terminal.bot_output import SeatOutput
from arena.cli.terminal.columns import headings_of
from arena.cli.terminal.console import open_console
from arena.cli.terminal.output import say
from arena.cli.terminal.person import PlayerQuit, Script
from arena.cli.terminal.tables import show_rows
from arena.cli.terminal.values import NameList
from arena.errors import BadInput
from arena.games.randomness import Seed, derive
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.indices import PlayerIndex, Seat
from arena.records import Fault, Record, SeatEnding, events_of
from arena.referee.clock import DEFAULT_CLOCK, Clock
from arena.referee.model import Fixture
from arena.referee.players.output import OnOutput, ignore_output
from arena.referee.referee import Referee
from arena.replays.explanation import explain_end
from arena.replays.format import write_replay
from arena.replays.transcript import result_text
from arena.secret import make_secret
from arena.text import plain
from leaderboard.result import is_win

_PRINTED_LINES = 20
"""Lines of a faulty bot's output that are shown."""


@click.command()
@click.argument("game_id", metavar="GAME", shell_complete=complete_game)
@click.argument(
    "words", metavar="PLAYER...", nargs=-1, required=True, shell_complete=complete_bot_or_path
)
@deal_options
@click.option(
    "--variant",
    "settings",
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
    game_id: str,
    words: tuple[str, ...],
    seed: int | None,
    secret: str | None,
    settings: tuple[str, ...],
    tables: int,
    clock: Clock,
    path: Path | None,
    show_output: bool | None,
    moves: tuple[str, ...],
    browser: bool,
    host: str | None,
    port: int | None,
    person_clock: Clock | None,
    cage_name: str,
    limits: dict[str, int],
    db: Path,
    as_json: bool,
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
    game = game_named(game_id)
    parameters = parameters_from(game, settings)
    with find_players(game, words, db) as bots:
        names = seat_names(words, bots)
        game.check_seats(len(words), parameters)
        if HUMAN in words and tables > 1:
            raise BadInput("a human can play only one match at a time: omit --tables")
        if moves and (HUMAN not in words or browser):
            raise BadInput("--moves is for people at the terminal")
        check_browser_options(words, browser=browser, host=host, port=port, clock=person_clock)
        if path:
            _check_save_path(path, tables)
        cage_settings = CageSettings(select_cage_and_warn(cage_name), limits) if any(bots) else None
        deals = make_secret(seed=seed, secret=secret)
        if show_output is None:
            alone = tables == 1 and HUMAN not in words and not as_json
            show_output = alone and sys.stderr.isatty()
        table = None
        if browser:
            # It is closed when its pages are, after the end of the command, or by Ctrl-C.
            table = click.get_current_context().with_resource(
                open_table(
                    game,
                    parameters,
                    names,
                    [Seat(seat) for seat, word in enumerate(words) if word == HUMAN],
                    at=(host, port),
                    clock=person_clock,
                    to_stderr=as_json,
                )
            )
        outputs = [SeatOutput(name) for name in names] if show_output else []
        script = Script(moves)
        fixtures = [
            Fixture(match, game, parameters, match_seed, tuple(map(PlayerIndex, range(len(words)))))
            for match, match_seed in enumerate(_match_seeds(deals.key, tables))
        ]
        try:
            is_at_terminal = HUMAN in words and not browser
            with open_console(has_person=is_at_terminal, to_stderr=as_json) as console:
                players = make_players(
                    game,
                    words,
                    names,
                    bots,
                    cage_settings,
                    console=console,
                    script=script,
                    table=table,
                    on_output=_listeners(outputs, len(words), keep=as_json or path is not None),
                )
                cage = cage_settings.cage.mark if cage_settings else ""
                referee = Referee(players, clock, cage=cage)
                records = asyncio.run(_play_matches(referee, fixtures, tables))
        except (PlayerQuit, KeyboardInterrupt) as error:
            if not is_at_terminal:
                raise
            reason = str(error) or "you left the table; the match does not count"
            say_goodbye(reason, deals, script.played)
            raise click.exceptions.Exit(1) from None
        for output in outputs:
            output.close()
    if path:
        _save(records, path, tables)
    if table:
        saved = str(path.resolve()) if path else ""
        table.finish(records[0], saved=saved, command=command_for(game, words, settings))
    if as_json:
        documents = [_match_document(record) for record in records]
        click.echo(json.dumps({**deal_fields(deals), "matches": documents}, indent=2))
        return
    if tables == 1:
        for event in [] if table else events_of(records[0])[script.events_said :]:
            say(game.narrate(event, names))
        say(result_text(records[0]))
        ending = records[0].outcome.ending.value
    else:
        _print_standings(game, records)
        ending = f"{tables} matches"
    _print_faults(records, with_output=not show_output)
    say(f"{game.title}, {deals}, {ending}")


def _listeners(outputs: list[SeatOutput], seats: int, *, keep: bool) -> list[OnOutput] | None:
    """Return a function for the output of each seat; None if it is neither shown nor kept."""
    if outputs:
        return [output.write for output in outputs]
    return [ignore_output] * seats if keep else None


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


def _save(records: list[Record], path: Path, tables: int) -> None:
    for match, record in enumerate(records):
        target = path if tables == 1 else path / f"{match:04}.replay"
        try:
            target.write_bytes(write_replay(record))
        except OSError as error:
            raise BadInput(f"--save: cannot write {target}: {error.strerror}") from None


def _print_faults(records: list[Record], *, with_output: bool) -> None:
    """Print each kind of fault once, with the last lines of the bot's output unless shown."""
    kinds: dict[tuple[str, str], list[Fault]] = {}
    for record in records:
        for fault in record.faults:
            name = record.entrants[fault.seat].name
            kinds.setdefault((name, fault.ending.value), []).append(fault)
    for (name, ending), faults in kinds.items():
        how_often = f" in {len(faults)} matches, first" if len(faults) > 1 else ""
        say(f"{name}: {ending}{how_often}: {plain(faults[0].sentence)}", err=True)
        if not with_output:
            continue
        for line in faults[0].printed.decode(errors="replace").splitlines()[-_PRINTED_LINES:]:
            say(f"    {plain(line)}", err=True)


def _match_seeds(seed: Seed, tables: int) -> list[Seed]:
    return [seed] if tables == 1 else [derive(seed, f"match {match}") for match in range(tables)]


async def _play_matches(referee: Referee, fixtures: list[Fixture], tables: int) -> list[Record]:
    records = {
        fixture.number: record async for fixture, record in referee.play(fixtures, tables=tables)
    }
    return [records[fixture.number] for fixture in fixtures]


def _print_standings(game: AnyGame, records: list[Record]) -> None:
    rows: list[dict[str, Any]] = []
    parameters = game.parameters_form.read(records[0].parameters)
    sides = game.sides(len(records[0].entrants), parameters)
    for seat, entrant in enumerate(records[0].entrants):
        places = [record.places[seat] for record in records]
        rows.append(
            {
                "mean_place": sum(places) / len(places),
                "wins": sum(is_win(seat, record.places, sides) for record in records),
                "faults": sum(
                    record.ending_of(seat) is not SeatEnding.PLAYED for record in records
                ),
                "mean_score": sum(record.outcome.scores[seat] for record in records) / len(places),
                "player": entrant.name,
            }
        )
    rows.sort(key=lambda row: (row["mean_place"], -row["wins"], row["player"]))
    headings = headings_of("player", "mean_place", "wins", "faults")
    show_rows(rows, headings | {"mean_score": f"mean {game.score_word}"})


def _match_document(record: Record) -> dict[str, Any]:
    game = game_named(record.game_id)
    notes = dict(record.notes)
    printed = {number: content.decode(errors="replace") for number, content in record.outputs}
    return {
        "game": game.id,
        "parameters": record.parameters,
        "cage": record.cage,
        "seed": record.seed.hex(),
        "players": [entrant.name for entrant in record.entrants],
        "decisions": [
            {
                "seat": decision.seat,
                "action": game.action_text(decision.action),
                "index": decision.action,
                "how": decision.how.value,
                "time_us": decision.time_us,
                "printed": printed.get(number),
                "note": notes.get(number),
            }
            for number, decision in enumerate(record.decisions)
        ],
        "events": [game.event_form.show(event) for event in events_of(record)],
        "faults": [
            {"seat": fault.seat, "ending": fault.ending.code, "sentence": fault.sentence}
            for fault in record.faults
        ],
        "outcome": {
            "places": record.places,
            "scores": record.outcome.scores,
            "ending": record.outcome.ending.code,
        },
        "explanation": explain_end(record)._asdict(),
    }
