"""How are matches played from the terminal?"""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any

import click

from arena.cli.drawing import drawing_of
from arena.cli.seating import HUMAN, named, seated
from arena.errors import BadInput
from arena.games.randomness import derive, seed_from
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.records import Record, SeatEnding, events_of
from arena.referee.clock import DEFAULT_CLOCK, Clock, read_clock
from arena.referee.desk import Fixture, Player
from arena.referee.floor import Floor


@click.command()
@click.argument("game_id", metavar="GAME")
@click.argument("words", metavar="PLAYER...", nargs=-1, required=True)
@click.option("--seed", type=click.IntRange(min=0), help="A number; the same one deals the same.")
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
@click.option(
    "--clock",
    "clock_text",
    default=str(DEFAULT_CLOCK),
    show_default=True,
    metavar="BANK+INC",
    help="Thinking time of each seat, and what every decision adds to it, in seconds.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the matches as one JSON document.")
def play(
    game_id: str,
    words: tuple[str, ...],
    seed: int | None,
    settings: tuple[str, ...],
    tables: int,
    clock_text: str,
    as_json: bool,
) -> None:
    """Play a match, or several. A player is `human` (you), `random`, or a bot: its folder, its .py
    file, or its command line in quotes; seat 0 first.

    Example: arena play trio human random random --seed 7
    """
    game = game_named(game_id)
    parameters = parameters_from(game, settings)
    clock = read_clock(clock_text)
    names, bots = named(words)
    game.check_seats(len(words), parameters)
    if HUMAN in words and tables > 1:
        raise BadInput("a person can sit at one table only: leave out --tables")
    number = secrets.randbelow(2**32) if seed is None else seed
    players, people = seated(game, words, names, bots, to_stderr=as_json)
    fixtures = [
        Fixture(match, game, parameters, match_seed, tuple(range(len(words))))
        for match, match_seed in enumerate(_seeds(number, tables))
    ]
    records = asyncio.run(_played(players, clock, fixtures, tables))
    if as_json:
        documents = [_document(record) for record in records]
        click.echo(json.dumps({"seed": number, "matches": documents}, indent=2))
        return
    if tables == 1:
        untold = min((person.told for person in people), default=0)
        for event in events_of(records[0])[untold:]:
            click.echo(drawing_of(game).tell(event, names))
        click.echo(f"\n{_placing(game, records[0])}")
        ending = records[0].outcome.ending.value
    else:
        click.echo(_standings(game, records))
        ending = f"{tables} matches"
    for record in records:
        for fault in record.faults:
            click.echo(f"{names[fault.seat]}: {fault.ending.value}: {fault.sentence}", err=True)
    click.echo(f"{game.title}, seed {number}, {ending}")


def _seeds(number: int, tables: int) -> list[bytes]:
    seed = seed_from(number)
    return [seed] if tables == 1 else [derive(seed, f"match {match}") for match in range(tables)]


async def _played(
    players: list[Player], clock: Clock, fixtures: list[Fixture], tables: int
) -> list[Record]:
    floor = Floor(players, clock)
    records = {
        fixture.number: record async for fixture, record in floor.play(fixtures, tables=tables)
    }
    return [records[fixture.number] for fixture in fixtures]


def _placing(game: AnyGame, record: Record) -> str:
    rows = [
        (record.places[seat], seat, entrant.name, record.outcome.scores[seat], _note(record, seat))
        for seat, entrant in enumerate(record.entrants)
    ]
    wide = max(6, *(len(name) for _, _, name, _, _ in rows))
    lines = [f"place  seat  {'player':{wide}}  {game.score_word}"]
    for place, seat, name, score, note in sorted(rows):
        line = f"{place:>5}  {seat:>4}  {name:{wide}}  {score:>{len(game.score_word)}}"
        lines.append(f"{line}  {note}".rstrip())
    return "\n".join(lines)


def _note(record: Record, seat: int) -> str:
    ending = record.ending_of(seat)
    return "" if ending is SeatEnding.PLAYED else ending.value


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
