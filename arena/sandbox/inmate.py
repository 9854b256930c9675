"""What goes into a cage?"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import BadInput
from arena.limits import Limits
from arena.manifest import Manifest
from arena.sandbox.environments import Environment

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
"""The folders of the machine's own programs, as far as they are there: every cage shows them."""
ALTERNATIVES = "/etc/alternatives"
"""Debian's links from a program's name to the one that was chosen for it; shown as well."""
_OF_PROGRAMS = ("bin", "lib", "lib64", "libexec", "conf")


@dataclass(frozen=True, slots=True)
class Inmate:
    """A bot with all that it needs to be started in a cage."""

    command: Sequence[str]
    """As the cage sees it."""
    folder: Path
    """A copy of the bot's own."""
    environment: Environment
    own_variables: Mapping[str, str]
    """Environment variables that the bot asks for."""
    prefixes: Sequence[Path]
    """Folders of programs that lie elsewhere than programs usually do."""
    limits: Limits


def command_inside(
    bot: Manifest, *, folder: str, environment: str
) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """Return a bot's command as a cage sees it that shows the bot's folder and environment there.

    Beside it, the folders that must be shown for it.
    """
    rest = bot.command[1:]
    if bot.runs_python:
        return (f"{environment}/bin/python", *rest), ()
    local = bot.local_program()
    if local:
        return (f"{folder}/{local}", *rest), ()
    program = shutil.which(bot.command[0])
    if program is None:
        raise BadInput(f"{bot.name} needs the program {bot.command[0]!r}, which is not installed")
    shown = (*SYSTEM, ALTERNATIVES)
    apart = [path for path in _steps(Path(program)) if not any(map(path.is_relative_to, shown))]
    return (program, *rest), tuple(folder for path in apart for folder in _installed(path))


def _steps(program: Path) -> Iterator[Path]:
    """Yield a program and whatever it is a link to, one after the other."""
    yield program
    real = program.resolve()
    while program.is_symlink():
        program = Path(os.path.normpath(program.parent.resolve() / os.readlink(program)))
        yield program
    if program != real:
        yield real


def _installed(program: Path) -> list[Path]:
    """Return the folders that a program was installed into with all that belongs to it."""
    folder = program.parent
    prefix = folder.parent if folder.name == "bin" else folder
    home = Path(os.path.expanduser("~"))
    if home.is_relative_to(prefix):
        raise BadInput(
            f"{program} cannot be shown to a bot without all of {prefix}: install it elsewhere"
        )
    if prefix == folder or not prefix.is_relative_to(home):
        return [prefix]
    # In a home, the owner's own things lie beside it: ~/.local/share.
    parts = [prefix / name for name in _OF_PROGRAMS]
    return [part for part in parts if part.is_dir()]
