"""Does a built wheel give a working arena, far from any checkout?"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.house import house_bots
from tests.cages import cage

ROOT = Path(__file__).parents[1]
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "arena", "bots", "leaderboard")
MADE = {"node_modules", "__pycache__"}


def run(*words: str | Path, cwd: Path, cache: Path | None = None) -> str:
    """Run a command, and return what it prints; it must succeed."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)} if cache else None
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel from a copy of the checkout, so that nothing is left in it."""
    top = tmp_path_factory.mktemp("wheel")
    copy = top / "a checkout"
    copy.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns(*MADE)
            )
        else:
            shutil.copy(ROOT / name, copy)
    for place in ("javascript-meow/node_modules/@grpc/x.js", "random/__pycache__/bot.pyc"):
        path = copy / "bots" / place
        path.parent.mkdir(parents=True)
        path.touch()
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index")
    run(*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", top, ".", cwd=copy)
    (built,) = top.glob("*.whl")
    return built


def test_a_wheel_holds_every_file_of_the_packages_and_of_the_house_bots(wheel: Path) -> None:
    files = [
        path.relative_to(ROOT)
        for top in ("arena", "leaderboard", "bots")
        for path in (ROOT / top).rglob("*")
        if path.is_file() and not MADE.intersection(path.parts)
    ]
    # A page beside the code is for its readers; those that the arena shows are asked for below.
    expected = {
        f"arena/house_{path}" if path.parts[0] == "bots" else str(path)
        for path in files
        if path.suffix != ".md" and not any(part.startswith(".") for part in path.parts)
    }
    assert expected - set(ZipFile(wheel).namelist()) == set()


def test_a_wheel_leaves_out_what_was_installed_or_compiled(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert [name for name in names if MADE.intersection(Path(name).parts)] == []


def test_an_installed_arena_plays_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    machine, folder, cache = tmp_path / "machine", tmp_path / "empty", tmp_path / "cache"
    folder.mkdir()
    venv.create(machine, symlinks=True)
    pip = (sys.executable, "-m", "pip", "--python", str(machine / "bin" / "python"), "install")
    run(*pip, "--quiet", "--no-index", "--no-deps", wheel, cwd=folder)
    # The packages that ours needs are those of these tests, so that no network is needed.
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = machine / "lib" / version / "site-packages"
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")

    def arena(*words: str) -> str:
        return run(machine / "bin" / "arena", *words, cwd=folder, cache=cache)

    shut_in = ("--cage", cage().name)
    assert arena("--version").startswith("arena ")
    assert "Life is Life" in arena("games")
    assert arena("rules", "jackal").startswith("# Jackal & High")
    python_bots = {name for name in house_bots() if not name.startswith("javascript")}
    assert {line.split()[0] for line in arena("bots").splitlines()[1:]} >= python_bots
    assert "greedy-meow" in arena("play", "meow", "greedy-meow", "random", "--seed", "1", *shut_in)
    arena("new", "kitten", "--game", "trio")
    assert "failed" not in arena("check", "kitten", *shut_in)
    arena("new", "puppy", "--game", "trio", "--language", "javascript")
    assert (folder / "puppy" / "protos" / "arena" / "wire" / "v1" / "match.proto").is_file()
    used = run(machine / "bin" / "python", "-c", "import arena; print(arena.__file__)", cwd=folder)
    assert Path(used.strip()).is_relative_to(packages)
