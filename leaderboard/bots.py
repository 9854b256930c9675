"""Which bots are there, in which versions?

A version is a bot's folder as it was submitted, and never changes. `NAME` means a bot's newest
version that is not retired, `NAME@2` its second.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from arena.errors import UnknownName, did_you_mean
from leaderboard.packing import Packed
from leaderboard.store import Reader, Writer, timestamp


class Version(NamedTuple):
    """A bot as it was submitted once."""

    id: int
    bot: str
    number: int
    """From 1, for each bot."""
    hash: str
    games: tuple[str, ...]
    manifest: str
    """Its bot.toml."""
    lock: str
    """What it needs installed, pinned; empty for nothing."""
    files: int
    size: int
    """In bytes, unpacked."""
    submitted: str
    retired: str | None
    """Since when it plays no more, unless asked for by number."""

    def __str__(self) -> str:
        """Write it as it is asked for."""
        return f"{self.bot}@{self.number}"


class Submission(NamedTuple):
    """What became of a submitted bot."""

    version: Version
    is_new: bool
    """False if the bot has a version with this content already, which is then the version."""


_VERSIONS = """
    SELECT versions.id, name, number, hash, games, manifest, lock, files, size, submitted, retired
    FROM versions JOIN bots ON bots.id = versions.bot
"""


def all_versions(reader: Reader, name: str | None = None) -> list[Version]:
    """Return the versions of every bot, or of one, by name and number."""
    where, values = ("", []) if name is None else ("WHERE name = ?", [name])
    rows = reader.rows(f"{_VERSIONS} {where} ORDER BY name, number", values)
    versions = [
        Version(id, bot, number, digest, tuple(games.split()), *rest)
        for id, bot, number, digest, games, *rest in rows
    ]
    if name is not None and not versions:
        raise _unknown(reader, name)
    return versions


def find_version(reader: Reader, word: str) -> Version:
    """Return the version that is meant by `NAME` or `NAME@NUMBER`."""
    name, at, number = word.partition("@")
    versions = all_versions(reader, name)
    if at:
        for version in versions:
            if str(version.number) == number:
                return version
        raise UnknownName(f"{name} has no version {number!r}: {_listed(versions)}")
    for version in reversed(versions):
        if not version.retired:
            return version
    raise UnknownName(f"{name} is retired: its versions play if asked for, {_listed(versions)}")


def package_of(reader: Reader, version: int) -> bytes:
    """Return the packed folder of a version."""
    ((package,),) = reader.rows("SELECT package FROM versions WHERE id = ?", [version])
    return bytes(package)


def submit(
    writer: Writer,
    *,
    name: str,
    games: tuple[str, ...],
    manifest: str,
    lock: str,
    packed: Packed,
    now: datetime,
) -> Submission:
    """Add a version to a bot, which may be new; content that it has already changes nothing."""
    with writer.transaction():
        writer.write("INSERT OR IGNORE INTO bots (name) VALUES (?)", [name])
        ((bot, newest),) = writer.rows(
            """
            SELECT bots.id, coalesce(max(number), 0)
            FROM bots LEFT JOIN versions ON versions.bot = bots.id WHERE name = ?
            """,
            [name],
        )
        same = writer.row(
            "SELECT number FROM versions WHERE bot = ? AND hash = ?", [bot, packed.hash]
        )
        if not same:
            writer.write(
                """
                INSERT INTO versions (bot, number, hash, games, manifest, lock, files, size,
                    submitted, package)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    *(bot, newest + 1, packed.hash, " ".join(games), manifest, lock),
                    *(packed.files, packed.size, timestamp(now), packed.blob),
                ],
            )
    number = same[0] if same else newest + 1
    return Submission(find_version(writer, f"{name}@{number}"), is_new=not same)


def retire(writer: Writer, word: str, *, now: datetime) -> list[Version]:
    """Let a bot, or one version of it, play no more; return the versions that this concerns."""
    chosen = [find_version(writer, word)] if "@" in word else all_versions(writer, word)
    playing = [version for version in chosen if not version.retired]
    with writer.transaction():
        writer.write_many(
            "UPDATE versions SET retired = ? WHERE id = ?",
            [(timestamp(now), version.id) for version in playing],
        )
    return playing


def _unknown(reader: Reader, name: str) -> UnknownName:
    names = [name for (name,) in reader.rows("SELECT name FROM bots ORDER BY name")]
    hint = did_you_mean(name, names) if names else "none has been submitted yet"
    return UnknownName(f"no bot is called {name!r}: {hint}")


def _listed(versions: list[Version]) -> str:
    return f"there are {', '.join(map(str, versions))}"
