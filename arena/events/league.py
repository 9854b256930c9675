"""How do bots get into a league, and which of them play in an event?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from arena.errors import BadInput, UnknownName, did_you_mean
from arena.events.spec import Spec
from arena.house import house_bots
from arena.manifest import MANIFEST, Manifest, read_manifest
from arena.sandbox.locks import lock_of
from arena.scheduling.seating import table_sizes
from leaderboard.bots import Submission, Version, all_versions, find_version, submit
from leaderboard.packing import pack_folder
from leaderboard.store import Reader, Writer


def submit_folder(writer: Writer, bot: Manifest, *, now: datetime) -> Submission:
    """Pack a bot's folder and add it to the league, with what its requirements come to today."""
    packed = pack_folder(bot.folder)
    lock = str(lock_of(bot.requirements)) if bot.requirements else ""
    return submit(
        writer,
        name=bot.name,
        games=bot.games,
        manifest=(bot.folder / MANIFEST).read_text(encoding="utf-8"),
        lock=lock,
        packed=packed,
        now=now,
    )


def field_for(writer: Writer, spec: Spec, *, now: datetime) -> list[Version]:
    """Find who plays in an event; house bots that are meant are added to the league."""
    house = _house_of(writer)
    # A house bot is always the one that comes with this arena, unless a version is asked for.
    newest: dict[str, Version | Manifest] = {
        **{version.bot: version for version in all_versions(writer) if not version.retired},
        **house,
    }
    words = spec.bots or sorted(name for name in newest if spec.game in newest[name].games)
    bots = [newest.get(word) or version_meant(writer, word, house) for word in words]
    for word, bot in zip(words, bots, strict=True):
        if spec.game not in bot.games:
            raise BadInput(f"{word} does not play {spec.game}: only {', '.join(bot.games)}")
    _check_count(spec, words)
    versions = [
        submit_folder(writer, bot, now=now).version if isinstance(bot, Manifest) else bot
        for bot in bots
    ]
    for number, version in enumerate(versions):
        if version in versions[:number]:
            raise BadInput(f"{version} is named twice: nobody plays against itself")
    return versions


def _house_of(reader: Reader) -> dict[str, Manifest]:
    """Return the house bots by name, without those that this league has retired."""
    versions = all_versions(reader)
    retired = {v.bot for v in versions} - {v.bot for v in versions if not v.retired}
    house = house_bots()
    return {name: read_manifest(house[name]) for name in house if name not in retired}


def version_meant(reader: Reader, word: str, house: Collection[str]) -> Version:
    """Find a version in the league; for a name that nobody has, say which is near."""
    name = word.partition("@")[0]
    known = {version.bot for version in all_versions(reader)} | set(house)
    if name not in known:
        hint = did_you_mean(name, sorted(known)) if known else "none has been submitted yet"
        raise UnknownName(f"no bot is called {name!r}: {hint}")
    return find_version(reader, word)


def _check_count(spec: Spec, words: Sequence[str]) -> None:
    wanted, allowed = spec.table_size(), spec.the_game.seats_for(spec.parameters())
    fitting = [seats for seats in allowed if _can_be_seated(len(words), seats, allowed)]
    if wanted in fitting:
        return
    who = ", ".join(words) or "none"
    other = f", or take --seats {min(fitting[-1], len(words))}" if fitting else ""
    raise BadInput(
        f"too few bots for {spec.game} at tables of {wanted} ({who}): submit more{other}"
    )


def _can_be_seated(bots: int, seats: int, allowed: Collection[int]) -> bool:
    try:
        return bool(table_sizes(bots, wanted=seats, allowed=allowed))
    except BadInput:
        return False
