"""The page on JSON output lists every command with `--json`, and every key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from arena.cli import COMMANDS, main
from arena.games.outcome import Ending
from leaderboard.result import SEAT_ENDINGS
from tests.builders.leagues import league_with_stopped_event
from tests.cages import cage
from tests.cli.runner import arena

PAGE = (Path(__file__).parents[2] / "arena" / "cli" / "README.md").read_text(encoding="utf-8")
CARELESS = """from arena.sdk import Bot, run

class Careless(Bot):
    games = ("meow",)

    def choose(self, view):
        return view.hand[0]

run(Careless)
"""
MANIFEST = 'name = "kitten"\ngames = ["meow"]\ncommand = ["python", "bot.py"]\n'
INHERITED = "the keys of `arena event list`, with "


def keys_on_the_page() -> dict[str, dict[str, set[str]]]:
    """Return the keys that the page lists: by command, then by the object's path."""
    found: dict[str, dict[str, set[str]]] = {}
    command = ""
    for row in re.findall(r"^\|(.*)\|$", PAGE, re.MULTILINE)[2:]:
        name, path, keys = (cell.strip() for cell in row.split(" | "))
        command = name.strip("` ").removeprefix("|").strip() or command
        of_command = found.setdefault(command, {})
        inherited = found["arena event list"]["[]"] if keys.startswith(INHERITED) else set()
        names = re.sub(r"\([^)]*\)", "", keys.removeprefix(INHERITED))
        of_command[path.strip("`.")] = inherited | set(re.findall(r"`(\w+)`", names))
    return found


DESCRIBED = keys_on_the_page()


def commands_with_json() -> Iterator[str]:
    """Yield every command that has the option, as it is typed."""
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command
        inner = command.commands if isinstance(command, click.Group) else {}
        for words, each in {
            name: command,
            **{f"{name} {word}": inner[word] for word in inner},
        }.items():
            if any("--json" in parameter.opts for parameter in each.params):
                yield f"arena {words}"


def at_path(document: Any, path: str) -> list[Any]:
    """Return the values at a path such as `matches[].faults[]`."""
    values = [document]
    for name, is_list in re.findall(r"(\w*)(\[\])?\.?", path):
        if name:
            values = [value[name] for value in values]
        if is_list:
            values = [item for value in values for item in value]
    return values


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a league, a replay and a bot that faults."""
    folder = tmp_path_factory.mktemp("json")
    league_with_stopped_event(folder)
    (folder / "careless.py").write_text(CARELESS, encoding="utf-8")
    (folder / "kitten").mkdir()
    (folder / "kitten" / "bot.toml").write_text(MANIFEST, encoding="utf-8")
    lawful = CARELESS.replace("view.hand[0]", "self.legal_actions(view)[0]")
    (folder / "kitten" / "bot.py").write_text(lawful, encoding="utf-8")
    words = ("play", "meow", "random", "first", "--seed", "1", "--cage", cage().name)
    assert arena(*words, "--save", folder / "match.replay").exit_code == 0
    return folder


def words_for(command: str, folder: Path) -> list[object]:
    """Return a call of the command that prints as many kinds of objects as possible."""
    caged = ("--cage", cage().name)
    db = ("--db", folder / "arena.db")
    words: dict[str, tuple[object, ...]] = {
        "arena games": (),
        "arena play": ("meow", folder / "careless.py", "random", "--seed", "3", *caged),
        "arena check": (folder / "careless.py", *caged),
        "arena compare": (
            *(folder / "careless.py", "random", "--game", "meow", "--deals", "1", "--seed", "1"),
            *("--quiet", "--jobs", "1", *caged),
        ),
        "arena improve": (
            *("duel", "--game", "meow", "--with", f"{folder / 'kitten'}=true", "--bots", "random"),
            *("--seats", "2", "--deals", "1", "--rounds", "1", "--db", folder / "duel.db", *caged),
        ),
        "arena author": db,
        "arena season": db,
        "arena bots": db,
        "arena bots show": ("cat", *db),
        "arena event list": db,
        "arena event show": ("cup", *db),
        "arena event delete": ("open", "--yes", *db),
        "arena leaderboard": ("meow", *db),
        "arena leaderboard --head-to-head": ("meow", *db),
        "arena collusion": ("meow", *db),
        "arena verify": db,
        "arena rerate": db,
        "arena replay analyse": (folder / "match.replay", "--playouts", "2", "--seat", "0"),
        "arena replay verify": (folder / "match.replay",),
        "arena doctor": (),
    }
    return [*command.split()[1:], *words[command], "--json"]


def test_every_command_with_json_is_on_the_page() -> None:
    assert set(commands_with_json()) == {name.partition(" --")[0] for name in DESCRIBED}


def test_the_page_lists_every_ending() -> None:
    (paragraph,) = re.findall(r"^An `ending`.*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    codes = {*(ending.code for ending in Ending), *SEAT_ENDINGS}
    assert set(re.findall(r"`(\w+)`", paragraph)) - {"ending"} == codes


@pytest.mark.parametrize("command", DESCRIBED)
def test_the_page_lists_the_keys_that_a_command_prints(command: str, folder: Path) -> None:
    document = json.loads(arena(*words_for(command, folder)).stdout)
    found = {path: at_path(document, path) for path in DESCRIBED[command]}
    assert {path: set(values[0]) for path, values in found.items() if values} == {
        path: keys for path, keys in DESCRIBED[command].items() if found[path]
    }
