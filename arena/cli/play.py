"""How are matches played from the terminal?"""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import click

from arena.cli.caging import Caging, caging_options, clock_option, working_cage
from arena.cli.dealing import deal_options, repeating
from arena.cli.drawing import drawing_of
from arena.cli.seating import HUMAN, named, seated
from arena.errors import BadInput
from arena.games.randomness import Seed, derive
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.records import Fault, Record, SeatEnding, events_of
from arena.referee.clock import DEFAULT_CLOCK, Clock
from arena.referee.desk import Fixture
from arena.referee.floor import Floor
from arena.replays.format import write_replay
from arena.replays.story import placing, plain
from arena.secret import chosen_secret

_LAST_LINES = 20
"""How much of what a faulty bot printed is shown."""


@click.command()
@click.argument("game_id", metavar="GAME")
@click.argument("words", metavar="PLAYER...", nargs=-1, required=True)
@deal_options
@click.option(
    "--variant",
    "settings",
    multiple=True,
    metavar="WORD",
    help="A variant's name, or a parameter as name=value; may be given again.",
)
@click.option(
    "--tables",
    type=click.IntRange(1, 1024),
    default=1,
    help="How many matches to play, all at once.",
)
@clock_option(str(DEFAULT_CLOCK))
@click.option(
    "--save",
    "path",
    type=click.Path(path_type=Path),
    help="Write the replay to this file; with --tables, one for each match into this folder.",
)
@caging_options
@click.option("--json", "as_json", is_flag=True, help="Print the matches as one JSON document.")
def play(
    game_id: str,
    words: tuple[str, ...],
    seed: int | None,
    secret: str | None,
    settings: tuple[str, ...],
    tables: int,
    clock: Clock,
    path: Path | None,
    cage_name: str,
    limits: dict[str, int],
    as_json: bool,
) -> None:
    """Play a match, or several.

    A player is `human` (you), `random`, a house bot, or a bot of yours: its folder, its .py file,
    or its command line in quotes; seat 0 first.

    Example: arena play meow greedy-meow random random --save final.replay
    """
    game = game_named(game_id)
    parameters = parameters_from(game, settings)
    names, bots = named(game, words)
    game.check_seats(len(words), parameters)
    if HUMAN in words and tables > 1:
        raise BadInput("a person can sit at one table only: leave out --tables")
    if path:
        _check_place(path, tables)
    caging = Caging(working_cage(cage_name), limits) if any(bots) else None
    deals = chosen_secret(seed=seed, secret=secret)
    players, people = seated(game, words, names, bots, caging, to_stderr=as_json)
    fixtures = [
        Fixture(match, game, parameters, match_seed, tuple(range(len(words))))
        for match, match_seed in enumerate(_seeds(deals.key, tables))
    ]
    floor = Floor(players, clock, cage=caging.cage.mark if caging else "")
    records = asyncio.run(_played(floor, fixtures, tables))
    if path:
        _save(records, path, tables)
    if as_json:
        documents = [_document(record) for record in records]
        click.echo(json.dumps({**repeating(deals), "matches": documents}, indent=2))
        return
    if tables == 1:
        untold = min((person.told for person in people), default=0)
        for event in events_of(records[0])[untold:]:
            click.echo(drawing_of(game).tell(event, names))
        click.echo(placing(records[0]))
        ending = records[0].outcome.ending.value
    else:
        click.echo(_standings(game, records))
        ending = f"{tables} matches"
    _tell_faults(records)
    click.echo(f"{game.title}, {deals}, {ending}")


def _check_place(path: Path, tables: int) -> None:
    """Refuse a place that cannot be written to before anybody has played for it."""
    if tables == 1 and path.is_dir():
        raise BadInput(f"--save: {path} is a folder; one match needs the name of a file")
    folder = path if tables > 1 else path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--save: {folder} cannot be made: {error.strerror}") from None
    place = path if path.exists() else folder
    if not os.access(place, os.W_OK):
        raise BadInput(f"--save: {place} cannot be written to")


def _save(records: list[Record], path: Path, tables: int) -> None:
    for match, record in enumerate(records):
        place = path if tables == 1 else path / f"{match:04}.replay"
        try:
            place.write_bytes(write_replay(record))
        except OSError as error:
            raise BadInput(f"--save: {place} cannot be written: {error.strerror}") from None


def _tell_faults(records: list[Record]) -> None:
    """Say what went wrong, each kind once, with the last lines that the bot printed."""
    kinds: dict[tuple[str, str], list[Fault]] = {}
    for record in records:
        for fault in record.faults:
            name = record.entrants[fault.seat].name
            kinds.setdefault((name, fault.ending.value), []).append(fault)
    for (name, ending), faults in kinds.items():
        often = f" in {len(faults)} matches, first" if len(faults) > 1 else ""
        click.echo(f"{name}: {ending}{often}: {plain(faults[0].sentence)}", err=True)
        for line in faults[0].stderr.decode(errors="replace").splitlines()[-_LAST_LINES:]:
            click.echo(f"    {plain(line)}", err=True)


def _seeds(seed: Seed, tables: int) -> list[Seed]:
    return [seed] if tables == 1 else [derive(seed, f"match {match}") for match in range(tables)]


async def _played(floor: Floor, fixtures: list[Fixture], tables: int) -> list[Record]:
    records = {
        fixture.number: record async for fixture, record in floor.play(fixtures, tables=tables)
    }
    return [records[fixture.number] for fixture in fixtures]


def _standings(game: AnyGame, records: list[Record]) -> str:
    names = [entrant.name for entrant in records[0].entrants]
    wide = max(6, *map(len, names))
    lines = [f"mean place  wins  faults  mean {game.score_word}  player"]
    rows = []
    for seat, name in enumerate(names):
        places = [record.places[seat] for record in records]
        scores = [record.outcome.scores[seat] for record in records]
        faults = sum(record.ending_of(seat) is not SeatEnding.PLAYED for record in records)
        rows.append(
            (sum(places) / len(places), -places.count(1), faults, sum(scores) / len(scores), name)
        )
    for mean_place, wins, faults, mean_score, name in sorted(rows):
        width = 5 + len(game.score_word)
        line = f"{mean_place:>10.2f}  {-wins:>4}  {faults:>6}  {mean_score:>{width}.1f}"
        lines.append(f"{line}  {name:{wide}}".rstrip())
    return "\n".join(lines)


def _document(record: Record) -> dict[str, Any]:
    game = game_named(record.game_id)
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
            }
            for decision in record.decisions
        ],
        "events": [game.event_form.show(event) for event in events_of(record)],
        "faults": [
            {"seat": fault.seat, "ending": fault.ending.value, "sentence": fault.sentence}
            for fault in record.faults
        ],
        "outcome": {
            "places": record.places,
            "scores": record.outcome.scores,
            "ending": record.outcome.ending.value,
        },
    }
