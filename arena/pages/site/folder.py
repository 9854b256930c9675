"""The folder of a report: which of its files are ours, and which have to be written.

A listing in the folder names the files of the report. Only those are ever replaced or removed, and
a folder that contains other files and no listing is refused. Unchanged files are not rewritten. A
file is listed before it is written, and written atomically, so a report may be killed at any time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from arena.errors import BadInput
from arena.pages.site.addresses import is_address

LISTING = "arena-report.json"
STAMP = "0000-00-00 00:00 UTC"
"""Stands for the time at which a page is written; a page that differs in nothing else is not."""
_STAMPS = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC")
_PARTIAL = ".arena-report.half"
"""The file being written."""


class UnusableFolder(BadInput):
    """A folder that cannot take a report."""


class Changes(NamedTuple):
    """What a report changed in its folder."""

    files: int
    """Number of files now, without the listing."""
    written: int
    removed: int


class Folder:
    """A folder into which a report is being written."""

    def __init__(self, path: Path, generator: str, *, now: datetime) -> None:
        """Open or create a folder; `generator` names the program that makes its files."""
        self.path = path
        self._time = f"{now.astimezone(UTC):%Y-%m-%d %H:%M} UTC".encode()
        self._generator = generator
        self._kept: dict[str, str] = {}
        self._written = 0
        with _explain_os_errors(path):
            path.mkdir(parents=True, exist_ok=True)
            listing = path / LISTING
            is_ours = listing.is_file()
            if not is_ours and any(entry.name != _PARTIAL for entry in path.iterdir()):
                raise UnusableFolder(
                    f"{path} is not empty and has no {LISTING} of an earlier report: "
                    "name an empty or a new folder"
                )
            text = listing.read_text(encoding="utf-8") if is_ours else "{}"
        self._before, self._generator_before = _read_listing(listing, text)

    def is_listed(self, path: str) -> bool:
        """Tell whether an earlier report wrote a file."""
        return path in self._before

    def plan(self, paths: Iterable[str]) -> None:
        """List the files that may be written, before writing any of them."""
        new = [path for path in paths if path not in self._before]
        for path in new:
            if (self.path / path).exists():
                raise UnusableFolder(
                    f"{self.path / path} exists and is not part of a report: "
                    "move it, or name another folder"
                )
        if new:
            self._before |= dict.fromkeys(new, "")
            self._write_listing(self._before, self._generator_before)

    def keep_unchanged(self, path: str, source: str) -> bool:
        """Keep a file made from the same source by the same generator; tell whether it was kept."""
        is_current = self._before.get(path) == source and self._generator == self._generator_before
        if is_current and (self.path / path).is_file():
            self._kept[path] = source
            return True
        return False

    def write(self, path: str, content: str | bytes, source: str = "") -> None:
        """Write a planned file."""
        self._kept[path] = source
        data = content.encode() if isinstance(content, str) else content
        self._written += self._replace(path, data)

    def finish(self) -> Changes:
        """Remove files that are no longer part of the report."""
        obsolete = [path for path in self._before if path not in self._kept]
        removed = 0
        with _explain_os_errors(self.path):
            for path in obsolete:
                file = self.path / path
                if file.is_file():
                    file.unlink()
                    removed += 1
            for folder in sorted({(self.path / path).parent for path in obsolete} - {self.path}):
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()
        self._write_listing(self._kept, self._generator)
        return Changes(len(self._kept), self._written, removed)

    def _write_listing(self, files: dict[str, str], generator: str) -> None:
        about = "Made by `arena report`, which replaces and removes the files listed here."
        listing = {"about": about, "generator": generator, "files": dict(sorted(files.items()))}
        self._replace(LISTING, json.dumps(listing, indent=0).encode())

    def _replace(self, path: str, content: bytes) -> bool:
        """Write a file unless it has this content already; tell whether it was written."""
        file, partial = self.path / path, self.path / _PARTIAL
        stamp = STAMP.encode()
        with _explain_os_errors(file):
            if file.is_file():
                before = file.read_bytes()
                if (_STAMPS.sub(stamp, before) if stamp in content else before) == content:
                    return False
            file.parent.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(content.replace(stamp, self._time))
            partial.replace(file)
        return True


def _read_listing(listing: Path, text: str) -> tuple[dict[str, str], str]:
    """Read the files and the generator of an earlier report."""
    try:
        content = json.loads(text)
        files, generator = dict(content.get("files", {})), str(content.get("generator", ""))
    except (ValueError, TypeError, AttributeError):
        raise UnusableFolder(
            f"{listing} is damaged: name another folder, or empty this one"
        ) from None
    # The listing may have been edited: nothing outside the folder is ours.
    return {path: str(source) for path, source in files.items() if is_address(path)}, generator


@contextmanager
def _explain_os_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UnusableFolder(f"{error.filename or path} cannot be used: {error.strerror}") from None
