"""The libraries that programs need are found by the loader of this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arena.sandbox.image.contents import libraries_named, libraries_of

LIBC = "libc.so.6"


def names_of(paths: set[str]) -> set[str]:
    return {os.path.basename(path) for path in paths}


def test_the_libraries_of_programs_are_found_with_the_loader() -> None:
    found = libraries_of([os.path.realpath(sys.executable), "/bin/sh"])
    assert LIBC in names_of(found)
    assert any(name.startswith("ld-") for name in names_of(found))
    assert all(map(os.path.isfile, found))


def test_libraries_are_found_by_name_and_missing_ones_are_left_out() -> None:
    found = names_of(libraries_named([LIBC, "libno-such-library.so.1", "libm.so.6"]))
    assert {LIBC, "libm.so.6"} <= found
    assert "libno-such-library.so.1" not in found


def test_what_is_no_program_needs_nothing(tmp_path: Path) -> None:
    text = tmp_path / "a text.so"
    text.write_text("not a library")
    assert libraries_of([str(text), str(tmp_path / "missing")]) == set()
