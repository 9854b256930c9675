"""Does a bot get the packages that it requires, and leave those of the SDK alone?"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena.sandbox.environments import environment_for, plain_environment
from arena.sandbox.locks import Lock, lock_of
from arena.sandbox.wheels import BadRequirements
from tests.sandbox.shop import OURS, locked_from_the_index, pack_wheel


def _run(lock: Lock, code: str) -> str:
    return subprocess.run(
        [environment_for(lock).root / "bin" / "python", "-I", "-B", "-c", code],
        env={},
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    ).stdout.strip()


def test_requiring_nothing_is_the_plain_environment(shop: Path) -> None:
    assert lock_of([]) == Lock(())
    assert environment_for(lock_of([])) == plain_environment()


def test_a_bot_gets_what_it_requires_and_what_that_requires(shop: Path) -> None:
    pear = pack_wheel(shop, "pear", "1.0")
    apple = pack_wheel(shop, "apple", "1.0", requires=["pear"])
    lock = lock_of(["apple"])
    assert lock == Lock((apple, pear))
    code = "import apple, pear, arena.sdk, grpc; print(apple.version, pear.__file__)"
    version, file = _run(lock, code).split()
    assert version == "1.0"
    assert file.startswith(str(environment_for(lock).root))


def test_what_the_sdk_brings_is_not_brought_again(shop: Path) -> None:
    pack_wheel(
        shop, "protobuf", OURS["protobuf"], files={"google/protobuf/__init__.py": "fake = 1"}
    )
    apple = pack_wheel(shop, "apple", "1.0", requires=["protobuf"])
    lock = lock_of(["apple", "protobuf"])
    assert lock == Lock((apple,))
    assert _run(lock, "import google.protobuf as it; print(hasattr(it, 'fake'))") == "False"


def test_an_environment_that_is_there_needs_no_index(shop: Path) -> None:
    pack_wheel(shop, "apple", "1.0")
    before = environment_for(lock_of(["apple"]))
    for wheel in shop.iterdir():
        wheel.unlink()
    assert environment_for(lock_of(["apple"])) == before


def test_a_wheel_that_is_not_the_locked_one_is_refused(shop: Path, cache: Path) -> None:
    pack_wheel(shop, "apple", "1.0")
    lock = lock_of(["apple"])
    pack_wheel(shop, "apple", "1.0", files={"apple.py": "version = 'another'"})
    with pytest.raises(BadRequirements, match="its SHA-256 hash differs: lock again"):
        environment_for(lock)
    assert [path.name for path in (cache / "environments").iterdir()] == [".lock"]


def test_a_package_may_share_a_namespace_with_the_sdk(shop: Path) -> None:
    pack_wheel(shop, "apple", "1.0", files={"google/apple/__init__.py": ""})
    code = "import google.apple, google.protobuf.message; print('both')"
    assert _run(lock_of(["apple"]), code) == "both"


def test_a_package_may_not_replace_a_file_of_the_sdk(shop: Path) -> None:
    pack_wheel(shop, "apple", "1.0", files={"grpc/__init__.py": ""})
    with pytest.raises(BadRequirements, match=r"bring grpc/__init__\.py, which is the SDK's"):
        environment_for(lock_of(["apple"]))


def test_no_program_of_a_package_is_executable(shop: Path) -> None:
    files = {
        "apple.py": "",
        "apple-1.0.dist-info/entry_points.txt": "[console_scripts]\napple = apple:main\n",
        "apple-1.0.data/scripts/peel": "#!python\n",
    }
    pack_wheel(shop, "apple", "1.0", files=files)
    root = environment_for(lock_of(["apple"])).root
    assert list(root.rglob("peel"))
    inside = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    assert not [path for path in inside if path.stat().st_mode & 0o111]


def test_a_package_of_the_real_index_comes_with_what_it_requires(cache: Path) -> None:
    lock = locked_from_the_index("python-dateutil==2.9.0.post0")
    assert [wheel.name for wheel in lock.wheels] == ["python-dateutil", "six"]
    assert _run(lock, "import dateutil, six; print(dateutil.__version__)") == "2.9.0.post0"
