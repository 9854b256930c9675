"""The shared libraries of this machine, and which of them programs need.

What programs and libraries ask for is read from their ELF files, which may come from strangers.
Nothing is run, little is read, and a file that cannot be understood asks for nothing.
"""

from __future__ import annotations

import os
import platform
import re
import struct
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

CACHE = "/etc/ld.so.cache"
"""Written by ldconfig: the names of libraries and their paths."""
_KINDS = {"x86_64": "x86-64", "aarch64": "AArch64"}
"""How ldconfig names the libraries of an architecture."""
_LOADER = re.compile(r"/lib(64)?/ld-[\w.-]+")
_DEFAULT_FOLDERS = ("/lib64", "/usr/lib64", "/lib", "/usr/lib")
_MAGIC = b"\x7fELF\x02\x01"
"""64 bits, little-endian, as on all machines that cages support."""
_HEADER, _SEGMENT, _ENTRY = struct.Struct("<16sHHIQQQIHHHHHH"), struct.Struct("<IIQQQQQQ"), 16
_LOAD, _DYNAMIC, _INTERPRETER = 1, 2, 3
_NEEDED, _STRINGS, _STRINGS_SIZE, _RPATH, _RUNPATH = 1, 5, 10, 15, 29
_MAX_SEGMENTS, _MAX_BYTES, _MAX_NAME = 64, 1 << 16, 4096
_MAX_STRINGS = 64 << 20
"""Large programs name many functions."""


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


@dataclass(frozen=True, slots=True)
class Elf:
    """What a file asks the dynamic loader for."""

    needed: tuple[str, ...] = ()
    """The names of libraries."""
    folders: tuple[str, ...] = ()
    """Where to look for them first; $ORIGIN stands for the folder of the file."""
    loader: str = ""
    """The path of the dynamic loader itself, in programs."""


def read_elf(path: str | os.PathLike[str]) -> Elf:
    """Read what a file asks for; any other file asks for nothing."""
    try:
        with open(path, "rb", buffering=0) as file:
            return _parse(file.fileno())
    except (OSError, struct.error, ValueError, OverflowError):
        return Elf()


def _parse(file: int) -> Elf:
    header = _HEADER.unpack(os.pread(file, _HEADER.size, 0))
    if not header[0].startswith(_MAGIC) or header[9] != _SEGMENT.size:
        return Elf()
    table = os.pread(file, min(header[10], _MAX_SEGMENTS) * _SEGMENT.size, header[5])
    segments = list(_SEGMENT.iter_unpack(table))
    loader, entries = "", []
    for kind, _, offset, _, _, size, _, _ in segments:
        if kind == _INTERPRETER:
            loader = _text(os.pread(file, min(size, _MAX_NAME), offset), 0)
        elif kind == _DYNAMIC:
            data = os.pread(file, min(size, _MAX_BYTES), offset)
            entries = list(struct.iter_unpack("<QQ", data[: len(data) // _ENTRY * _ENTRY]))
    strings = _strings(file, entries, segments)
    needed = (_text(strings, value) for tag, value in entries if tag == _NEEDED)
    paths = (_text(strings, value) for tag, value in entries if tag in (_RPATH, _RUNPATH))
    folders = (folder for text in paths for folder in text.split(":") if folder)
    return Elf(tuple(filter(None, needed)), tuple(folders), loader)


def _strings(file: int, entries: list[tuple[int, int]], segments: list[tuple[int, ...]]) -> bytes:
    """Read the names, which are given by their address once loaded."""
    found = dict.fromkeys((_STRINGS, _STRINGS_SIZE), 0) | dict(entries)
    address, length = found[_STRINGS], min(found[_STRINGS_SIZE], _MAX_STRINGS)
    for kind, _, offset, start, _, size, _, _ in segments:
        if kind == _LOAD and start <= address < start + size:
            return os.pread(file, length, offset + address - start)
    return b""


def _text(data: bytes, start: int) -> str:
    return data[start : start + _MAX_NAME].partition(b"\0")[0].decode("utf-8", "surrogateescape")
