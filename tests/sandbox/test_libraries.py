"""The libraries that programs need are found without running anything."""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox.image.libraries import Elf, libraries_of, library_named, read_elf

LIBC = "libc.so.6"


def write_program(path: Path, needed: str, runpath: str) -> Path:
    """Write the smallest file that asks for a library in a folder."""
    names = b"\0" + needed.encode() + b"\0" + runpath.encode() + b"\0"
    dynamic, strings = 64 + 2 * 56, 64 + 2 * 56 + 5 * 16
    entries = [(1, 1), (29, len(needed) + 2), (5, strings), (10, len(names)), (0, 0)]
    size = strings + len(names)
    head = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    head += struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    head += struct.pack("<IIQQQQQQ", 1, 4, 0, 0, 0, size, size, 4096)
    head += struct.pack("<IIQQQQQQ", 2, 4, *[dynamic] * 3, 80, 80, 8)
    path.write_bytes(head + b"".join(struct.pack("<QQ", *entry) for entry in entries) + names)
    return path


def test_the_libraries_of_a_program_are_found_with_those_that_they_need() -> None:
    program = os.path.realpath(sys.executable)
    found = {os.path.basename(path) for path in libraries_of([program], are_trusted=True)}
    assert LIBC in found
    assert any(name.startswith("ld-linux") for name in found)


def test_a_file_says_what_it_asks_for(tmp_path: Path) -> None:
    file = write_program(tmp_path / "program", "libx.so.1", "/a:$ORIGIN/b")
    assert read_elf(file) == Elf(("libx.so.1",), ("/a", "$ORIGIN/b"))


def test_a_strangers_file_cannot_ask_for_other_files_of_this_machine(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.touch()
    file = write_program(tmp_path / "program", "secret", str(tmp_path))
    assert libraries_of([str(file)], are_trusted=True) == {str(secret)}
    assert libraries_of([str(file)], are_trusted=False) == set()
    for name in (str(secret), "../secret", f"../../../../..{secret}"):
        file = write_program(tmp_path / "program", name, "/")
        assert libraries_of([str(file)], are_trusted=False) == set()
    file = write_program(tmp_path / "program", LIBC, "/")
    assert library_named(LIBC) in libraries_of([str(file)], are_trusted=False)


@given(st.binary(max_size=400), st.integers(0, 300))
def test_nonsense_asks_for_nothing(tmp_path_factory: object, nonsense: bytes, at: int) -> None:
    path = Path("/dev/shm" if os.path.isdir("/dev/shm") else "/tmp", f"test-elf-{os.getpid()}")
    try:
        whole = write_program(path, LIBC, "/").read_bytes()
        path.write_bytes(whole[:at] + nonsense + whole[at + len(nonsense) :])
        assert isinstance(read_elf(path), Elf)
        path.write_bytes(nonsense)
        assert read_elf(path) == Elf()
    finally:
        path.unlink()


def test_what_is_not_a_file_asks_for_nothing(tmp_path: Path) -> None:
    assert read_elf(tmp_path) == read_elf(tmp_path / "nothing") == Elf()
