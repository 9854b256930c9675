"""Folders in memory are shared by processes, and go with the last process that uses them."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.errors import PlatformError
from arena.sandbox.image.memory import (
    _REMOVE,
    NoMemory,
    memory_base,
    shared_folder,
    sweep_shared,
)
from arena.sandbox.image.tree import Tree
from tests.sandbox.caged_bot import PATIENCE_S

PROGRAM = """
import sys, time
from pathlib import Path
from arena.sandbox.image.memory import shared_folder
from arena.sandbox.image.tree import Tree
def contents():
    return Tree({"a/file": sys.argv[2]}, {"a/link": "file"}, {"empty"}, {"point"})
print(shared_folder("key", contents, [Path(sys.argv[1])]), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def memory(base: Path) -> Path:
    """Return a folder in memory that is used for nothing else."""
    if memory_base() != base:
        pytest.skip("there is no file system in memory here")
    return base


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a file to copy."""
    file = tmp_path / "source"
    file.write_text("content")
    os.utime(file, ns=(10**18 + 1, 10**18 + 1))
    return file


def start(memory: Path, source: Path) -> subprocess.Popen[str]:
    """Start a process that uses a folder until its input ends."""
    command = [sys.executable, "-c", PROGRAM, str(memory), str(source)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, umask=0o077)


def folder_of(process: subprocess.Popen[str]) -> Path:
    """Return the folder that a process uses."""
    assert process.stdout
    return Path(process.stdout.readline().strip())


def wait_until_empty(folder: Path) -> None:
    """Wait until everything in a folder has been removed."""
    deadline = time.monotonic() + PATIENCE_S
    while left := os.listdir(folder):
        assert time.monotonic() < deadline, f"{left} is left"
        time.sleep(0.01)


def test_processes_that_start_at_once_share_one_folder_until_the_last_is_killed(
    memory: Path, source: Path
) -> None:
    processes = [start(memory, source) for _ in range(4)]
    folders = {folder_of(process) for process in processes}
    assert len(folders) == 1
    (folder,) = folders
    for process in processes:
        assert (folder / "a" / "file").read_text() == "content"
        process.send_signal(signal.SIGKILL)
        process.communicate()
    wait_until_empty(memory)


def test_every_user_can_read_what_is_in_it_and_nobody_else_can_change_it(
    memory: Path, source: Path
) -> None:
    with start(memory, source) as process:
        folder = folder_of(process)
        modes = {path: stat.S_IMODE(path.lstat().st_mode) for path in [folder, *folder.rglob("*")]}
        assert modes.pop(folder / "a" / "link")
        assert set(modes.values()) == {0o755, 0o644}
        assert stat.S_IMODE(folder.parent.stat().st_mode) in (0o711, 0o700)
        assert (folder / "a" / "file").stat().st_mtime_ns == 10**18 + 1
        assert (folder / "empty").is_dir()


def tree(source: Path) -> Tree:
    """Return a tree with one file."""
    return Tree({"file": str(source)})


def test_a_folder_that_was_removed_is_made_again(memory: Path, source: Path) -> None:
    folder = shared_folder("key", lambda: tree(source), [memory])
    shutil.rmtree(folder.parent)
    assert shared_folder("key", lambda: tree(source), [memory]) == folder
    assert (folder / "file").read_text() == "content"


def test_what_waits_to_remove_a_folder_creates_nothing_if_it_is_gone(memory: Path) -> None:
    gone = memory / "gone"
    words = ["sh", "-c", _REMOVE, str(gone), f"{gone}-trash", "1"]
    # Its output ends with what it leaves in the background.
    subprocess.run(words, capture_output=True)
    assert not gone.exists()


def test_what_a_killed_process_has_half_made_is_made_anew(memory: Path, source: Path) -> None:
    half = memory / f".arena-{os.geteuid()}-key" / "tree"
    half.mkdir(parents=True)
    (half / "other").touch()
    half.parent.chmod(0o700)
    folder = shared_folder("key", lambda: tree(source), [memory])
    assert [path.name for path in folder.iterdir()] == ["file"]


def test_a_folder_that_others_could_have_made_is_refused(memory: Path, source: Path) -> None:
    other = memory / f"arena-{os.geteuid()}-key"
    other.mkdir()
    other.chmod(0o777)
    with pytest.raises(
        PlatformError, match=f"{other} belongs to another user, or others can write"
    ):
        shared_folder("key", lambda: tree(source), [memory])


def test_a_link_is_refused(memory: Path, source: Path) -> None:
    (memory / f"arena-{os.geteuid()}-key").symlink_to(source.parent)
    with pytest.raises(PlatformError, match="belongs to another user"):
        shared_folder("key", lambda: tree(source), [memory])


def test_too_little_memory_is_reported_with_figures(memory: Path, source: Path) -> None:
    os.truncate(source, 1 << 42)
    sentence = rf"need 4194305 MiB of memory, but {memory} has \d+ MiB free: enlarge it \(mount -o"
    with pytest.raises(NoMemory, match=sentence):
        shared_folder("key", lambda: tree(source), [memory])
    assert list(memory.iterdir()) == []


def test_a_sweep_removes_what_no_process_uses(memory: Path, source: Path) -> None:
    folder = shared_folder("key", lambda: tree(source), [memory])
    stale = memory / f"arena-{os.geteuid()}-other"
    (stale / "tree").mkdir(parents=True)
    assert sweep_shared(memory) == 1
    assert list(memory.iterdir()) == [folder.parent]
