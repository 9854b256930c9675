"""The shared libraries of this machine, and which of them programs need."""

from __future__ import annotations

import os
import platform
import re
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from arena.sandbox.image.elf import read_elf

CACHE = "/etc/ld.so.cache"
"""Written by ldconfig: the names of libraries and their paths."""
_MAGIC = b"glibc-ld.so.cache1.1"
_HEAD, _ENTRY = struct.Struct("<20sII20x"), struct.Struct("<iIIIQ")
_KINDS = {"x86_64": 0x0303, "aarch64": 0x0A03}
"""How the cache marks libraries of an architecture."""
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
    """Read the cache of ldconfig: the path of each library of this architecture."""
    try:
        data = Path(CACHE).read_bytes()
    except OSError:
        return {}
    start = data.find(_MAGIC)
    if start < 0:
        return {}
    found: dict[str, str] = {}
    _, count, _ = _HEAD.unpack_from(data, start)
    ours = _KINDS.get(platform.machine())
    for number in range(count):
        place = start + _HEAD.size + number * _ENTRY.size
        kind, name, path, _, wish = _ENTRY.unpack_from(data, place)
        # Entries with a wish are for certain processors only.
        if kind == ours and not wish:
            found.setdefault(_text(data, start + name), _text(data, start + path))
    return found


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode("utf-8", "surrogateescape")
