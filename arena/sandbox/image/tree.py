"""Trees of files that are copied into memory: which files, and how they are written."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_ENTRY_BYTES = 1024
"""About what the kernel needs for a file, a folder or a link in memory, besides its content."""
_CHUNK = 1 << 30


@dataclass(slots=True)
class Tree:
    """Files, links and folders, each with its path below the root."""

    files: dict[str, str] = field(default_factory=dict)
    """The path of each file, and the file of this machine that is copied there."""
    links: dict[str, str] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    """Empty folders; the folders of files and links are implied."""
    mount_points: set[str] = field(default_factory=set)
    """Empty files."""

    @property
    def size(self) -> int:
        """The memory that it needs, in bytes."""
        pages = sum(-(-os.stat(source).st_size // _PAGE) for source in self.files.values())
        return pages * _PAGE + len(self.files) * _ENTRY_BYTES

    def add(self, path: Path) -> Path:
        """Add a file of this machine at its own path, with every link on the way to it.

        Return its real path. What does not exist, or is a folder, is not added.
        """
        real = "/"
        parts = list(reversed(path.parts[1:]))
        for _ in range(100):
            if not parts:
                break
            part = parts.pop()
            if part == "..":
                real = os.path.dirname(real)
                continue
            real = os.path.join(real, part)
            if os.path.islink(real):
                self.links[real[1:]] = target = os.readlink(real)
                parts += [each for each in reversed(Path(target).parts) if each != "/"]
                real = "/" if os.path.isabs(target) else os.path.dirname(real)
        if os.path.isfile(real):
            self.files[real[1:]] = real
        return Path(real)

    def add_folder(self, folder: Path, *, at: str = "") -> list[Path]:
        """Add everything in a folder that bots may see, at its own path or another one.

        Return the files. Root leaves out what other users may not read, because bots are others.
        """
        added = []
        for path, folders, files in os.walk(folder):
            start = os.path.join(at, os.path.relpath(path, folder)) if at else path
            folders[:] = [name for name in folders if _is_public(os.path.join(path, name), 0o005)]
            for name in [*files, *folders]:
                file = os.path.join(path, name)
                inside = os.path.normpath(os.path.join(start, name)).lstrip("/")
                if os.path.islink(file):
                    self.links[inside] = os.readlink(file)
                elif name in files and os.path.isfile(file) and _is_public(file, 0o004):
                    self.files[inside] = file
                    added.append(Path(file))
        return added

    def write(self, root: Path) -> None:
        """Write it to a new folder, readable by every user, with the times of the files."""
        self._make_folders(root)
        for inside, target in self.links.items():
            os.symlink(target, f"{root}/{inside}")
        for inside in self.mount_points:
            os.close(os.open(path := f"{root}/{inside}", os.O_CREAT | os.O_EXCL))
            os.chmod(path, 0o644)
        for inside, source in self.files.items():
            _copy(source, f"{root}/{inside}")

    def _make_folders(self, root: Path) -> None:
        for folder in ["", *sorted(self._all_folders())]:
            path = f"{root}/{folder}"
            os.mkdir(path)
            # Regardless of the umask.
            os.chmod(path, 0o755)

    def _all_folders(self) -> set[str]:
        found: set[str] = set()
        leaves = (*self.files, *self.links, *self.mount_points)
        parents = [os.path.dirname(path) for path in leaves]
        for folder in [*parents, *self.folders]:
            while folder and folder not in found:
                found.add(folder)
                folder = os.path.dirname(folder)
        return found


def _is_public(path: str, mode: int) -> bool:
    if os.geteuid() != 0:
        return os.access(path, os.R_OK)
    return os.stat(path, follow_symlinks=False).st_mode & mode == mode


def _copy(source: str, target: str) -> None:
    # Not shutil.copy2, which takes three times as long: there are a thousand files.
    read = os.open(source, os.O_RDONLY | os.O_CLOEXEC)
    try:
        status = os.fstat(read)
        write = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            while os.sendfile(write, read, None, _CHUNK):
                pass
            os.fchmod(write, 0o755 if status.st_mode & stat.S_IXUSR else 0o644)
            # Python compiles modules again whose times have changed.
            os.utime(write, ns=(status.st_mtime_ns, status.st_mtime_ns))
        finally:
            os.close(write)
    finally:
        os.close(read)
