"""The payload of a cage: a bot with everything needed to start it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import BadInput
from arena.sandbox.environments import Environment
from arena.submission.limits import Limits
from arena.submission.manifest import Manifest

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
"""The machine's folders of programs and libraries, shown in every cage if they exist."""
ALTERNATIVES = "/etc/alternatives"
"""Debian's links from a program's name to the chosen alternative; also shown in every cage."""
_PROGRAM_FOLDERS = ("bin", "lib", "lib64", "libexec", "conf")


@dataclass(frozen=True, slots=True)
class Payload:
    """A bot with everything needed to start it in a cage."""

    command: Sequence[str]
    """The command, with paths as they are in the cage."""
    folder: Path
    """A copy of the bot's folder."""
    environment: Environment
    bot_variables: Mapping[str, str]
    """Environment variables from the bot's manifest."""
    prefixes: Sequence[Path]
    """Folders of programs that are installed outside the system folders."""
    limits: Limits


def command_inside(
    bot: Manifest, *, folder: str, environment: str
) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """Return a bot's command as it is in a cage, and the folders that it needs there.

    `folder` and `environment` are the paths of the bot's folder and environment in the cage.
    """
    rest = bot.command[1:]
    if bot.runs_python:
        return (f"{environment}/bin/python", *rest), ()
    local = bot.local_program()
    if local:
        return (f"{folder}/{local}", *rest), ()
    program = shutil.which(bot.command[0])
    if program is None:
        raise BadInput(f"{bot.name} needs {bot.command[0]!r}, which is not installed")
    visible = (*SYSTEM, ALTERNATIVES)
    elsewhere = [
        path for path in _link_chain(Path(program)) if not any(map(path.is_relative_to, visible))
    ]
    return (program, *rest), tuple(
        folder for path in elsewhere for folder in _install_folders(path)
    )


def _link_chain(program: Path) -> Iterator[Path]:
    """Yield a program and each target in its chain of links."""
    yield program
    real = program.resolve()
    while program.is_symlink():
        program = Path(os.path.normpath(program.parent.resolve() / os.readlink(program)))
        yield program
    if program != real:
        yield real


def _install_folders(program: Path) -> list[Path]:
    """Return the folders that a program and its files were installed into."""
    folder = program.parent
    prefix = folder.parent if folder.name == "bin" else folder
    home = Path(os.path.expanduser("~"))
    if home.is_relative_to(prefix):
        raise BadInput(
            f"{program} cannot be shown to a bot without all of {prefix}, which includes your home "
            "folder: install it elsewhere"
        )
    if prefix == folder or not prefix.is_relative_to(home):
        return [prefix]
    # In a home folder, the owner's private files are next to it, as in ~/.local/share.
    parts = [prefix / name for name in _PROGRAM_FOLDERS]
    return [part for part in parts if part.is_dir()]
