"""The Python of a caged bot contains what it should, and nothing else."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena
from arena.errors import PlatformError
from arena.sandbox.packages.environments import Environment, plain_environment
from arena.wire.backend import IN_USE


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield plain_environment()


def _run(environment: Environment, code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [environment.root / "bin" / "python", "-I", "-B", "-c", code],
        env={},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_bot_can_import_the_sdk_and_the_games(plain: Environment) -> None:
    modules = ["arena.sdk", "arena.games.meow.narration", "arena.wire.meow"]
    imports = "".join(f"import {module}; print({module}.__file__)\n" for module in modules)
    ran = _run(plain, imports)
    assert ran.returncode == 0, ran.stderr
    files = ran.stdout.splitlines()
    assert len(files) == len(modules)
    assert all(file.startswith(str(plain.root)) for file in files)


def test_a_bot_uses_the_codec_of_the_referee(plain: Environment) -> None:
    ran = _run(plain, "from arena.wire.backend import IN_USE; print(IN_USE.name)")
    assert ran.stdout.strip() == IN_USE.name, ran.stderr


def test_its_files_are_readable_by_all_and_executable_by_none(plain: Environment) -> None:
    paths = [plain.root, *plain.root.rglob("*")]
    modes = {
        (path.is_dir(), stat.S_IMODE(path.stat().st_mode))
        for path in paths
        if not path.is_symlink()
    }
    assert modes == {(True, 0o755), (False, 0o644)}


def test_every_module_is_compiled(plain: Environment) -> None:
    sources = list(plain.root.rglob("*.py"))
    compiled = list(plain.root.rglob("*.pyc"))
    assert len(compiled) == len(sources) > 100


def test_it_is_reused(plain: Environment) -> None:
    created = (plain.root / "pyvenv.cfg").stat().st_mtime_ns
    assert plain_environment() == plain
    assert (plain.root / "pyvenv.cfg").stat().st_mtime_ns == created


@pytest.mark.slow
def test_a_changed_checkout_gets_another_environment(tmp_path: Path) -> None:
    top = Path(arena.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(top, tmp_path / "arena", ignore=ignored)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from arena.sandbox.packages.environments import plain_environment\n"
        "print(plain_environment().root)"
    )

    def root() -> Path:
        command = [sys.executable, "-B", "-c", code]
        variables = {"ARENA_CACHE": str(tmp_path / "cache")}
        ran = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
        return Path(ran.stdout.strip())

    before = root()
    with (tmp_path / "arena" / "cli" / "__init__.py").open("a") as file:
        file.write("# not in it\n")
    assert root() == before
    with (tmp_path / "arena" / "sdk" / "bot.py").open("a") as file:
        file.write("# changed\n")
    after = root()
    assert after != before
    [changed] = after.glob("lib/python*/site-packages/arena/sdk/bot.py")
    assert changed.read_text().endswith("# changed\n")


def test_another_interpreter_for_the_same_packages_is_accepted(plain: Environment) -> None:
    # The running interpreter under another name is queried like any other.
    assert plain_environment(python=Path(sys.executable)) == plain


def _script(path: Path, answer: str) -> Path:
    path.write_text(f"#!/bin/sh\necho '{answer}'\n")
    path.chmod(0o755)
    return path


def test_an_interpreter_for_other_packages_is_refused(tmp_path: Path) -> None:
    answer = '["/usr/bin/python3.9", "/usr", "/usr/lib/os.py", "3.9", ".cpython-39-x86_64.so"]'
    python = _script(tmp_path / "python", answer)
    with pytest.raises(
        PlatformError, match=f"{python} cannot run the packages of .* '.cpython-39-x86"
    ):
        plain_environment(python=python)


@pytest.mark.parametrize("answer", ["", "no", "[]", "{}", "3", "[1, 2, 3, 4]"])
def test_a_program_that_is_not_an_interpreter_is_refused(tmp_path: Path, answer: str) -> None:
    python = _script(tmp_path / "python", answer)
    with pytest.raises(PlatformError, match=f"cannot run {python} as a Python interpreter"):
        plain_environment(python=python)


def test_a_missing_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlatformError, match="nothing as a Python interpreter"):
        plain_environment(python=tmp_path / "nothing")
