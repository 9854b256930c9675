"""Which files of a folder are ours, and which of them have to be written?

A note in the folder lists what was made. Only what is listed there is ever replaced or removed, and
a folder that has other things in it and no such note is refused. What would not change is not
written. The note lists a file before it is there, and a file is there whole or not at all, so that
a report may be killed at any moment.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.errors import BadInput
from arena.pages.site.addresses import is_address

NOTE = "arena-report.json"
_HALF = ".arena-report.half"
"""A file that is being written."""


class UnfitFolder(BadInput):
    """A folder that cannot take a report."""


class Changes(NamedTuple):
    """What a report has done to its folder."""

    files: int
    """How many there are now, the note not counted."""
    written: int
    removed: int


class Folder:
    """A folder that a report is being written into."""

    def __init__(self, path: Path, maker: str) -> None:
        """Open a folder, or make it; `maker` tells what makes its files, and in which version."""
        self.path = path
        self._maker = maker
        self._kept: dict[str, str] = {}
        self._written = 0
        with _complaining(path):
            path.mkdir(parents=True, exist_ok=True)
            note = path / NOTE
            is_ours = note.is_file()
            if not is_ours and any(entry.name != _HALF for entry in path.iterdir()):
                raise UnfitFolder(
                    f"{path} has other things in it, and no {NOTE} of an earlier report: "
                    "name an empty folder, or a new one"
                )
            text = note.read_text(encoding="utf-8") if is_ours else "{}"
        self._before, self._maker_before = _read_note(note, text)

    def plan(self, paths: Iterable[str]) -> None:
        """Say which files may come to be, before any of them is written."""
        new = [path for path in paths if path not in self._before]
        for path in new:
            if (self.path / path).exists():
                raise UnfitFolder(
                    f"{self.path / path} is in the way, and no report has made it: "
                    "move it, or name another folder"
                )
        if new:
            self._before |= dict.fromkeys(new, "")
            self._write_note(self._before, self._maker_before)

    def keeps(self, path: str, source: str) -> bool:
        """Tell whether a file was made from the same source by the same maker; then it stays."""
        is_made = self._before.get(path) == source and self._maker == self._maker_before
        if is_made and (self.path / path).is_file():
            self._kept[path] = source
            return True
        return False

    def write(self, path: str, text: str, source: str = "") -> None:
        """Let a planned file have this text."""
        self._kept[path] = source
        self._written += self._replace(path, text.encode())

    def finish(self) -> Changes:
        """Remove what no longer belongs."""
        gone = [path for path in self._before if path not in self._kept]
        removed = 0
        with _complaining(self.path):
            for path in gone:
                file = self.path / path
                if file.is_file():
                    file.unlink()
                    removed += 1
            for place in sorted({(self.path / path).parent for path in gone} - {self.path}):
                if place.is_dir() and not any(place.iterdir()):
                    place.rmdir()
        self._write_note(self._kept, self._maker)
        return Changes(len(self._kept), self._written, removed)

    def _write_note(self, files: dict[str, str], maker: str) -> None:
        what = "Made by `arena report`, which replaces and removes the files that are listed here."
        note = {"about": what, "maker": maker, "files": dict(sorted(files.items()))}
        self._replace(NOTE, json.dumps(note, indent=0).encode())

    def _replace(self, path: str, content: bytes) -> bool:
        """Write a file unless it has this content; return whether it had not."""
        file, half = self.path / path, self.path / _HALF
        with _complaining(file):
            if file.is_file() and file.read_bytes() == content:
                return False
            file.parent.mkdir(parents=True, exist_ok=True)
            half.write_bytes(content)
            half.replace(file)
        return True


def _read_note(note: Path, text: str) -> tuple[dict[str, str], str]:
    """Read what an earlier report has made, and its maker."""
    try:
        told = json.loads(text)
        files, maker = dict(told.get("files", {})), str(told.get("maker", ""))
    except (ValueError, TypeError, AttributeError):
        raise UnfitFolder(f"{note} is damaged: name another folder, or empty this one") from None
    # Whatever somebody may have written into it, nothing outside of the folder is ours.
    return {path: str(source) for path, source in files.items() if is_address(path)}, maker


@contextmanager
def _complaining(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UnfitFolder(f"{error.filename or path} cannot be used: {error.strerror}") from None
