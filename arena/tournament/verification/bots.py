"""Check the bots of a league against their packages.

A package has the hash, the number of files and the size that are stored beside it, its bot.toml is
the stored manifest, and the manifest has the bot's name and games. The wheels in a lockfile were
chosen at the submission: only its form is checked here, and the journal has its content.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import islice

from arena.errors import BadPackage, BadText
from arena.sandbox.packages.lockfile import Lockfile
from arena.submission.manifest import MANIFEST
from arena.submission.package import PackageContent, read_package
from arena.tournament.verification.differences import AT_MOST, compare
from leaderboard.bots import Version, all_versions, package_of
from leaderboard.store import Reader


def bot_differences(reader: Reader) -> list[str]:
    """Return a sentence for each difference between a version and its package."""
    with reader.snapshot():
        return list(islice(_differences(reader), AT_MOST))


def _differences(reader: Reader) -> Iterator[str]:
    for version in all_versions(reader):
        for difference in _check(version, package_of(reader, version.id)):
            yield f"{version}: {difference}"


def _check(version: Version, package: bytes) -> Iterator[str]:
    try:
        content = read_package(package)
    except BadPackage as error:
        yield f"package: {error}"
        return
    yield from compare("hash", version.hash, content.hash)
    yield from compare("files", version.files, content.entries)
    yield from compare("size", version.size, content.size)
    # A link is followed at the submission; the journal has what was found there.
    if MANIFEST not in content.links:
        yield from compare("manifest", version.manifest, _manifest_in(content))
    yield from _check_manifest(version)


def _manifest_in(content: PackageContent) -> str | None:
    """Return the bot.toml of a package as it is read at a submission."""
    try:
        text = content.files[MANIFEST].decode()
    except (KeyError, UnicodeDecodeError):
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _check_manifest(version: Version) -> Iterator[str]:
    """Compare name and games with the manifest, and its requirements with the lockfile."""
    try:
        table = tomllib.loads(version.manifest)
        games = " ".join(dict.fromkeys(table["games"]))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, RecursionError) as error:
        yield f"manifest cannot be read: {error}"
        return
    yield from compare("name", version.bot, table.get("name"))
    yield from compare("games", " ".join(version.games), games)
    if not table.get("requirements"):
        yield from compare("lock", version.lock, "")
        return
    try:
        Lockfile.read(version.lock)
    except BadText as error:
        yield f"lock: {error}"
