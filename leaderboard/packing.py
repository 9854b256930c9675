"""How does a bot's folder become bytes, and a folder again?

As a zip file, so that anything can open it. Equal folders have equal hashes, whenever and wherever
they are packed: names are sorted, times left out, and of the permissions only "may be run" is kept.
The hash is over the files themselves, not the zip, which another zlib may compress otherwise.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from arena.errors import BadPackage
from arena.own_files import MOST_DEPTH, OwnFile, own_files
from arena.sandbox.places import is_of_the_machine, no_room

MOST_BYTES = 64 * 1024 * 1024
MOST_FILES = 2000
_MODES = {False: stat.S_IFREG | 0o644, True: stat.S_IFREG | 0o755}
_LINK = stat.S_IFLNK | 0o777
_MOST_HOPS = 40
"""As many links as Linux follows one after the other."""
_DAMAGE = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, EOFError),
    *(OSError, ValueError, NotImplementedError, RuntimeError),
)
"""All that Python's zip module raises for bytes that are not a good zip file."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip file can express."""


class Packed(NamedTuple):
    """A folder as bytes."""

    hash: str
    """SHA-256 of the files with their names, in hexadecimal."""
    blob: bytes
    files: int
    size: int
    """In bytes, unpacked."""


class _Entry(NamedTuple):
    """A file or a symbolic link."""

    name: str
    mode: int
    content: bytes
    """Of a link: where it leads."""


def pack_folder(folder: Path) -> Packed:
    """Pack a folder without caches and the like; empty folders are left out, too."""
    entries: list[_Entry] = []
    size = 0
    for file in _listed(folder):
        entries.append(_entry(file))
        size += len(entries[-1].content)
        if len(entries) > MOST_FILES:
            raise BadPackage(f"{folder} cannot be packed: it has more than {MOST_FILES:,} files")
        if size > MOST_BYTES:
            raise BadPackage(f"{folder} cannot be packed: it has more than {MOST_BYTES:,} bytes")
    if not entries:
        raise BadPackage(f"{folder} cannot be packed: there is no file in it")
    _check(entries)
    entries.sort()
    return Packed(_hash(entries), _zipped(entries), len(entries), size)


def unpack(blob: bytes, folder: Path, *, expected: str) -> None:
    """Make a folder of what was packed.

    Nothing is written unless all of it is harmless and has the hash that is expected. What the
    disk refuses is a `PlatformError`.
    """
    entries = _unzipped(blob)
    _check(entries)
    if _hash(entries) != expected:
        raise BadPackage("the package is not what was submitted: its hash is another one")
    try:
        folder.mkdir()
        for name, mode, content in entries:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if mode == _LINK:
                path.symlink_to(content.decode())
            else:
                path.write_bytes(content)
                path.chmod(stat.S_IMODE(mode))
    except OSError as error:
        if is_of_the_machine(error):
            raise no_room(folder.parent.parent, error) from None
        raise BadPackage(f"the package cannot be unpacked: {error}") from None


def _listed(folder: Path) -> Iterator[OwnFile]:
    try:
        yield from own_files(folder)
    except OSError as error:
        raise BadPackage(f"{error.filename} cannot be packed: {error.strerror}") from None


def _entry(file: OwnFile) -> _Entry:
    name = file.place.as_posix()
    try:
        name.encode()
        mode = file.status().st_mode
        if stat.S_ISLNK(mode):
            return _Entry(name, _LINK, file.target().encode())
        if not stat.S_ISREG(mode):
            raise BadPackage(f"{name} cannot be packed: it is neither a file nor a folder")
        with file.open() as opened:
            mode = os.fstat(opened.fileno()).st_mode
            return _Entry(name, _MODES[bool(mode & stat.S_IXUSR)], opened.read(MOST_BYTES + 1))
    except UnicodeEncodeError:
        raise BadPackage(f"{name!r} cannot be packed: not all of its name is UTF-8") from None
    except OSError as error:
        raise BadPackage(f"{name} cannot be packed: {error.strerror}") from None


def _hash(entries: Iterable[_Entry]) -> str:
    digest = hashlib.sha256()
    for name, mode, content in sorted(entries):
        for part in (name.encode(), mode.to_bytes(4), content):
            digest.update(len(part).to_bytes(8))
            digest.update(part)
    return digest.hexdigest()


def _zipped(entries: Iterable[_Entry]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, mode, content in entries:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = 3  # Unix, on which the meaning of the mode depends
            info.external_attr = mode << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _unzipped(blob: bytes) -> list[_Entry]:
    try:
        with zipfile.ZipFile(BytesIO(blob)) as archive:
            infos = archive.infolist()
            # What it claims to hold is never exceeded when it is read.
            if len(infos) > MOST_FILES or sum(info.file_size for info in infos) > MOST_BYTES:
                raise BadPackage("the package is too large to be unpacked")
            if any(info.compress_type != zipfile.ZIP_DEFLATED for info in infos):
                raise BadPackage("the package is compressed in a way that packages are not")
            return [
                _Entry(info.filename, info.external_attr >> 16, archive.read(info))
                for info in infos
            ]
    except _DAMAGE as error:
        raise BadPackage(f"the package is damaged: {error}") from None


def _check(entries: Iterable[_Entry]) -> None:
    """Refuse entries that are no plain files and links, all of them within the folder."""
    modes = {name: mode for name, mode, _ in entries}
    links = {name: content for name, mode, content in entries if mode == _LINK}
    seen: set[str] = set()
    for name, mode, content in entries:
        parts = name.split("/")
        if len(parts) > MOST_DEPTH + 1:
            raise BadPackage(
                f"{name[:40]!r}... lies in more than {MOST_DEPTH} folders, one within the other"
            )
        above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if not {"", ".", ".."}.isdisjoint(parts) or above & modes.keys() or name in seen:
            raise BadPackage(f"{name!r} is not a name that a package can have")
        seen.add(name)
        if mode not in (*_MODES.values(), _LINK):
            raise BadPackage(f"{name} is neither a file nor a link")
        if mode == _LINK and not _stays_inside(name, links):
            raise BadPackage(
                f"{name} is a link to {content.decode(errors='replace')!r}, "
                "which leads out of the folder or nowhere"
            )


def _stays_inside(link: str, links: dict[str, bytes]) -> bool:
    """Follow a link as the system would, step by step: `..` after a link is not where it seems."""
    at: list[str] = []
    ahead = link.split("/")
    hops = 0
    while ahead:
        step = ahead.pop(0)
        if step in ("", "."):
            continue
        if step == "..":
            if not at:
                return False
            at.pop()
            continue
        at.append(step)
        target = links.get("/".join(at))
        if target is not None:
            hops += 1
            if hops > _MOST_HOPS or not target or target.startswith(b"/") or b"\0" in target:
                return False
            at.pop()
            try:
                ahead[:0] = target.decode().split("/")
            except UnicodeDecodeError:
                return False
    return True
