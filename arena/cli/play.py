"""How is one match played from the terminal?"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any

import click

from arena.cli.drawing import drawing_of
from arena.cli.person import Person
from arena.errors import BadInput
from arena.games.randomness import derive, seed_from
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.records import Entrant, Record
from arena.referee.players.local import at_random, play_match

KINDS = ("random", "human")


@click.command()
@click.argument("game_id", metavar="GAME")
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@click.option("--seed", type=click.IntRange(min=0), help="A number; the same one deals the same.")
@click.option(
    "--variant",
    "words",
    multiple=True,
    metavar="WORD",
    help="A variant's name, or a parameter as name=value; may be given again.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the match as one JSON document.")
def play(
    game_id: str, players: tuple[str, ...], seed: int | None, words: tuple[str, ...], as_json: bool
) -> None:
    """Play one match. A player is `human` (you) or `random`, seat 0 first.

    Example: arena play trio human random random --seed 7
    """
    game = game_named(game_id)
    parameters = parameters_from(game, words)
    for kind in players:
        if kind not in KINDS:
            raise BadInput(f"{kind!r} is not a player: one of {', '.join(KINDS)}")
    game.check_seats(len(players), parameters)
    number = secrets.randbelow(2**32) if seed is None else seed
    names = [f"{kind}-{seat}" for seat, kind in enumerate(players)]
    match_seed = seed_from(number)
    people = {
        seat: Person(
            game,
            drawing_of(game),
            names,
            alone=players.count("human") == 1,
            to_stderr=as_json,
        )
        for seat, kind in enumerate(players)
        if kind == "human"
    }
    choosers = [
        people[seat].choose
        if seat in people
        else at_random(game, derive(match_seed, f"player {seat}"))
        for seat in range(len(players))
    ]
    entrants = [Entrant(name) for name in names]
    record, events = play_match(game, match_seed, parameters, entrants, choosers)
    if as_json:
        click.echo(json.dumps(_document(record, events, number), indent=2))
        return
    drawing = drawing_of(game)
    untold = min((person.told for person in people.values()), default=0)
    for event in events[untold:]:
        click.echo(drawing.tell(event, names))
    click.echo(f"\n{_placing(game, record)}")
    click.echo(f"{game.title}, seed {number}, {record.outcome.ending.value}")


def _placing(game: AnyGame, record: Record) -> str:
    names = [entrant.name for entrant in record.entrants]
    wide = max(6, *map(len, names))
    lines = [f"place  seat  {'player':{wide}}  {game.score_word}"]
    for seat in sorted(range(len(names)), key=lambda seat: record.places[seat]):
        place = f"{record.places[seat]:>5}  {seat:>4}  {names[seat]:{wide}}"
        lines.append(f"{place}  {record.outcome.scores[seat]:>{len(game.score_word)}}")
    return "\n".join(lines)


def _document(record: Record, events: Sequence[Any], number: int) -> dict[str, Any]:
    game = game_named(record.game_id)
    return {
        "game": game.id,
        "parameters": record.parameters,
        "seed": number,
        "players": [entrant.name for entrant in record.entrants],
        "decisions": [
            {
                "seat": decision.seat,
                "action": game.action_text(decision.action),
                "index": decision.action,
                "how": decision.how.value,
            }
            for decision in record.decisions
        ],
        "events": [game.event_form.show(event) for event in events],
        "outcome": {
            "places": record.places,
            "scores": record.outcome.scores,
            "ending": record.outcome.ending.value,
        },
    }
