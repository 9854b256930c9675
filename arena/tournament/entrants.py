"""Submit bots to a league, and find the ones that play in an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from arena.errors import BadInput
from arena.games.registry import EVERY_GAME, plays
from arena.models.config import PREFIX, ModelConfig, find_model, is_model, manifest_of, pack_model
from arena.sandbox.packages.lockfile import lockfile_for
from arena.sandbox.tempdir import temp_dir
from arena.scheduling.table_sizes import table_sizes
from arena.submission.lookup import find_entrant, house_bots
from arena.submission.manifest import MANIFEST, Manifest, read_manifest
from arena.submission.package import pack_folder
from arena.tournament.spec import Kind, Spec, distance_from_default
from leaderboard.bots import LeagueBots, Submission, Version, all_versions, submit
from leaderboard.store import BotsWriter, Reader, Writer


def submit_folder(writer: BotsWriter, bot: Manifest, *, now: datetime) -> Submission:
    """Pack a bot's folder and add it to the league, with its requirements locked as of now."""
    packed = pack_folder(bot.folder)
    lock = str(lockfile_for(bot.requirements)) if bot.requirements else ""
    return submit(
        writer,
        name=bot.name,
        games=bot.games,
        manifest=(bot.folder / MANIFEST).read_text(encoding="utf-8"),
        lock=lock,
        packed=packed,
        now=now,
    )


def submit_model(writer: BotsWriter, config: ModelConfig, *, now: datetime) -> Submission:
    """Add a language model to the league, with its file and its templates."""
    with temp_dir() as folder:
        pack_model(config, folder / "model")
        packed = pack_folder(folder / "model")
    return submit(
        writer,
        name=f"{PREFIX}{config.name}",
        games=(EVERY_GAME,),
        manifest=manifest_of(config),
        lock="",
        packed=packed,
        now=now,
    )


def field_for(writer: Writer, spec: Spec, *, now: datetime) -> list[Version]:
    """Return the versions that play in an event; house bots among them are submitted first."""
    bots = find_field(spec, writer)
    versions = [
        submit_model(writer, bot, now=now).version
        if isinstance(bot, ModelConfig)
        else submit_folder(writer, bot, now=now).version
        if isinstance(bot, Manifest)
        else bot
        for bot in bots
    ]
    for number, version in enumerate(versions):
        if version in versions[:number]:
            raise BadInput(
                f"{version} is listed twice: an event counts the results of each bot, so a bot "
                "cannot meet itself, nor be its own partner; submit a copy under another name"
            )
    return versions


def find_field(spec: Spec, reader: Reader | None) -> list[Version | Manifest | ModelConfig]:
    """Find the bots of an event, or raise an error that says why they cannot play.

    Without a league there are only house bots. A language model plays only if it is named, as
    its file describes it now.
    """
    known = all_versions(reader) if reader else []
    house = _house_manifests(known)
    # The house bot of this installation, unless a version is given.
    newest: dict[str, Version | Manifest] = {
        **{version.bot: version for version in known if not version.retired},
        **house,
    }
    usual = [name for name, bot in newest.items() if plays(bot.games, spec.game)]
    words = _words_of(spec, [name for name in usual if not is_model(name)])
    league = LeagueBots(lambda: reader)
    bots: list[Version | Manifest | ModelConfig] = []
    for word in words:
        if is_model(word) and "@" not in word:
            bots.append(find_model(word))
            continue
        found = find_entrant(word, league, house)
        bot = house[found] if isinstance(found, str) else found
        if not plays(bot.games, spec.game):
            raise BadInput(f"{word} does not play {spec.game}: only {', '.join(bot.games)}")
        bots.append(bot)
    _check_count(spec, words)
    return bots


def field_now(reader: Reader, spec: Spec, *, since: str) -> list[Version]:
    """Return the versions that play in a ladder at present, leaving out retired ones.

    A bot plays with its newest version. One that was entered by a version number plays
    with that version, even if it was retired before the event began, at `since`.
    """
    versions = all_versions(reader)
    playing = {version.bot: version for version in versions if not version.retired}
    if not spec.bots:
        usual = [version for version in playing.values() if not is_model(version.bot)]
        return [version for version in usual if plays(version.games, spec.game)]
    for version in versions:
        if not version.retired or version.retired < since:
            playing[str(version)] = version
    found = (playing[word] for word in spec.bots if word in playing)
    return [version for version in found if plays(version.games, spec.game)]


def display_names(bots: Sequence[tuple[str, int]]) -> list[str]:
    """Return display names of bots, given as names and versions.

    The version is added where two bots share a name.
    """
    counts = Counter(name for name, _ in bots)
    return [f"{name}@{version}" if counts[name] > 1 else name for name, version in bots]


def _house_manifests(versions: Sequence[Version]) -> dict[str, Manifest]:
    """Return the house bots by name, except for those retired in a league with these versions."""
    retired = {v.bot for v in versions} - {v.bot for v in versions if not v.retired}
    house = house_bots()
    return {name: read_manifest(house[name]) for name in house if name not in retired}


def _words_of(spec: Spec, names: Iterable[str]) -> Sequence[str]:
    """Return the words that name the field, the challengers of a gauntlet first."""
    if spec.kind is not Kind.GAUNTLET or spec.against:
        return (*spec.members(), *spec.bots, *spec.against) or sorted(names)
    challengers = {word.partition("@")[0] for word in spec.bots}
    return (*spec.bots, *sorted(set(names) - challengers))


def settle_seats(spec: Spec, bots: int) -> Spec:
    """Return the spec with a table size, if none was asked for and its field cannot fill a table.

    A gauntlet always has one, because each table has only one of its challengers.
    """
    if spec.teams or spec.seats is not None:
        return spec
    most = _most_seats(spec, bots)
    if spec.kind is not Kind.GAUNTLET and most >= spec.table_size() - 1:
        return spec
    counts = [seats for seats in spec.the_game.seats_for(spec.parameters()) if seats <= most]
    return replace(spec, seats=min(counts, key=distance_from_default, default=None))


def _most_seats(spec: Spec, bots: int) -> int:
    """Return how many of these bots can sit at one table: of challengers, only one."""
    return bots - len(spec.bots) + 1 if spec.kind is Kind.GAUNTLET else bots


def _check_count(spec: Spec, words: Sequence[str]) -> None:
    spec = settle_seats(spec, len(words))
    wanted, most = spec.table_size(), _most_seats(spec, len(words))
    with suppress(BadInput):
        if table_sizes(most, wanted=wanted, allowed=spec.allowed_sizes()):
            return
    who = ", ".join(words) or "none"
    allowed = spec.the_game.seats_for(spec.parameters())
    fitting = [seats for seats in allowed if seats <= most]
    if not fitting:
        least = f"{spec.game} is played by {min(allowed)} or more at a table"
        raise BadInput(f"too few bots ({who}): {least}")
    more = "name more to play against" if spec.kind is Kind.GAUNTLET else "name more"
    raise BadInput(
        f"too few bots for tables of {wanted} ({who}): {more}, or use --seats {max(fitting)}"
    )
