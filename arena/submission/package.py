"""Packages: pack a bot's folder into a zip file, unpack it, and copy a folder without one.

Equal folders have equal hashes, whenever and wherever they are packed: names are sorted, times are
left out, and only the executable permission is kept. The hash covers the files themselves, not the
zip file, because another zlib may compress differently.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Container, Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from arena.disk_errors import disk_error, is_machine_fault
from arena.errors import BadPackage
from arena.submission.files import MAX_DEPTH, BotFile, bot_files

MAX_BYTES = 64 * 1024 * 1024
MAX_FILES = 2000
_MODES = {False: stat.S_IFREG | 0o644, True: stat.S_IFREG | 0o755}
_LINK = stat.S_IFLNK | 0o777
_MAX_HOPS = 40
"""The number of links that Linux follows in one path."""
_ZIP_ERRORS = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, EOFError),
    *(OSError, ValueError, NotImplementedError, RuntimeError),
)
"""Everything that Python's zip module raises for bytes that are not a valid zip file."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can store."""


class Package(NamedTuple):
    """A packed folder."""

    hash: str
    """SHA-256 of the files and their names, in hexadecimal."""
    blob: bytes
    files: int
    size: int
    """Unpacked size in bytes."""


class PackageContent(NamedTuple):
    """What is in a package."""

    hash: str
    entries: int
    """Files and links."""
    size: int
    files: dict[str, bytes]
    """Contents by name."""
    links: dict[str, bytes]
    """Targets by name."""


class _Entry(NamedTuple):
    """A file or a symbolic link."""

    name: str
    mode: int
    content: bytes
    """The target, for a link."""


def pack_folder(
    folder: Path, *, only: Sequence[str] = (), more: Mapping[str, bytes] | None = None
) -> Package:
    """Pack a folder; caches, virtual environments and empty folders are left out.

    With `only`, pack just these files; `more` has further files by name.
    """
    entries = _read_folder(folder, only)
    entries += [_Entry(name, _MODES[False], content) for name, content in (more or {}).items()]
    if not entries:
        raise BadPackage(f"{folder} cannot be packed: it has no files")
    return _packed(entries)


def copy_folder(folder: Path, target: Path, *, only: Sequence[str] = ()) -> None:
    """Copy what would be packed of a folder into a new one, readable by every user.

    Nothing outside the folder is followed, opened or read. Failing to read is the bot's fault,
    failing to write is the machine's.
    """
    _write(_read_folder(folder, only), target)


def unpack(blob: bytes, folder: Path, *, expected: str) -> None:
    """Unpack a package into a new folder.

    Nothing is written unless every entry is safe and the hash is the expected one. A disk that
    refuses to write raises `PlatformError`.
    """
    entries = _unzip(blob)
    _check_entries(entries)
    if _hash(entries) != expected:
        raise BadPackage("the package is not the one that was submitted: its hash differs")
    _write(entries, folder)


def _write(entries: Iterable[_Entry], folder: Path) -> None:
    try:
        folder.mkdir()
        # Regardless of the umask, here and below: bots have other uids.
        folder.chmod(0o755)
        for name, mode, content in entries:
            path = folder / name
            _make_folder(path.parent)
            if mode == _LINK:
                path.symlink_to(content.decode())
            else:
                path.write_bytes(content)
                path.chmod(stat.S_IMODE(mode))
    except OSError as error:
        if is_machine_fault(error):
            raise disk_error(folder.parent.parent, error) from None
        raise BadPackage(f"the package cannot be unpacked: {error}") from None


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir()
        folder.chmod(0o755)


def repack(blob: bytes) -> Package:
    """Return the package of a zip file that any program made.

    Folders are left out, and so is one folder that everything is in. Links and other special files
    are refused, because few programs store them alike.
    """
    entries = []
    for name, attributes, content in _unzip(blob, {zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED}):
        if name.endswith("/"):
            continue
        if stat.S_IFMT(attributes) not in (0, stat.S_IFREG):
            raise BadPackage(f"{name[:40]!r} is not a file: the zip file may contain only files")
        entries.append(_Entry(name, _MODES[bool(attributes & stat.S_IXUSR)], content))
    tops = {name.partition("/")[0] for name, _, _ in entries}
    if len(tops) == 1 and all("/" in name for name, _, _ in entries):
        entries = [each._replace(name=each.name.partition("/")[2]) for each in entries]
    if not entries:
        raise BadPackage("the zip file has no files")
    _check_entries(entries)
    return _packed(entries)


def _packed(entries: list[_Entry]) -> Package:
    entries.sort()
    size = sum(len(entry.content) for entry in entries)
    return Package(_hash(entries), _zip(entries), len(entries), size)


