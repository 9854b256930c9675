"""Which bot does a word mean, and what is needed to let it play?

A folder with a bot.toml or a `.py` file, as `arena play` takes them; a house bot by its name; or a
version that the league has, by its name or as NAME@NUMBER.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from arena.errors import BadInput, UnknownName, did_you_mean
from arena.events.league import version_meant
from arena.events.work import Contender
from arena.games.registry import AnyGame
from arena.house import house_bots
from arena.manifest import MANIFEST, Manifest, find_bot, read_manifest
from arena.sandbox.folders import copy_folder
from arena.sandbox.locks import lock_of
from arena.sandbox.places import fresh
from leaderboard.bots import package_of
from leaderboard.packing import Packed, pack_folder
from leaderboard.store import Reader


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot as it is at this moment; what happens to its folder later does not matter."""

    title: str
    """What it is and where it comes from."""
    name: str
    hash: str
    package: bytes
    lock: str

    def is_same_as(self, other: Bot) -> bool:
        """Tell whether two bots are the same to the last byte."""
        return (self.hash, self.lock) == (other.hash, other.lock)

    def player(self, number: int) -> Contender:
        """Return it as a worker needs it, as one of several players."""
        return Contender(number, self.name, 0, self.hash, self.package, self.lock)


def find(word: str, game: AnyGame, league: Reader | None) -> Bot:
    """Find the bot that a word means, and refuse one that does not play the game."""
    # The function of os.path, because that of Path fails for a word that is too long.
    if os.path.isfile(f"{word}/{MANIFEST}") or word.endswith(".py"):
        return _packed(find_bot(word), game, word)
    house = house_bots()
    if word in house:
        return _packed(read_manifest(house[word]), game, f"{word}, a house bot")
    if league is None:
        raise UnknownName(
            f"there is no bot {word!r}: no folder with a {MANIFEST}, no .py file, no league to "
            f"look for it, no house bot: {did_you_mean(word, house)}"
        )
    version = version_meant(league, word, house)
    _check_game(version.bot, version.games, game)
    package = package_of(league, version.id)
    return Bot(f"{version} of the league", version.bot, version.hash, package, version.lock)


def _packed(bot: Manifest, game: AnyGame, title: str) -> Bot:
    _check_game(bot.name, bot.games, game)
    packed = _pack_file(bot) if bot.only else pack_folder(bot.folder)
    lock = str(lock_of(bot.requirements)) if bot.requirements else ""
    return Bot(title, bot.name, packed.hash, packed.blob, lock)


def _check_game(name: str, games: tuple[str, ...], game: AnyGame) -> None:
    if game.id not in games:
        raise BadInput(f"{name} does not play {game.id}: only {', '.join(games)}")


def _pack_file(bot: Manifest) -> Packed:
    """Pack a bot that is a file, with the bot.toml that it does without."""
    with fresh() as place:
        folder = place / "bot"
        copy_folder(bot.folder, folder, only=bot.only)
        values = {"name": bot.name, "games": bot.games, "command": bot.command}
        lines = (f"{key} = {json.dumps(value)}\n" for key, value in values.items())
        (folder / MANIFEST).write_text("".join(lines), encoding="utf-8")
        return pack_folder(folder)
