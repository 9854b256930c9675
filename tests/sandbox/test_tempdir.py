"""Temporary folders are always removed, however their process ends, and nothing else is."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.sandbox.tempdir import TempDir, sweep, temp_dir
from tests.sandbox.caged_bot import PATIENCE_S

LOCK = ".arena-lock"
HEAD = (
    "import os, signal, sys, tempfile\nfrom arena.sandbox.tempdir import TempDir, sweep, temp_dir\n"
)


@pytest.fixture(autouse=True)
def _only_own_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweep no folders in memory that other tests and other runs share."""
    monkeypatch.setattr("arena.sandbox.tempdir.memory_bases", list)


def process(code: str) -> subprocess.Popen[str]:
    """Start a program that creates temporary folders."""
    return subprocess.Popen(
        [sys.executable, "-c", HEAD + code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def killed_with_temp_dir() -> Path:
    """Start a process that creates a temporary folder and is killed."""
    code = "temp = TempDir()\n(temp.path / 'bot').mkdir()\nprint(temp.path, flush=True)\n"
    with process(code + "os.kill(os.getpid(), signal.SIGKILL)") as dead:
        path = Path(dead.communicate(timeout=PATIENCE_S)[0].strip())
    assert path.is_dir()
    return path


def test_a_folder_is_empty_and_cannot_be_listed_by_other_users(base: Path) -> None:
    with temp_dir() as path:
        assert path.parent == base
        assert os.listdir(path) == [LOCK]
        assert not path.stat().st_mode & 0o066


def test_a_folder_exists_as_long_as_it_is_referenced(base: Path) -> None:
    temp = TempDir()
    path = temp.path
    (path / "inner" / "deep").mkdir(parents=True)
    (path / "inner" / "file").touch()
    (path / "link").symlink_to("/")
    gc.collect()
    assert path.is_dir()
    del temp
    gc.collect()
    assert os.listdir(base) == []


def test_a_folder_can_be_removed_twice(base: Path) -> None:
    temp = TempDir()
    temp.remove()
    temp.remove()
    assert os.listdir(base) == []


def test_a_folder_is_removed_after_an_exception(base: Path) -> None:
    with pytest.raises(ValueError, match="oh"), temp_dir():
        raise ValueError("oh")
    assert os.listdir(base) == []


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise ValueError"])
def test_a_folder_is_removed_when_its_process_ends(base: Path, end: str) -> None:
    with process(f"temp = TempDir()\nprint(temp.path)\n{end}") as ended:
        path = Path(ended.communicate(timeout=PATIENCE_S)[0].strip())
    assert path.parent == base
    assert os.listdir(base) == []


def test_a_forked_child_does_not_remove_its_parents_folder(base: Path) -> None:
    code = "temp = TempDir()\nif not os.fork(): sys.exit()\nos.wait()\nprint(os.listdir(temp.path))"
    with process(code) as ended:
        assert ended.communicate(timeout=PATIENCE_S)[0] == f"['{LOCK}']\n"


def test_the_next_start_sweeps_the_folder_of_a_killed_process(base: Path) -> None:
    path = killed_with_temp_dir()
    with process("temp = TempDir()\nprint(os.listdir(temp.path.parent))") as following:
        found = following.communicate(timeout=PATIENCE_S)[0]
    assert path.name not in found
    assert os.listdir(base) == []


def test_the_folder_of_a_running_process_is_never_swept(base: Path) -> None:
    with process("temp = TempDir()\nprint(temp.path, flush=True)\ninput()") as living:
        assert living.stdout is not None
        path = Path(living.stdout.readline().strip())
        mine = TempDir()
        killed_with_temp_dir()
        assert sweep() == 1
        assert {path, mine.path} == set(base.iterdir())
        living.communicate("\n", timeout=PATIENCE_S)
    assert not path.exists()


def test_a_sweep_removes_everything_whenever_the_process_was_killed(base: Path) -> None:
    """Kill a process at its first, second, ... change to its own folder."""
    code = """
own = tempfile.gettempdir() + "/"
is_begun = False
for line in sys.stdin:
    steps = int(line)
    if not os.fork():
        break
    print(os.wait()[1], flush=True)
else:
    sys.exit()
def count(event, arguments):
    global steps, is_begun
    # What it does before depends on the folders of other referees.
    is_begun |= event == "os.mkdir" and str(arguments[0]).startswith(own)
    if is_begun and (event in ("open", "fcntl.flock") or event.startswith("os.")):
        steps -= 1
        if not steps:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(count)
with temp_dir() as path:
    os.mkdir(path / "bot")
    open(path / "bot" / "file", "w").close()
"""
    left = 0
    with process(code) as forking:
        assert forking.stdin
        assert forking.stdout
        for steps in range(1, 99):
            forking.stdin.write(f"{steps}\n")
            forking.stdin.flush()
            status = int(forking.stdout.readline())
            left += len(os.listdir(base))
            # As if a minute had passed.
            for path in base.iterdir():
                os.utime(path, (0, 0))
            sweep()
            assert os.listdir(base) == [], steps
            if status == 0:
                break
        forking.stdin.close()
        forking.wait(PATIENCE_S)
    assert status == 0
    assert left > 5


def _unrelated_folder(path: Path) -> None:
    path.mkdir()
    (path / "file").touch()


def _folder_of_another_user(path: Path) -> None:
    path.mkdir()
    (path / LOCK).touch()
    os.chown(path, 65534, 65534)


root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")


@pytest.mark.parametrize("name", ["arena-league", ".arena-league"])
@pytest.mark.parametrize(
    "make", [_unrelated_folder, Path.touch, pytest.param(_folder_of_another_user, marks=root_only)]
)
def test_unrelated_folders_are_never_touched(
    base: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(base / name)
    os.utime(base / name, (0, 0))
    assert sweep() == 0
    assert os.listdir(base) == [name]


def test_a_folder_that_is_being_created_is_not_touched(base: Path) -> None:
    (base / ".arena-12345678").mkdir()
    assert sweep() == 0


def test_bots_of_a_dead_referee_are_ended(base: Path) -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    path = killed_with_temp_dir()
    bound = ["--ro-bind", "/", "/", "--ro-bind", f"{path}/bot", "/mnt"]
    with subprocess.Popen(
        ["bwrap", *bound, "--unshare-pid", "--", "sh", "-c", "echo there; sleep 600"],
        stdout=subprocess.PIPE,
    ) as bot:
        assert bot.stdout is not None
        if not bot.stdout.read(6):
            pytest.skip("bubblewrap does not work here")
        assert sweep() == 1
        # No process holds its output open, not even the sleeper.
        assert bot.communicate(timeout=PATIENCE_S)[0] == b""


def test_starting_bots_of_a_dead_referee_are_ended(base: Path) -> None:
    words = ["-c", "import time; time.sleep(600)", str(killed_with_temp_dir())]
    starting = subprocess.Popen(["bwrap", *words], executable=sys.executable)
    bystander = subprocess.Popen(["python", *words], executable=sys.executable)
    try:
        assert sweep() == 1
        assert starting.wait(PATIENCE_S) == -signal.SIGKILL
        assert bystander.poll() is None
    finally:
        for each in (starting, bystander):
            each.kill()
            each.wait()


def test_a_socket_path_is_short_enough_even_if_tmpdir_is_long(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(base / ("x" * 80)))
    with temp_dir() as path:
        assert len(os.fsencode(path / "referee.sock")) < 100
        assert path.parent == Path("/tmp")
