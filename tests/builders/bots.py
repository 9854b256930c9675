"""Bots as folders, for tests that play for real."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from arena.games.registry import GAME_IDS
from arena.indices import EntrantIndex, VersionId
from arena.submission.package import pack_folder
from arena.workers.block import PackedBot

ROOT = Path(__file__).parents[2]
RANDOM = ROOT / "bots" / "random" / "bot.py"
ROGUES = ROOT / "tests" / "rogues"
HONEST = ROGUES / "honest.py"
ROGUE = ROGUES / "rogue.py"
RANDOM_CRASHER = ROGUES / "random_crasher.py"
TIME_SPENDER = ROGUES / "time_spender.py"


def bot_folder(parent: Path, name: str, program: Path = RANDOM, *arguments: str) -> Path:
    """Make the folder of a one-file Python bot that is started with these arguments."""
    folder = parent / name
    folder.mkdir(parents=True)
    shutil.copy(program, folder / "bot.py")
    command = json.dumps(["python", "bot.py", *arguments])
    (folder / "bot.toml").write_text(
        f'name = "{name}"\ngames = {json.dumps(GAME_IDS)}\ncommand = {command}\n', encoding="utf-8"
    )
    return folder


def packed_bot(folder: Path, version: int) -> PackedBot:
    """Pack a bot's folder, as a block carries it to a worker."""
    packed = pack_folder(folder)
    entrant = EntrantIndex(version)
    return PackedBot(entrant, VersionId(version), folder.name, 1, packed.hash, packed.blob, "")
