"""A bot gets the packages that it requires, and cannot replace those of the SDK."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.sandbox.packages.environments import environment_for, plain_environment
from arena.sandbox.packages.lockfile import Lockfile, Wheel, lockfile_for
from arena.sandbox.packages.wheels import BadRequirements
from tests.sandbox.wheelhouse import locked_from_the_index, pack_wheel, use_wheelhouse


def _run(lock: Lockfile, code: str) -> str:
    return subprocess.run(
        [environment_for(lock).root / "bin" / "python", "-I", "-B", "-c", code],
        env={},
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    ).stdout.strip()


def test_no_requirements_give_the_plain_environment(wheelhouse: Path) -> None:
    assert lockfile_for([]) == Lockfile(())
    assert environment_for(lockfile_for([])) == plain_environment()


FILES_OF_APPLE = {
    "apple.py": "version = '1.0'\n",
    "arena/apple/__init__.py": "",
    "apple-1.0.dist-info/entry_points.txt": "[console_scripts]\napple = apple:main\n",
    "apple-1.0.data/scripts/peel": "#!python\n",
}


class Orchard(NamedTuple):
    """Packages that a bot required, installed in one environment for several tests."""

    lock: Lockfile
    chosen: tuple[Wheel, ...]
    """What should be in the lockfile."""


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Orchard]:
    """Install a package with a dependency, then take the package index away."""
    folder = tmp_path_factory.mktemp("orchard")
    with pytest.MonkeyPatch.context() as patch:
        use_wheelhouse(patch, folder)
        pear = pack_wheel(folder, "pear", "1.0")
        apple = pack_wheel(folder, "apple", "1.0", requires=["pear"], files=FILES_OF_APPLE)
        patch.setenv("ARENA_CACHE", str(folder / "cache"))
        lock = lockfile_for(["apple"])
        environment_for(lock)
        for wheel in folder.glob("*.whl"):
            wheel.unlink()
        yield Orchard(lock, (apple, pear))


def test_a_bot_gets_its_requirements_and_their_dependencies(orchard: Orchard) -> None:
    assert orchard.lock == Lockfile(orchard.chosen)
    code = "import apple, pear, arena.sdk; print(apple.version, pear.__file__)"
    version, file = _run(orchard.lock, code).split()
    assert version == "1.0"
    assert file.startswith(str(environment_for(orchard.lock).root))


def test_an_existing_environment_needs_no_package_index(orchard: Orchard) -> None:
    assert lockfile_for(["apple"]) == orchard.lock
    assert environment_for(orchard.lock).root.is_dir()


def test_a_wheel_that_differs_from_the_locked_one_is_refused(wheelhouse: Path, cache: Path) -> None:
    pack_wheel(wheelhouse, "apple", "1.0")
    lock = lockfile_for(["apple"])
    pack_wheel(wheelhouse, "apple", "1.0", files={"apple.py": "version = 'another'"})
    with pytest.raises(BadRequirements, match=r"SHA-256 mismatch\): lock the requirements again"):
        environment_for(lock)
    assert [path.name for path in (cache / "environments").iterdir()] == [".lock"]


def test_a_package_may_share_a_namespace_with_the_sdk(orchard: Orchard) -> None:
    code = "import arena.apple, arena.sdk; print('both')"
    assert _run(orchard.lock, code) == "both"


def test_a_package_may_not_replace_a_file_of_the_sdk(wheelhouse: Path) -> None:
    pack_wheel(wheelhouse, "apple", "1.0", files={"arena/__init__.py": ""})
    with pytest.raises(
        BadRequirements, match=r"contain arena/__init__\.py, which belongs to the SDK"
    ):
        environment_for(lockfile_for(["apple"]))


def test_no_program_of_a_package_is_executable(orchard: Orchard) -> None:
    root = environment_for(orchard.lock).root
    assert list(root.rglob("peel"))
    inside = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    assert not [path for path in inside if path.stat().st_mode & 0o111]


@pytest.mark.slow
def test_a_package_of_the_real_index_comes_with_its_dependencies(cache: Path) -> None:
    lock = locked_from_the_index("python-dateutil==2.9.0.post0")
    assert [wheel.name for wheel in lock.wheels] == ["python-dateutil", "six"]
    assert _run(lock, "import dateutil, six; print(dateutil.__version__)") == "2.9.0.post0"
