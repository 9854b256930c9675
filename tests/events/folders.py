"""Bots as folders, for tests that play for real."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from arena.events.work import Contender
from arena.games.registry import GAME_IDS
from leaderboard.packing import pack_folder

ROOT = Path(__file__).parents[2]
RANDOM = ROOT / "bots" / "random" / "bot.py"
HONEST = ROOT / "tests" / "rogues" / "honest.py"
ROGUE = ROOT / "tests" / "rogues" / "rogue.py"


def bot_folder(place: Path, name: str, program: Path = RANDOM, *words: str) -> Path:
    """Make the folder of a bot that is one Python file, started with these words."""
    folder = place / name
    folder.mkdir(parents=True)
    shutil.copy(program, folder / "bot.py")
    command = json.dumps(["python", "bot.py", *words])
    (folder / "bot.toml").write_text(
        f'name = "{name}"\ngames = {json.dumps(GAME_IDS)}\ncommand = {command}\n', encoding="utf-8"
    )
    return folder


def contender(folder: Path, version: int) -> Contender:
    """Make a worker's copy of a bot."""
    packed = pack_folder(folder)
    return Contender(version, folder.name, 1, packed.hash, packed.blob, "")
