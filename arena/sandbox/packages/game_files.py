"""The files of games that other packages bring, for the environments of caged bots."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from arena.games.installed import GROUP, InstalledGame, installed_games

_IGNORED = "__pycache__"


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


def game_packages() -> list[str]:
    """List the packages that bring games; bots need what these require."""
    return sorted({point.package for point in _entry_points()})


def _entry_points() -> list[InstalledGame]:
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
        if path.is_file() and _IGNORED not in path.parts
    }


def _metadata(point: InstalledGame) -> dict[Path, bytes]:
    """Write what lets the SDK find the game in the cage."""
    folder = Path(f"{point.package.replace('-', '_')}-0.dist-info")
    entry = f"[{GROUP}]\n{point.id} = {point.value}\n"
    return {folder / "entry_points.txt": entry.encode()}
