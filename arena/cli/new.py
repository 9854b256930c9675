"""How does an author begin?

The templates are whole files: one bot for each game and language, and what all of a language share.
A name in double braces is filled in. A bot in JavaScript has the messages of the example, and the
positions that it is tested with are written anew, from the game itself.
"""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from random import Random
from typing import Any

import click
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

import arena
from arena.errors import BadInput
from arena.games.randomness import seed_from
from arena.games.registry import AnyGame, game_named
from arena.house import house_bots, javascript_example
from arena.manifest import NAMES, is_name
from arena.wire.codec import codec_of
from arena.wire.v1.match_pb2 import Action, Parameters, View

_TEMPLATES = Path(arena.__file__).parent / "templates"
_ENDINGS = {"python": ".py", "javascript": ".js"}
_SEATS = 3
"""All games can be played with so many."""
_POSITIONS = 6
"""So many come with a bot in JavaScript."""


@click.command()
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@click.option("--game", "game_id", metavar="GAME", required=True, help="What it plays.")
@click.option(
    "--language",
    type=click.Choice(tuple(_ENDINGS)),
    default="python",
    show_default=True,
    help="What it is written in.",
)
def new(folder: Path, game_id: str, language: str) -> None:
    """Make a folder with a bot that already plays, to be changed.

    The lines to begin with are marked, and its README says what to type next.

    Example: arena new kitten --game meow
    """
    game = game_named(game_id)
    if not is_name(folder.name):
        raise BadInput(f"a bot cannot be called {folder.name!r}: a name is {NAMES}")
    if folder.name in house_bots():
        raise BadInput(f"there is a house bot {folder.name} already: choose another name")
    _make(folder, files_of(folder.name, game, language))
    typed = shlex.quote(str(folder))
    click.echo(f"{folder} has a bot for {game.title}: {folder / f'bot{_ENDINGS[language]}'}")
    click.echo(f"{folder / 'README.md'} says what to type next. First of all:")
    if language == "javascript":
        click.echo(f"  npm ci --prefix {typed}")
    click.echo(f"  arena check {typed}")


def _make(folder: Path, files: dict[str, str]) -> None:
    """Make a folder with these files, or nothing."""
    try:
        folder.mkdir()
    except FileExistsError:
        raise BadInput(f"{folder} is there already: choose another name") from None
    except OSError as error:
        raise BadInput(f"{folder} cannot be made: {error.strerror}") from None
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise BadInput(f"{folder} cannot be made: {error.strerror}") from None


def files_of(name: str, game: AnyGame, language: str) -> dict[str, str]:
    """Return the files of a new bot, by their names in its folder."""
    place, ending = _TEMPLATES / language, _ENDINGS[language]
    shared = place / "shared"
    paths = {path.relative_to(shared): path for path in shared.rglob("*") if _is_text(path)}
    if language == "javascript":
        example = javascript_example()
        paths |= {path.relative_to(example): path for path in example.glob("protos/**/*.proto")}
    files = {str(file): _text(path) for file, path in paths.items()}
    files[f"bot{ending}"] = _text(place / f"{game.id}{ending}")
    blanks = {
        "name": name,
        "game": game.id,
        "title": game.title,
        "view": _text(place / f"{game.id}.md").strip(),
    }
    for blank, text in blanks.items():
        files = {file: content.replace(f"{{{{{blank}}}}}", text) for file, content in files.items()}
    if language == "javascript":
        files["positions.json"] = json.dumps(_positions(game), separators=(",", ":")) + "\n"
    return files


def _is_text(path: Path) -> bool:
    # An installer may have compiled what is Python here.
    return path.is_file() and path.suffix != ".pyc"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# What a position holds is the game's own, hence Any.


def _positions(game: AnyGame) -> list[dict[str, Any]]:
    """Choose some positions of a match, evenly, as a bot in another language sees them."""
    codec = codec_of(game.id)
    parameters = game.default_parameters
    start = Parameters.FromString(codec.parameters_bytes(parameters))
    state, rng = game.start(_SEATS, seed_from(1), parameters), Random(1)
    positions = []
    number = 0
    while not state.is_over:
        view = game.view_of(state, state.to_act)
        legal = game.legal_actions(view)
        if len(legal) > 1:
            actions = [Action.FromString(codec.action_bytes(action)) for action in legal]
            positions.append(
                {
                    "number": number,
                    "match": {"seats": _SEATS, "seat": view.seat, "parameters": _said(start)},
                    "view": _said(View.FromString(codec.view_bytes(view)))[game.id],
                    "legal": [_said(action)[game.id] for action in actions],
                }
            )
        state.apply(legal[int(rng.random() * len(legal))])
        number += 1
    return positions[:: -(-len(positions) // _POSITIONS)]


def _said(message: Message) -> dict[str, Any]:
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
