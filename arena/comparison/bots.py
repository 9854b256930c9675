"""Find and pack the bots of a comparison."""

from __future__ import annotations

import json
from dataclasses import dataclass

from arena.errors import BadInput
from arena.games.registry import AnyGame, plays
from arena.indices import EntrantIndex
from arena.sandbox.packages.lockfile import lockfile_for
from arena.submission.lookup import find_bot, house_bots
from arena.submission.manifest import MANIFEST, Manifest
from arena.submission.package import Package, pack_folder
from arena.workers.block import NO_VERSION, PackedBot
from leaderboard.bots import LeagueBots, Version


@dataclass(frozen=True, slots=True)
class ComparedBot:
    """A bot as it is now; later changes to its folder do not matter."""

    title: str
    """How it is shown: its name, and its source if that is not a file or folder."""
    name: str
    hash: str
    package: bytes
    lock: str

    def is_same_as(self, other: ComparedBot) -> bool:
        """Return whether two bots are identical."""
        return (self.hash, self.lock) == (other.hash, other.lock)

    def as_entrant(self, entrant: EntrantIndex) -> PackedBot:
        """Return it in the form that workers need."""
        return PackedBot(entrant, NO_VERSION, self.name, 0, self.hash, self.package, self.lock)


def find_compared_bot(word: str, game: AnyGame, league: LeagueBots) -> ComparedBot:
    """Find the bot that a word names; raise `BadInput` if it does not play the game."""
    bot = find_bot(word, league)
    _check_game(bot, game)
    if isinstance(bot, Manifest):
        return _pack_manifest(bot, word)
    return ComparedBot(f"{bot} of the league", bot.bot, bot.hash, league.package(bot), bot.lock)


def _pack_manifest(bot: Manifest, word: str) -> ComparedBot:
    if bot.is_command_line:
        raise BadInput(
            f"{word!r} is a command line: its files are not known, so it cannot be compared; "
            f"put it into a folder with a {MANIFEST}"
        )
    packed = _pack_file(bot) if bot.only else pack_folder(bot.folder)
    lock = str(lockfile_for(bot.requirements)) if bot.requirements else ""
    title = f"{word} (house bot)" if bot.folder == house_bots().get(word) else word
    return ComparedBot(title, bot.name, packed.hash, packed.blob, lock)


def _check_game(bot: Manifest | Version, game: AnyGame) -> None:
    if not plays(bot.games, game.id):
        name = bot.name if isinstance(bot, Manifest) else bot
        raise BadInput(f"{name} does not play {game.id}: only {', '.join(bot.games)}")


def _pack_file(bot: Manifest) -> Package:
    """Pack a bot that is a single file, together with a generated bot.toml."""
    values = {"name": bot.name, "games": bot.games, "command": bot.command}
    manifest = "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    return pack_folder(bot.folder, only=bot.only, more={MANIFEST: manifest.encode()})
