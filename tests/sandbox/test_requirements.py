"""A bot gets the packages that it requires, and cannot replace those of the SDK."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena.sandbox.environments import environment_for, plain_environment
from arena.sandbox.lockfile import Lockfile, lockfile_for
from arena.sandbox.wheels import BadRequirements
from tests.sandbox.wheelhouse import OURS, locked_from_the_index, pack_wheel


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


def test_a_bot_gets_its_requirements_and_their_dependencies(wheelhouse: Path) -> None:
    pear = pack_wheel(wheelhouse, "pear", "1.0")
    apple = pack_wheel(wheelhouse, "apple", "1.0", requires=["pear"])
    lock = lockfile_for(["apple"])
    assert lock == Lockfile((apple, pear))
    code = "import apple, pear, arena.sdk, grpc; print(apple.version, pear.__file__)"
    version, file = _run(lock, code).split()
    assert version == "1.0"
    assert file.startswith(str(environment_for(lock).root))


def test_packages_of_the_sdk_are_not_installed_again(wheelhouse: Path) -> None:
    pack_wheel(
        wheelhouse, "protobuf", OURS["protobuf"], files={"google/protobuf/__init__.py": "fake = 1"}
    )
    apple = pack_wheel(wheelhouse, "apple", "1.0", requires=["protobuf"])
    lock = lockfile_for(["apple", "protobuf"])
    assert lock == Lockfile((apple,))
    assert _run(lock, "import google.protobuf as it; print(hasattr(it, 'fake'))") == "False"


def test_an_existing_environment_needs_no_package_index(wheelhouse: Path) -> None:
    pack_wheel(wheelhouse, "apple", "1.0")
    before = environment_for(lockfile_for(["apple"]))
    for wheel in wheelhouse.iterdir():
        wheel.unlink()
    assert environment_for(lockfile_for(["apple"])) == before


def test_a_wheel_that_differs_from_the_locked_one_is_refused(wheelhouse: Path, cache: Path) -> None:
    pack_wheel(wheelhouse, "apple", "1.0")
    lock = lockfile_for(["apple"])
    pack_wheel(wheelhouse, "apple", "1.0", files={"apple.py": "version = 'another'"})
    with pytest.raises(BadRequirements, match=r"SHA-256 mismatch\): lock the requirements again"):
        environment_for(lock)
    assert [path.name for path in (cache / "environments").iterdir()] == [".lock"]


def test_a_package_may_share_a_namespace_with_the_sdk(wheelhouse: Path) -> None:
    pack_wheel(wheelhouse, "apple", "1.0", files={"google/apple/__init__.py": ""})
    code = "import google.apple, google.protobuf.message; print('both')"
    assert _run(lockfile_for(["apple"]), code) == "both"


def test_a_package_may_not_replace_a_file_of_the_sdk(wheelhouse: Path) -> None:
    pack_wheel(wheelhouse, "apple", "1.0", files={"grpc/__init__.py": ""})
    with pytest.raises(
        BadRequirements, match=r"contain grpc/__init__\.py, which belongs to the SDK"
    ):
        environment_for(lockfile_for(["apple"]))


def test_no_program_of_a_package_is_executable(wheelhouse: Path) -> None:
    files = {
        "apple.py": "",
        "apple-1.0.dist-info/entry_points.txt": "[console_scripts]\napple = apple:main\n",
        "apple-1.0.data/scripts/peel": "#!python\n",
    }
    pack_wheel(wheelhouse, "apple", "1.0", files=files)
    root = environment_for(lockfile_for(["apple"])).root
    assert list(root.rglob("peel"))
    inside = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    assert not [path for path in inside if path.stat().st_mode & 0o111]


def test_a_package_of_the_real_index_comes_with_its_dependencies(cache: Path) -> None:
    lock = locked_from_the_index("python-dateutil==2.9.0.post0")
    assert [wheel.name for wheel in lock.wheels] == ["python-dateutil", "six"]
    assert _run(lock, "import dateutil, six; print(dateutil.__version__)") == "2.9.0.post0"
