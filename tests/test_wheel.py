"""A built wheel gives a working arena, away from any checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from zipfile import ZipFile

import pytest

from arena.submission.lookup import house_bots
from tests.cages import cage

ROOT = Path(__file__).parents[1]
SOURCES = (
    *("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"),
    *("arena", "bots", "leaderboard", "protos"),
)
GENERATED = {"__pycache__"}
EXTENSION = f"arena/wire/_native{sysconfig.get_config_var('EXT_SUFFIX')}"
"""The codec in C."""
TYPED_BOT = """from arena.games.meow.view import View
from arena.sdk import Bot, run

class First(Bot):
    def choose(self, view: View) -> int:
        return self.legal_actions(view)[0]

run(First)
"""


def run(*words: str | Path, cwd: Path, variables: Mapping[str, str] = MappingProxyType({})) -> str:
    """Run a command that must succeed, and return its output."""
    environment = {**os.environ, **variables}
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def copy_of_checkout(top: Path) -> Path:
    """Copy what a wheel is built from, so that the checkout stays clean."""
    copy = top / "a checkout"
    copy.mkdir()
    ignored = shutil.ignore_patterns(*GENERATED, "*.so")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=ignored)
        else:
            shutil.copy(ROOT / name, copy)
    return copy


def build_wheel(top: Path, **variables: str) -> Path:
    """Build a wheel from a copy of the checkout, with these environment variables."""
    copy = copy_of_checkout(top)
    compiled = copy / "bots" / "random" / "__pycache__" / "bot.pyc"
    compiled.parent.mkdir()
    compiled.touch()
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index")
    options = ("--no-deps", "--no-build-isolation", "--wheel-dir", top)
    run(*pip, *options, ".", cwd=copy, variables=variables)
    (built,) = top.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel as anyone would."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def compiler() -> None:
    """Skip the test where nothing can be compiled."""
    headers = Path(sysconfig.get_path("include"), "Python.h")
    if not shutil.which("cc") or not headers.exists():
        pytest.skip("there is no C compiler, or the headers of Python are missing")


def test_a_wheel_contains_every_file_of_the_packages_and_the_house_bots(wheel: Path) -> None:
    files = [
        path.relative_to(ROOT)
        for top in ("arena", "leaderboard", "bots")
        for path in (ROOT / top).rglob("*")
        if path.is_file() and not GENERATED.intersection(path.parts) and "_pb2" not in path.name
    ]
    # Pages next to the code are for its readers, except for the ones that commands show. The
    # sources of the codec in C are compiled.
    expected = {
        f"arena/house_{path}" if path.parts[0] == "bots" else str(path)
        for path in files
        if (
            path.suffix not in (".md", ".ipynb")
            or path.parent.name == "docs"
            or path.name == "RULES.md"
        )
        and path.suffix not in (".c", ".h", ".so")
        and not any(part.startswith(".") for part in path.parts)
    }
    assert expected - set(ZipFile(wheel).namelist()) == set()


def test_a_wheel_contains_no_installed_or_compiled_files(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert [name for name in names if GENERATED.intersection(Path(name).parts)] == []


@pytest.mark.usefixtures("compiler")
def test_a_wheel_contains_the_codec_in_c(wheel: Path) -> None:
    assert EXTENSION in ZipFile(wheel).namelist()


@pytest.mark.slow
@pytest.mark.usefixtures("compiler")
def test_the_script_builds_a_wheel_for_a_python(tmp_path: Path) -> None:
    copy = copy_of_checkout(tmp_path)
    (copy / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "wheels", copy / "scripts")
    variables = {"PIP_OPTIONS": "--no-build-isolation --no-index"}
    run(copy / "scripts" / "wheels", sys.executable, cwd=tmp_path, variables=variables)
    (built,) = (copy / "dist").glob("*.whl")
    assert EXTENSION in ZipFile(built).namelist()
    assert sorted(path.name for path in copy.iterdir()) == sorted((*SOURCES, "dist", "scripts"))


def install_wheel(wheel: Path, folder: Path) -> None:
    """Install a wheel into a new virtual environment."""
    venv.create(folder, symlinks=True)
    pip = (sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install")
    run(*pip, "--quiet", "--no-index", "--no-deps", "--no-compile", wheel, cwd=folder)
    # Borrow the dependencies of this environment, so that no network is needed.
    (packages_of(folder) / "needed.pth").write_text(sysconfig.get_path("purelib"), "utf-8")


@pytest.mark.slow
def test_without_a_compiler_arena_is_installed_with_the_codec_in_python(tmp_path: Path) -> None:
    built = build_wheel(tmp_path, CC="/bin/false")
    assert EXTENSION not in ZipFile(built).namelist()
    folder = tmp_path / "machine"
    install_wheel(built, folder)
    code = "from arena.wire.backend import IN_USE; print(IN_USE.name)"
    assert run(folder / "bin" / "python", "-c", code, cwd=folder).strip() == "python"
    played = run(folder / "bin" / "arena", "play", "trio", "random", "random", "random", cwd=folder)
    assert "random" in played


@pytest.fixture(scope="module")
def machine(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into a new virtual environment."""
    folder = tmp_path_factory.mktemp("machine")
    install_wheel(wheel, folder)
    return folder


def packages_of(machine: Path) -> Path:
    """Return the site-packages of a virtual environment."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return machine / "lib" / version / "site-packages"


@pytest.mark.slow
def test_a_bot_type_checks_against_an_installed_arena(machine: Path, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(TYPED_BOT, encoding="utf-8")
    mypy = (sys.executable, "-m", "mypy", "--strict", "--python-executable")
    run(*mypy, machine / "bin" / "python", "--cache-dir", os.devnull, "bot.py", cwd=tmp_path)


def test_an_installed_arena_plays_in_an_empty_folder(machine: Path, tmp_path: Path) -> None:
    folder, cache = tmp_path / "empty", tmp_path / "cache"
    folder.mkdir()

    def arena(*words: str) -> str:
        variables = {"XDG_CACHE_HOME": str(cache)}
        return run(machine / "bin" / "arena", *words, cwd=folder, variables=variables)

    # Under Landlock, the uid of a bot cannot reach the packages of a machine in this test's folder.
    can_reach = os.geteuid() != 0 or cage().name != "landlock"
    caged = ("--cage", cage().name if can_reach else "none")
    assert arena("--version").startswith("arena ")
    assert {line.split()[0] for line in arena("bots").splitlines()[1:]} >= house_bots().keys()
    arena("new", "kitten", "--game", "meow")
    assert "greedy-meow" in arena("play", "meow", "greedy-meow", "kitten", "--seed", "1", *caged)
    _, page, *_ = arena("docs").splitlines()
    assert arena("docs", page.split()[0]).startswith("# ")
    arena("new", "puppy", "--game", "trio", "--language", "javascript")
    assert (folder / "puppy" / "protos" / "arena" / "wire" / "v1" / "match.proto").is_file()
    used = run(machine / "bin" / "python", "-c", "import arena; print(arena.__file__)", cwd=folder)
    assert Path(used.strip()).is_relative_to(packages_of(machine))