def read_package(blob: bytes) -> PackageContent:
    """Read a package without unpacking it; raise `BadPackage` if an entry is not safe."""
    entries = _unzip(blob)
    _check_entries(entries)
    size = sum(len(entry.content) for entry in entries)
    contents: dict[bool, dict[str, bytes]] = {False: {}, True: {}}
    for name, mode, content in entries:
        contents[mode == _LINK][name] = content
    return PackageContent(_hash(entries), len(entries), size, contents[False], contents[True])


def _read_folder(folder: Path, only: Sequence[str]) -> list[_Entry]:
    entries: list[_Entry] = []
    size = 0
    try:
        for file in bot_files(folder, only=only):
            entries.append(_read_entry(file))
            size += len(entries[-1].content)
            if len(entries) > MAX_FILES:
                raise BadPackage(f"{folder} cannot be packed: it has more than {MAX_FILES:,} files")
            if size > MAX_BYTES:
                raise BadPackage(f"{folder} cannot be packed: it has more than {MAX_BYTES:,} bytes")
    except OSError as error:
        raise BadPackage(f"{error.filename} cannot be packed: {error.strerror}") from None
    _check_entries(entries)
    return entries


def _read_entry(file: BotFile) -> _Entry:
    name = file.relative.as_posix()
    try:
        name.encode()
        mode = file.status().st_mode
        if stat.S_ISLNK(mode):
            return _Entry(name, _LINK, file.target().encode())
        if not stat.S_ISREG(mode):
            raise BadPackage(f"{name} cannot be packed: it is neither a file nor a folder")
        with file.open() as opened:
            mode = os.fstat(opened.fileno()).st_mode
            return _Entry(name, _MODES[bool(mode & stat.S_IXUSR)], opened.read(MAX_BYTES + 1))
    except UnicodeEncodeError:
        raise BadPackage(
            f"{name!r} cannot be packed: its name or its target is not valid UTF-8"
        ) from None
    except OSError as error:
        raise BadPackage(f"{name} cannot be packed: {error.strerror}") from None


def _hash(entries: Iterable[_Entry]) -> str:
    digest = hashlib.sha256()
    for name, mode, content in sorted(entries):
        for part in (name.encode(), mode.to_bytes(4), content):
            digest.update(len(part).to_bytes(8))
            digest.update(part)
    return digest.hexdigest()


def _zip(entries: Iterable[_Entry]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, mode, content in entries:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = 3  # Unix: external_attr holds a mode
            info.external_attr = mode << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _unzip(blob: bytes, methods: Container[int] = (zipfile.ZIP_DEFLATED,)) -> list[_Entry]:
    try:
        with zipfile.ZipFile(BytesIO(blob)) as archive:
            infos = archive.infolist()
            # Reading never yields more than the sizes stated here.
            if len(infos) > MAX_FILES or sum(info.file_size for info in infos) > MAX_BYTES:
                raise BadPackage("the package is too large to unpack")
            if any(info.compress_type not in methods for info in infos):
                raise BadPackage("the package is not compressed with deflate")
            return [
                _Entry(info.filename, info.external_attr >> 16, archive.read(info))
                for info in infos
            ]
    except _ZIP_ERRORS as error:
        raise BadPackage(f"the package is damaged: {error}") from None


def _check_entries(entries: Iterable[_Entry]) -> None:
    """Refuse anything but regular files and links that stay within the folder."""
    modes = {name: mode for name, mode, _ in entries}
    links = {name: content for name, mode, content in entries if mode == _LINK}
    seen: set[str] = set()
    for name, mode, content in entries:
        parts = name.split("/")
        if len(parts) > MAX_DEPTH + 1:
            raise BadPackage(f"{name[:40]!r}... is nested more than {MAX_DEPTH} folders deep")
        parents = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if not {"", ".", ".."}.isdisjoint(parts) or parents & modes.keys() or name in seen:
            raise BadPackage(f"{name!r} is not a valid name in a package")
        seen.add(name)
        if mode not in (*_MODES.values(), _LINK):
            raise BadPackage(f"{name} is neither a file nor a link")
        if mode == _LINK and not _stays_inside(name, links):
            raise BadPackage(
                f"{name} is a link to {content.decode(errors='replace')!r}, "
                "which leads out of the folder or cannot be followed"
            )


def _stays_inside(link: str, links: dict[str, bytes]) -> bool:
    """Follow a link as the system does: `..` after a link is relative to its target."""
    path: list[str] = []
    remaining = link.split("/")
    hops = 0
    while remaining:
        step = remaining.pop(0)
        if step in ("", "."):
            continue
        if step == "..":
            if not path:
                return False
            path.pop()
            continue
        path.append(step)
        target = links.get("/".join(path))
        if target is not None:
            hops += 1
            if hops > _MAX_HOPS or not target or target.startswith(b"/") or b"\0" in target:
                return False
            path.pop()
            try:
                remaining[:0] = target.decode().split("/")
            except UnicodeDecodeError:
                return False
    return True
