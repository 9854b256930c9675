"""The programs that a bot needs besides Python, and the files that these need.

A program in a bot's folder may itself be a script that another program runs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from arena.errors import BadInput
from arena.submission.manifest import PYTHONS, Manifest

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
"""The machine's folders of programs and libraries."""
ALTERNATIVES = "/etc/alternatives"
"""Debian's links from a program's name to the chosen alternative."""
PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where bots look for programs."""
_PROGRAM_FOLDERS = ("bin", "lib", "lib64", "libexec", "conf")
_MAX_SHEBANG = 256
_UNUSED = re.compile(
    r"/usr/(include|src|share/(doc|doc-base|man|info|locale|lintian|bug|bash-completion|menu|icons"
    r"|applications|pixmaps|mime)|lib/(node_modules|debug|[^/]+/gconv))/|/(var|boot|run)/|.*\.a$"
)
"""Files of packages that no program needs to run; npm comes with Node, but bots bring modules."""
_QUERY_TIMEOUT_S = 60
_PARTS, _NAME = re.compile(r"[,|] *"), re.compile(r"[a-z0-9][a-z0-9+.-]+")


def find_program(bot: Manifest) -> Path | None:
    """Return the installed program that runs a bot, unless that is Python or in its own folder."""
    if bot.runs_python:
        return None
    local = bot.local_program()
    name = _script_program(bot.folder / local) if local else bot.command[0]
    if name is None:
        return None
    program = shutil.which(name)
    if program is None:
        raise BadInput(f"{bot.name} needs {name!r}, which is not installed")
    return Path(program)


def _script_program(script: Path) -> str | None:
    """Return the installed program that runs a script, unless every cage has it."""
    with script.open("rb") as file:
        line = file.read(_MAX_SHEBANG).partition(b"\n")[0]
    words = os.fsdecode(line.removeprefix(b"#!")).split() if line.startswith(b"#!") else []
    if words and os.path.basename(words[0]) == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if not words or os.path.basename(words[0]) in ("sh", *PYTHONS):
        return None
    # Anyone may name a path here, so it counts only in a system folder.
    is_ours = words[0].startswith(tuple(f"{folder}/" for folder in SYSTEM))
    return words[0] if "/" not in words[0] or (is_ours and ".." not in words[0]) else None


def install_folders(program: Path) -> tuple[Path, ...]:
    """Return the folders outside the system folders into which a program was installed."""
    visible = (*SYSTEM, ALTERNATIVES)
    elsewhere = [
        path for path in _link_chain(program) if not any(map(path.is_relative_to, visible))
    ]
    return tuple(folder for path in elsewhere for folder in _install_folders(path))


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


def packaged_files(program: Path) -> list[Path]:
    """List the files of a program's Debian package and of the packages that it depends on.

    Empty where there is no dpkg, or it does not know the program.
    """
    real = str(program.resolve())
    # Packages may still use the paths of before /bin was merged into /usr.
    names = [real, real.removeprefix("/usr"), f"/usr{real}"]
    owners = [line.partition(":")[0] for line in _dpkg("--search", *names)]
    if not owners:
        return []
    lines = _dpkg("--show", "--showformat=${Package}\t${Depends}, ${Pre-Depends}\n")
    depends = dict(line.partition("\t")[::2] for line in lines)
    packages: set[str] = set()
    while owners:
        name = owners.pop()
        if name not in packages and name in depends:
            packages.add(name)
            owners += [
                found[0] for part in _PARTS.split(depends[name]) if (found := _NAME.match(part))
            ]
    listed = map(Path, _dpkg("--listfiles", *sorted(packages)))
    return [path for path in listed if not _UNUSED.match(str(path)) and _is_public_file(path)]


def _is_public_file(path: Path) -> bool:
    try:
        return path.is_file() and bool(path.stat().st_mode & 0o004)
    except OSError:
        return False


def _dpkg(*words: str) -> list[str]:
    """Query the database of installed packages; return nothing if there is none."""
    try:
        done = subprocess.run(
            ["dpkg-query", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_QUERY_TIMEOUT_S,
            encoding="utf-8",
            errors="surrogateescape",
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.splitlines()
