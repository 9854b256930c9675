"""The shared libraries of this machine, and which of them programs need."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterable
from functools import cache

from arena.sandbox.image.elf import read_elf

CACHE = "/etc/ld.so.cache"
"""Written by ldconfig: the names of libraries and their paths."""
_KINDS = {"x86_64": "x86-64", "aarch64": "AArch64"}
"""How ldconfig names the libraries of an architecture."""
_LOADER = re.compile(r"/lib(64)?/ld-[\w.-]+")
_DEFAULT_FOLDERS = ("/lib64", "/usr/lib64", "/lib", "/usr/lib")


def libraries_of(programs: Iterable[str], *, are_trusted: bool) -> set[str]:
    """Return the paths of all libraries that programs and libraries need, and that these need.

    Strangers' files are given only what ldconfig lists, wherever they ask us to look.
    """
    found: set[str] = set()
    waiting = [(path, are_trusted) for path in programs]
    while waiting:
        path, is_trusted = waiting.pop()
        elf = read_elf(path)
        folders = [folder for folder in elf.folders if is_trusted]
        paths = [_find(name, folders, os.path.dirname(path)) for name in elf.needed]
        if is_trusted or _LOADER.fullmatch(elf.loader):
            paths.append(elf.loader)
        new = {each for each in paths if each} - found
        found |= new
        waiting += [(each, True) for each in new]
    return found


def library_named(name: str) -> str:
    """Return the path of a library, or an empty string if there is none."""
    return _find(name, [], "/")


def _find(name: str, folders: Iterable[str], origin: str) -> str:
    if "/" in name:
        return ""
    for folder in folders:
        path = os.path.join(folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin), name)
        if os.path.isfile(path):
            return path
    listed = _listed().get(name)
    if listed:
        return listed
    paths = (os.path.join(folder, name) for folder in _DEFAULT_FOLDERS)
    return next(filter(os.path.isfile, paths), "")


@cache
def _listed() -> dict[str, str]:
    """Ask ldconfig for the path of each library of this architecture."""
    try:
        done = subprocess.run(
            ["/sbin/ldconfig", "--print-cache"],
            capture_output=True,
            check=True,
            encoding="utf-8",
            errors="surrogateescape",
            env={"LC_ALL": "C"},
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    # Entries that name hardware (hwcap) are for certain processors only.
    kind = rf"libc6,{_KINDS.get(platform.machine())}(?:, OS ABI: [^,)]+)?"
    line = re.compile(rf"\t(\S+) \({kind}\) => (.+)")
    found: dict[str, str] = {}
    for match in map(line.fullmatch, done.stdout.splitlines()):
        if match:
            found.setdefault(match[1], match[2])
    return found
