"""The command `arena new`: create a bot from a template.

Templates are whole files: those of each language, and a bot in Python for each game. A name in
double braces is replaced. A bot that does not use the SDK also gets the .proto files.
"""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import click

import arena
from arena.cli.options.completion import complete_game
from arena.cli.terminal.output import say
from arena.errors import BadInput
from arena.games.registry import AnyGame, game_named
from arena.submission.lookup import house_bots
from arena.submission.manifest import NAME_RULE, is_name
from arena.wire.codec import FIELDS

_TEMPLATES = Path(arena.__file__).parent / "templates"
_SUFFIXES = {"python": ".py", "javascript": ".js", "cpp": ".cpp", "go": ".go"}
_PREPARATIONS = {"javascript": "npm install --prefix", "cpp": "make -C", "go": "make -C"}
"""For each language that needs it, the command that makes a new folder playable."""
_WORKFLOW = ".github/workflows/arena.yml"


@click.command()
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@click.option(
    "--game",
    "game_id",
    metavar="GAME",
    required=True,
    shell_complete=complete_game,
    help="The game it plays.",
)
@click.option(
    "--language",
    type=click.Choice(tuple(_SUFFIXES)),
    default="python",
    show_default=True,
    help="The language it is written in.",
)
@click.option(
    "--ci", "with_ci", is_flag=True, help="Add a workflow for GitHub that judges pull requests."
)
def new(folder: Path, game_id: str, language: str, with_ci: bool) -> None:
    """Create a folder with a working bot to start from.

    In Python it knows its game; in other languages it plays any legal action. Comments mark the
    lines to change first, and its README explains the next steps.

    Example: arena new kitten --game meow
    """
    game = game_named(game_id)
    if not is_name(folder.name):
        raise BadInput(f"invalid bot name {folder.name!r}: it must be {NAME_RULE}")
    if folder.name in house_bots():
        raise BadInput(f"{folder.name} is the name of a house bot: choose another")
    files = files_of(folder.name, game, language)
    if with_ci:
        workflow = _text(_TEMPLATES / "ci" / "arena.yml").replace("{{game}}", game.id)
        files[_WORKFLOW] = workflow.replace("{{version}}", arena.__version__)
    _write_folder(folder, files)
    quoted = shlex.quote(str(folder))
    say(f"Created a bot for {game.title}: {folder / f'bot{_SUFFIXES[language]}'}")
    say(f"{folder / 'README.md'} explains the next steps. First run:")
    if language in _PREPARATIONS:
        say(f"  {_PREPARATIONS[language]} {quoted}")
    say(f"  arena check {quoted}")
    if with_ci:
        say(f"{folder / _WORKFLOW} judges pull requests: put the arena's repository there.")


def _write_folder(folder: Path, files: dict[str, str]) -> None:
    """Create a folder with these files; if that fails, leave nothing behind."""
    try:
        folder.mkdir()
    except FileExistsError:
        raise BadInput(f"{folder} already exists: choose another name") from None
    except OSError as error:
        raise BadInput(f"cannot create {folder}: {error.strerror}") from None
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise BadInput(f"cannot create {folder}: {error.strerror}") from None


def files_of(name: str, game: AnyGame, language: str) -> dict[str, str]:
    """Return the files of a new bot, by their names in its folder."""
    files = {path.name: _text(path) for path in (_TEMPLATES / language).iterdir() if _is_text(path)}
    values = {"name": name, "game": game.id, "Game": game.id.capitalize(), "title": game.title}
    if game.id not in FIELDS and language != "python":
        raise BadInput(f"{game.title} has no .proto file: only bots in Python have a template")
    if language == "python":
        is_ours = (_TEMPLATES / "games" / f"{game.id}.py").is_file()
        template = game.id if is_ours else "other"
        module = f"arena.games.{game.id}.view" if is_ours else game.view_type.__module__
        values["documented"] = f"{module.replace('.', '/')}.py"
        files["bot.py"] = _text(_TEMPLATES / "games" / f"{template}.py")
        values["view"] = _text(_TEMPLATES / "games" / f"{template}.md").strip()
        values["fields"] = ", ".join(f"`view.{name}`" for name in game.view_type._fields)
    else:
        protos = _TEMPLATES / "protos"
        for path in protos.rglob("*.proto"):
            files[f"protos/{path.relative_to(protos)}"] = _text(path)
    for placeholder, text in values.items():
        files = {
            file: content.replace(f"{{{{{placeholder}}}}}", text) for file, content in files.items()
        }
    return files


def _is_text(path: Path) -> bool:
    # An installer may have compiled the Python templates.
    return path.is_file() and path.suffix != ".pyc"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
