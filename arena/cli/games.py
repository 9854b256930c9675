"""The commands `arena games` and `arena rules`."""

from __future__ import annotations

import sys
from typing import Any

import click

from arena.cli.options.completion import complete_game
from arena.cli.terminal.output import columns_of, print_json, say, wrapped
from arena.errors import BrokenGame
from arena.games.registry import AnyGame, game_ids, game_named


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the games as JSON.")
def games(as_json: bool) -> None:
    """List the games, their player counts, variants and parameters.

    Example: arena games
    """
    found = _usable_games()
    if as_json:
        print_json([_game_document(game) for game in found])
        return
    say("\n\n".join(map(_paragraph, found)))


def _usable_games() -> list[AnyGame]:
    """Return all games; say on standard error which ones of other packages are broken."""
    found = []
    for game_id in game_ids():
        try:
            found.append(game_named(game_id))
        except BrokenGame as error:
            say(f"warning: {error}", err=True)
    return found


def _game_document(game: AnyGame) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "seats": list(game.seat_counts),
        "score": game.score_word,
        "actions": game.action_count,
        "parameters": game.settings(game.default_parameters),
        "variants": {
            name: {
                "seats": list(game.seats_for(parameters)),
                "parameters": game.settings(parameters),
            }
            for name, parameters in game.variants.items()
        },
    }


def _paragraph(game: AnyGame) -> str:
    lines = [f"{click.style(game.id, bold=True)}  {game.title}, {_span(game.seat_counts)} players"]
    default = game.settings(game.default_parameters)
    for name, parameters in game.variants.items():
        settings = game.settings(parameters)
        differing = [f"{key}={settings[key]}" for key in settings if settings[key] != default[key]]
        words = " ".join(differing) or "default"
        lines.append(f"  variant {name:13} {_span(game.seats_for(parameters)):7} {words}")
    lines += [f"  {key}={value}" for key, value in default.items()]
    return "\n".join(lines)


def _span(counts: tuple[int, ...]) -> str:
    if counts == tuple(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}–{counts[-1]}"
    return " or ".join(map(str, counts))


@click.command()
@click.argument("game_id", metavar="GAME", shell_complete=complete_game)
def rules(game_id: str) -> None:
    """Show the rules of a game as the engine plays them.

    Example: arena rules trio
    """
    click.echo_via_pager(wrapped(game_named(game_id).rules(), columns_of(sys.stdout)))
