"""Is every place removed in the end, however its process ended, and nothing else ever?"""

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

from arena.sandbox.places import Place, fresh, sweep
from tests.sandbox.caged import PATIENCE_S

LOCK = ".arena-lock"
HEAD = "import os, signal, sys, tempfile\nfrom arena.sandbox.places import Place, fresh, sweep\n"


def process(code: str) -> subprocess.Popen[str]:
    """Start a program that makes places."""
    return subprocess.Popen(
        [sys.executable, "-c", HEAD + code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def killed_with_a_place() -> Path:
    """Have a process make a place and be killed."""
    code = "place = Place()\n(place.path / 'bot').mkdir()\nprint(place.path, flush=True)\n"
    with process(code + "os.kill(os.getpid(), signal.SIGKILL)") as dead:
        path = Path(dead.communicate(timeout=PATIENCE_S)[0].strip())
    assert path.is_dir()
    return path


def test_a_place_is_empty_and_listed_by_nobody_else(base: Path) -> None:
    with fresh() as path:
        assert path.parent == base
        assert os.listdir(path) == [LOCK]
        assert not path.stat().st_mode & 0o066


def test_a_place_lasts_as_long_as_somebody_refers_to_it(base: Path) -> None:
    place = Place()
    path = place.path
    (path / "inner" / "deep").mkdir(parents=True)
    (path / "inner" / "file").touch()
    (path / "link").symlink_to("/")
    gc.collect()
    assert path.is_dir()
    del place
    gc.collect()
    assert os.listdir(base) == []


def test_a_place_can_be_removed_twice(base: Path) -> None:
    place = Place()
    place.remove()
    place.remove()
    assert os.listdir(base) == []


def test_a_place_is_left_even_by_a_failure(base: Path) -> None:
    with pytest.raises(ValueError, match="oh"), fresh():
        raise ValueError("oh")
    assert os.listdir(base) == []


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise ValueError"])
def test_a_place_is_removed_when_its_process_ends(base: Path, end: str) -> None:
    with process(f"place = Place()\nprint(place.path)\n{end}") as ended:
        path = Path(ended.communicate(timeout=PATIENCE_S)[0].strip())
    assert path.parent == base
    assert os.listdir(base) == []


def test_a_forked_child_does_not_remove_its_parents_place(base: Path) -> None:
    code = "place = Place()\nif not os.fork(): sys.exit()\nos.wait()\nprint(os.listdir(place.path))"
    with process(code) as ended:
        assert ended.communicate(timeout=PATIENCE_S)[0] == f"['{LOCK}']\n"


def test_the_next_start_sweeps_what_a_killed_process_has_left(base: Path) -> None:
    path = killed_with_a_place()
    with process("place = Place()\nprint(os.listdir(place.path.parent))") as following:
        found = following.communicate(timeout=PATIENCE_S)[0]
    assert path.name not in found
    assert os.listdir(base) == []


def test_the_place_of_a_living_process_is_never_swept(base: Path) -> None:
    with process("place = Place()\nprint(place.path, flush=True)\ninput()") as living:
        assert living.stdout is not None
        path = Path(living.stdout.readline().strip())
        mine = Place()
        killed_with_a_place()
        assert sweep() == 1
        assert {path, mine.path} == set(base.iterdir())
        living.communicate("\n", timeout=PATIENCE_S)
    assert not path.exists()


def test_wherever_the_kill_strikes_the_sweep_leaves_nothing(base: Path) -> None:
    """Kill a process at its first, second, ... change to the disk."""
    code = """
tempfile.gettempdir()
steps = int(sys.stdin.readline())
def count(event, _):
    global steps
    if event in ("open", "fcntl.flock") or event.startswith("os."):
        steps -= 1
        if not steps:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(count)
with fresh() as path:
    os.mkdir(path / "bot")
    open(path / "bot" / "file", "w").close()
"""
    left = 0
    for steps in range(1, 99):
        with process(code) as dying:
            dying.communicate(f"{steps}\n", timeout=PATIENCE_S)
        left += len(os.listdir(base))
        # As if a minute had passed.
        for path in base.iterdir():
            os.utime(path, (0, 0))
        sweep()
        assert os.listdir(base) == [], steps
        if dying.returncode == 0:
            break
    assert dying.returncode == 0
    assert left > 5


def _own(path: Path) -> None:
    path.mkdir()
    (path / "file").touch()


def _anothers(path: Path) -> None:
    path.mkdir()
    (path / LOCK).touch()
    os.chown(path, 65534, 65534)


root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")


@pytest.mark.parametrize("name", ["arena-league", ".arena-league"])
@pytest.mark.parametrize("make", [_own, Path.touch, pytest.param(_anothers, marks=root_only)])
def test_what_is_not_ours_is_never_touched(
    base: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(base / name)
    os.utime(base / name, (0, 0))
    assert sweep() == 0
    assert os.listdir(base) == [name]


def test_a_place_that_is_being_made_is_not_touched(base: Path) -> None:
    (base / ".arena-12345678").mkdir()
    assert sweep() == 0


def test_bots_of_a_dead_referee_are_ended(base: Path) -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    path = killed_with_a_place()
    bound = ["--ro-bind", "/", "/", "--ro-bind", f"{path}/bot", "/mnt"]
    bot = subprocess.Popen(
        ["bwrap", *bound, "--unshare-pid", "--", "sh", "-c", "echo there; sleep 600"],
        stdout=subprocess.PIPE,
    )
    assert bot.stdout is not None
    if not bot.stdout.read(6):
        pytest.skip("bubblewrap does not work here")
    assert sweep() == 1
    # Nobody holds its output any more, not even the sleeper.
    assert bot.communicate(timeout=PATIENCE_S)[0] == b""


def test_bots_of_a_dead_referee_that_are_only_starting_are_ended(base: Path) -> None:
    words = ["-c", "import time; time.sleep(600)", str(killed_with_a_place())]
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


def test_a_socket_fits_into_a_place_wherever_temporary_files_are(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(base / ("x" * 80)))
    with fresh() as path:
        assert len(os.fsencode(path / "referee.sock")) < 100
        assert path.parent == Path("/tmp")
