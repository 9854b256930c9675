"""Games that other packages bring, for the environments of caged bots: their files, and the
packages that they require.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from arena.errors import ArenaError
from arena.games.installed import GROUP, installed_games, package_of

_OWN_NAME = "arena-league"
"""This project: bots have its SDK only."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class BrokenInstallation(ArenaError):
    """A package that this program needs is missing or incomplete."""


def game_files() -> dict[Path, bytes]:
    """Read the packages of all installed games, each file with its path below `site-packages`.

    The folder of the module is read, not the package's list of files, so that an editable
    installation works too. A package that cannot be found is left out: its game cannot be imported
    here either.
    """
    files: dict[Path, bytes] = {}
    for point in _entry_points():
        files |= _module_files(point.module.partition(".")[0]) | _metadata(point)
    return files


def required_packages() -> list[Distribution]:
    """Find the packages that installed games require and all their dependencies, sorted by name.

    The packages that bring the games are not among them.
    """
    games = {canonical(package_of(point)) for point in _entry_points()}
    if not games:
        return []
    found: dict[str, Distribution] = {}
    wanted = [(game, "") for game in games]
    while wanted:
        name, condition = wanted.pop()
        if name in found or name == _OWN_NAME:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            # A condition, such as an older Python, may not apply here.
            if condition or name in games:
                continue
            raise BrokenInstallation(
                f"the package {name} is not installed: install it with pip"
            ) from None
        wanted += _requirements(found[name])
    return [found[name] for name in sorted(found) if name not in games]


def package_files(package: Distribution) -> Iterator[tuple[str, Path]]:
    """Yield a package's files below `site-packages`, except compiled ones and programs.

    Each is its path there, and the file itself.
    """
    for path in package.files or ():
        if path.suffix != ".pyc" and ".." not in path.parts and not path.is_absolute():
            yield str(path), Path(str(path.locate()))


def canonical(name: str) -> str:
    """Return the normalized form of a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _requirements(package: Distribution) -> Iterable[tuple[str, str]]:
    """Yield the name and condition of each package that it requires, extras excluded."""
    for line in package.requires or ():
        requirement, _, condition = line.partition(";")
        name = _NAME.search(requirement)
        if name and "extra" not in condition:
            yield canonical(name[0]), condition.strip()


def _entry_points() -> list[EntryPoint]:
    return [point for points in installed_games().values() for point in points]


def _module_files(name: str) -> dict[Path, bytes]:
    """Read a package, or the file of a single module."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        return {}
    origin = Path(spec.origin)
    if not spec.submodule_search_locations:
        return {Path(origin.name): origin.read_bytes()}
    top = origin.parent
    return {
        path.relative_to(top.parent): path.read_bytes()
        for path in sorted(top.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _metadata(point: EntryPoint) -> dict[Path, bytes]:
    """Write what lets the SDK find the game in the cage."""
    name = package_of(point)
    folder = Path(f"{name.replace('-', '_')}-0.dist-info")
    entry = f"[{GROUP}]\n{point.name} = {point.value}\n"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n"
    return {folder / "entry_points.txt": entry.encode(), folder / "METADATA": about.encode()}
