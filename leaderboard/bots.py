"""Bots of the league and their versions.

A version is a bot's folder as it was submitted, and never changes. `NAME` stands for the newest
version of a bot that is not retired, `NAME@2` for its second version.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from arena.errors import UnknownName, did_you_mean
from arena.indices import VersionId
from arena.submission.manifest import text_in
from arena.submission.package import Package
from leaderboard.file.journal import insert, record, update
from leaderboard.store import BotsWriter, Reader, timestamp
from leaderboard.strength.league import playing_versions, prepare_all, store_prepared


class Version(NamedTuple):
    """One submission of a bot."""

    id: VersionId
    bot: str
    number: int
    """Counts from 1 for each bot."""
    hash: str
    games: tuple[str, ...]
    manifest: str
    """Its bot.toml."""
    lock: str
    """The pinned packages that it needs; empty if it needs none."""
    files: int
    size: int
    """Unpacked, in bytes."""
    submitted: str
    retired: str | None
    """When it was retired; since then it plays only if asked for by number."""
    owner: str | None = None
    """The author of a served league to whom the bot belongs."""

    @property
    def author(self) -> str:
        """Its owner, or else the author that its bot.toml names; empty if it names none."""
        return self.owner or text_in(self.manifest, "author")

    @property
    def title(self) -> str:
        """What it is called where people read, beside its name; empty if it has only the name."""
        return text_in(self.manifest, "title")

    def __str__(self) -> str:
        """Return its name as a user types it."""
        return f"{self.bot}@{self.number}"


class Submission(NamedTuple):
    """The result of a submission."""

    version: Version
    is_new: bool
    """False if the bot already had a version with this content; `version` is then that one."""


_VERSIONS = """
    SELECT versions.id, bots.name, number, hash, games, manifest, lock, files, size, submitted,
        retired, authors.name
    FROM versions JOIN bots ON bots.id = versions.bot
    LEFT JOIN owners ON owners.bot = bots.id LEFT JOIN authors ON authors.id = owners.author
