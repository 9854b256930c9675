"""What an author sends is looked at, counted against their quotas, and put into the queue."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError, BadInput
from arena.games.registry import plays
from arena.sandbox.tempdir import temp_dir
from arena.serve.config import ServeConfig
from arena.submission.lookup import house_bots
from arena.submission.manifest import MANIFEST, Manifest, read_manifest
from arena.submission.package import Package, repack, unpack
from leaderboard.authors import LeagueAuthor, bots_of, check_owner
from leaderboard.bots import version_with_content
from leaderboard.store import BotsWriter, Reader, moment
from leaderboard.uploads import (
    QUEUED,
    UNCHANGED,
    add_upload,
    end_upload,
    received_since,
    uploads_of,
)

DAY = timedelta(days=1)


class OverQuota(ArenaError):
    """An author has sent enough for today."""

    def __init__(self, sentence: str, wait_s: int) -> None:
        """Say when the next submission is allowed."""
        super().__init__(sentence)
        self.wait_s = wait_s


class Received(NamedTuple):
    """A package whose manifest has been read."""

    package: Package
    bot: str
    games: Sequence[str]


def look_at(blob: bytes, config: ServeConfig) -> Received:
    """Read a zip file; raise an error that says what is wrong with it. It takes a moment."""
    package = repack(blob)
    with temp_dir() as folder:
        bot = unpacked(package, folder / "bot")
        games = sorted({spec.game for spec in config.ladders()})
        if not any(plays(bot.games, game) for game in games):
            raise BadInput(f"{bot.name} plays no game of this league: {', '.join(games)}")
        if bot.name in house_bots():
            raise BadInput(f"{bot.name} is the name of a house bot: change it in {MANIFEST}")
        return Received(package, bot.name, bot.games)


def unpacked(package: Package, folder: Path) -> Manifest:
    """Unpack a package and read its manifest; errors do not name the folder."""
    unpack(package.blob, folder, expected=package.hash)
    try:
        return read_manifest(folder)
    except BadInput as error:
        sentence = str(error).replace(f"{folder}/", "").replace(str(folder), "the zip file")
        raise BadInput(sentence) from None


def put_into_queue(
    writer: BotsWriter,
    received: Received,
    author: LeagueAuthor,
    config: ServeConfig,
    *,
    now: datetime,
) -> int:
    """Add a package to the queue and return its number; raise `OverQuota`, or say what is wrong."""
    check_owner(writer, received.bot, author)
    check_quotas(writer, author, config, now=now)
    _check_bots(writer, received.bot, author, config)
    package = received.package
    known = version_with_content(writer, received.bot, package.hash)
    number = add_upload(writer, author, received.bot, package.hash, package.blob, now=now)
    if known:
        sentence = f"{known} already has this content: nothing changed"
        end_upload(writer, number, UNCHANGED, sentence, version=known.id, now=now)
    return number


def check_quotas(
    reader: Reader, author: LeagueAuthor, config: ServeConfig, *, now: datetime
) -> None:
    """Raise `OverQuota` if an author may not submit now."""
    quotas = config.quotas
    sent = received_since(reader, author.id, now - DAY)
    if len(sent) >= quotas.submissions_per_day:
        first = sent[-quotas.submissions_per_day][0]
        what = f"{quotas.submissions_per_day} submissions in 24 hours"
        raise _over(what, moment(first) + DAY, now)
    used_s = 0.0
    for received, cpu_ms in reversed(sent):
        used_s += cpu_ms / 1000
        if used_s >= quotas.check_cpu_s_per_day:
            what = f"{quotas.check_cpu_s_per_day} CPU seconds for checks in 24 hours"
            raise _over(what, moment(received) + DAY, now)


def _over(what: str, next_at: datetime, now: datetime) -> OverQuota:
    wait_s = max(1, round((next_at - now).total_seconds()))
    at = f"{next_at:%Y-%m-%d %H:%M:%S} UTC"
    return OverQuota(f"the quota is {what}: the next submission is allowed at {at}", wait_s)


def _check_bots(reader: Reader, bot: str, author: LeagueAuthor, config: ServeConfig) -> None:
    queued = (each.bot for each in uploads_of(reader, author.id) if each.status == QUEUED)
    own = {*bots_of(reader, author.id), *queued}
    if bot not in own and len(own) >= config.quotas.bots:
        raise BadInput(
            f"you have {', '.join(sorted(own))}: the quota is {config.quotas.bots} bots, submit a "
            "new version of one of them"
        )
