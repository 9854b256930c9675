"""The installed packages that games of other packages use, and their files.

`importlib.metadata` provides the same, but importing it takes longer than everything else needed to
find an environment.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from arena.errors import ArenaError

_OWN_NAME = "arena-league"
"""This project: bots have its SDK only."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class BrokenInstallation(ArenaError):
    """A package that this program needs is missing or incomplete."""


@dataclass(frozen=True)
class Package:
    """An installed package: a folder `NAME-VERSION.dist-info` and the files that it lists."""

    name: str
    version: str
    info: Path

    @cached_property
    def record(self) -> str:
        """The list of its files with their hashes."""
        return self._text("RECORD")

    def files(self) -> Iterator[PurePosixPath]:
        """Yield its files below `site-packages`, except compiled ones and programs."""
        for row in csv.reader(self.record.splitlines()):
            path = PurePosixPath(row[0])
            if path.suffix != ".pyc" and ".." not in path.parts and not path.is_absolute():
                yield path

    def required(self) -> Iterator[tuple[str, str]]:
        """Yield the name and condition of each package that it requires, extras excluded."""
        headers = self._text("METADATA").partition("\n\n")[0]
        for line in headers.splitlines():
            key, _, value = line.partition(":")
            requirement, _, condition = value.partition(";")
            name = _NAME.search(requirement)
            if key == "Requires-Dist" and name and "extra" not in condition:
                yield canonical(name[0]), condition.strip()

    def _text(self, name: str) -> str:
        try:
            return (self.info / name).read_text(encoding="utf-8")
        except OSError:
            raise BrokenInstallation(
                f"{self.info} has no {name}: reinstall {self.name} with pip"
            ) from None


def canonical(name: str) -> str:
    """Return the normalized form of a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def packages_of_games(games: Iterable[str]) -> list[Package]:
    """Find the packages that installed games require and all their dependencies, sorted by name.

    The packages that bring these games are not among them: an editable installation does not list
    their files.
    """
    installed = {package.name: package for package in _installed_packages()}
    found: dict[str, Package] = {}
    wanted: list[tuple[str, str]] = []
    for game in map(canonical, games):
        required = installed[game].required() if game in installed else ()
        wanted += [(name, condition) for name, condition in required if name != _OWN_NAME]
    while wanted:
        name, condition = wanted.pop()
        package = installed.get(name)
        if package is None:
            # A condition, such as an older Python, may not apply here.
            if condition:
                continue
            raise BrokenInstallation(f"the package {name} is not installed: install it with pip")
        if name not in found:
            found[name] = package
            wanted.extend(package.required())
    return [found[name] for name in sorted(found)]


def _installed_packages() -> Iterator[Package]:
    # The first match in sys.path is the one that is imported, so it is yielded last.
    for entry in reversed([entry for entry in sys.path if entry]):
        for info in Path(entry).glob("*.dist-info"):
            name, _, version = info.name.removesuffix(".dist-info").partition("-")
            yield Package(canonical(name), version, info)