"""


def all_versions(reader: Reader, name: str | None = None) -> list[Version]:
    """Return the versions of all bots, or of one bot, ordered by name and number."""
    where, values = ("", []) if name is None else ("WHERE bots.name = ?", [name])
    rows = reader.rows(f"{_VERSIONS} {where} ORDER BY bots.name, number", values)
    versions = list(map(_version, rows))
    if name is not None and not versions:
        raise _unknown(reader, name)
    return versions


def titles(reader: Reader) -> dict[VersionId, str]:
    """Return the titles of the versions that have one."""
    sql = "SELECT id, manifest FROM versions WHERE manifest LIKE '%title%'"
    found = {id: text_in(manifest, "title") for id, manifest in reader.rows(sql)}
    return {id: title for id, title in found.items() if title}


def version_with_id(reader: Reader, version: VersionId) -> Version:
    """Return the version that has this id."""
    (row,) = reader.rows(f"{_VERSIONS} WHERE versions.id = ?", [version])
    return _version(row)


def _version(row: tuple[Any, ...]) -> Version:
    id, bot, number, digest, games, *rest = row
    return Version(id, bot, number, digest, tuple(games.split()), *rest)


def find_version(reader: Reader, word: str) -> Version:
    """Return the version that `NAME` or `NAME@NUMBER` stands for."""
    name, at, number = word.partition("@")
    versions = all_versions(reader, name)
    if at:
        for version in versions:
            if str(version.number) == number:
                return version
        raise UnknownName(f"no such version: {word!r}; {_list_versions(versions)}")
    for version in reversed(versions):
        if not version.retired:
            return version
    raise UnknownName(f"{name} is retired: to play it, name a version; {_list_versions(versions)}")


class LeagueBots:
    """The bots of a league, as `arena.submission.lookup` asks for them."""

    def __init__(self, open_league: Callable[[], Reader | None]) -> None:
        """Open the league when it is first needed; None if there is none."""
        self._open = cache(open_league)

    def names(self) -> list[str]:
        """Return the names of all bots, retired ones included."""
        reader = self._open()
        return _names(reader) if reader else []

    def find(self, word: str) -> Version:
        """Return the version that `NAME` or `NAME@NUMBER` names."""
        return find_version(self._reader(), word)

    def package(self, version: Version) -> bytes:
        """Return the packed folder of a version."""
        return package_of(self._reader(), version.id)

    def _reader(self) -> Reader:
        reader = self._open()
        assert reader, "only a league has versions"
        return reader


def package_of(reader: Reader, version: VersionId) -> bytes:
    """Return the packed folder of a version."""
    ((package,),) = reader.rows("SELECT package FROM versions WHERE id = ?", [version])
    return bytes(package)


def version_with_content(reader: Reader, name: str, digest: str) -> Version | None:
    """Return the version of a bot that has this content; None if there is none."""
    sql = f"{_VERSIONS} WHERE bots.name = ? AND hash = ?"
    row = reader.row(sql, [name, digest])
    return _version(row) if row else None


def submit(
    writer: BotsWriter,
    *,
    name: str,
    games: tuple[str, ...],
    manifest: str,
    lock: str,
    packed: Package,
    now: datetime,
) -> Submission:
    """Add a version of a new or known bot; do nothing if it already has one with this content."""
    with writer.transaction():
        writer.write("INSERT OR IGNORE INTO bots (name) VALUES (?)", [name])
        ((bot,),) = writer.rows("SELECT id FROM bots WHERE name = ?", [name])
        same = writer.row(
            "SELECT number FROM versions WHERE bot = ? AND hash = ?", [bot, packed.hash]
        )
        ((newest,),) = writer.rows(
            "SELECT coalesce(max(number), 0) FROM versions WHERE bot = ?", [bot]
        )
        if not same:
            ((id,),) = writer.rows("SELECT coalesce(max(id), 0) + 1 FROM versions")
            version = {
                "id": id,
                "bot": bot,
                "number": newest + 1,
                "hash": packed.hash,
                "games": " ".join(games),
                "manifest": manifest,
                "lock": lock,
                "files": packed.files,
                "size": packed.size,
                "submitted": timestamp(now),
                "package": packed.blob,
            }
            record(writer, "bots", {"id": bot})
            insert(writer, "versions", [version])
    number = same[0] if same else newest + 1
    return Submission(find_version(writer, f"{name}@{number}"), is_new=not same)


def retire(writer: BotsWriter, word: str, *, now: datetime) -> list[Version]:
    """Retire a bot, or one version of it; return the versions that were not retired before."""
    playing = [version for version in _named(writer, word) if not version.retired]
    _set_retired(writer, playing, timestamp(now))
    return playing


def bring_back(writer: BotsWriter, word: str) -> list[Version]:
    """Undo the retirement of a bot, or of one version; return the versions that were retired."""
    retired = [version for version in _named(writer, word) if version.retired]
    _set_retired(writer, retired, None)
    return retired


def _named(reader: Reader, word: str) -> list[Version]:
    """Return all versions of `NAME`, or the one that `NAME@NUMBER` names."""
    return [find_version(reader, word)] if "@" in word else all_versions(reader, word)


def _set_retired(writer: BotsWriter, versions: list[Version], moment: str | None) -> None:
    if not versions:
        return
    changed = {version.id for version in versions}
    playing = playing_versions(writer)
    # The others have new ranks. The stored sums are enough for them: a running event adds its own.
    prepared = prepare_all(
        writer, playing - changed if moment else playing | changed, with_new=False
    )
    with writer.transaction():
        for version in versions:
            update(writer, "versions", {"id": version.id}, {"retired": moment})
        for strengths in prepared:
            store_prepared(writer, strengths)


def _unknown(reader: Reader, name: str) -> UnknownName:
    names = _names(reader)
    hint = did_you_mean(name, names) if names else "no bot has been submitted yet"
    return UnknownName(f"no such bot: {name!r}; {hint}")


def _names(reader: Reader) -> list[str]:
    return [name for (name,) in reader.rows("SELECT name FROM bots ORDER BY name")]


def _list_versions(versions: list[Version]) -> str:
    return f"choose from {', '.join(map(str, versions))}"
