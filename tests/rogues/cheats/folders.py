"""Make bot folders of the cheats, for tests in real events."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.rogues.cheats.house import HERE, house_program

PACKAGE = "tests.rogues.cheats"
GAMES = ("trio", "jackal", "meow", "lifeislife")
CHEATS = (
    "cheat",
    "guesser",
    "crasher",
    "opponent",
    "teller",
)
"""Their programs; words that follow are switches of a program."""


def cheat_folder(parent_folder: Path, name: str, cheat: str, mode: str) -> Path:
    """Make the self-contained folder of a cheat that plays in one of the modes.

    The name does not depend on the mode, so that the results of two modes can be compared.
    """
    folder = parent_folder / name
    package = folder / Path(*PACKAGE.split("."))
    package.mkdir(parents=True)
    for parent in package.relative_to(folder).parents:
        if parent.name:
            (folder / parent / "__init__.py").touch()
    for module in HERE.glob("*.py"):
        shutil.copy(module, package)
    for game in GAMES:
        shutil.copy(house_program(f"greedy-{game}"), package / f"greedy-{game}.py")
    program, *switches = cheat.split()
    command = json.dumps(["python", "-m", f"{PACKAGE}.{program}", mode, *switches])
    (folder / "bot.toml").write_text(
        f'name = "{name}"\ngames = {json.dumps(GAMES)}\ncommand = {command}\n', encoding="utf-8"
    )
    return folder
