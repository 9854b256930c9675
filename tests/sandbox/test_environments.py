"""Does a caged bot's Python hold what it should, and nothing else?"""

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
from arena.sandbox.environments import Environment, plain_environment
from arena.sandbox.installed import sdk_packages


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


@pytest.mark.parametrize("module", ["arena.sdk", "arena.games", "grpc.aio", "google.protobuf"])
def test_a_bot_can_import_the_sdk_and_what_it_needs(plain: Environment, module: str) -> None:
    ran = _run(plain, f"import {module}; print({module}.__file__ or 'namespace')")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(str(plain.root))


@pytest.mark.parametrize(
    "module",
    ["arena.referee", "arena.records", "arena.sandbox", "leaderboard", "click", "pytest", "pip"],
)
def test_a_bot_can_import_nothing_else_of_this_machine(plain: Environment, module: str) -> None:
    ran = _run(plain, f"import {module}")
    assert "ModuleNotFoundError" in ran.stderr


def test_everybody_can_read_it_and_nobody_can_run_what_it_holds(plain: Environment) -> None:
    paths = [plain.root, *plain.root.rglob("*")]
    modes = {
        (path.is_dir(), stat.S_IMODE(path.stat().st_mode))
        for path in paths
        if not path.is_symlink()
    }
    assert modes == {(True, 0o755), (False, 0o644)}


def test_all_of_it_is_compiled(plain: Environment) -> None:
    sources = list(plain.root.rglob("*.py"))
    compiled = list(plain.root.rglob("*.pyc"))
    assert len(compiled) == len(sources) > 100


def test_it_holds_the_packages_that_the_sdk_needs_with_their_names(plain: Environment) -> None:
    ran = _run(
        plain,
        "from importlib.metadata import distributions as all\n"
        "print(*sorted(it.name.lower().replace('_', '-') for it in all()))",
    )
    assert ran.stdout.split() == [package.name for package in sdk_packages()]


def test_it_is_found_again(plain: Environment) -> None:
    made = (plain.root / "pyvenv.cfg").stat().st_mtime_ns
    assert plain_environment() == plain
    assert (plain.root / "pyvenv.cfg").stat().st_mtime_ns == made


def test_every_folder_of_the_machines_own_packages_is_hidden(plain: Environment) -> None:
    code = "import site; print(*site.getsitepackages(), sep='\\n')"
    asked = [str(plain.interpreter), "-I", "-c", code]
    listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    folders = {Path(line).resolve() for line in listed.splitlines() if Path(line).is_dir()}
    assert folders
    assert folders <= set(plain.hidden)
    assert plain.prefix in plain.interpreter.parents


def test_a_changed_checkout_gets_another(tmp_path: Path) -> None:
    top = Path(arena.__file__).parent
    leave_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(top, tmp_path / "arena", ignore=leave_out)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from arena.sandbox.environments import plain_environment\n"
        "print(plain_environment().root)"
    )

    def root() -> Path:
        asked = [sys.executable, "-B", "-c", code]
        variables = {"ARENA_CACHE": str(tmp_path / "cache")}
        ran = subprocess.run(asked, env=variables, capture_output=True, text=True, check=True)
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


def test_another_interpreter_for_the_same_packages_will_do(plain: Environment) -> None:
    # The running one under another name is asked just like any other.
    assert plain_environment(python=Path(sys.executable)) == plain


def _script(path: Path, answer: str) -> Path:
    path.write_text(f"#!/bin/sh\necho '{answer}'\n")
    path.chmod(0o755)
    return path


def test_an_interpreter_for_other_packages_is_refused(tmp_path: Path) -> None:
    answer = '["/usr/bin/python3.9", "/usr", "3.9.1", ".cpython-39-x86_64-linux-gnu.so"]'
    python = _script(tmp_path / "python", answer)
    with pytest.raises(
        PlatformError, match=f"{python} cannot run the packages of .* '.cpython-39-x86"
    ):
        plain_environment(python=python)


@pytest.mark.parametrize("answer", ["", "no", "[]", "{}", "3", "[1, 2, 3, 4]"])
def test_a_program_that_is_no_interpreter_is_refused(tmp_path: Path, answer: str) -> None:
    python = _script(tmp_path / "python", answer)
    with pytest.raises(PlatformError, match=f"{python} is not a Python that can be run"):
        plain_environment(python=python)


def test_a_program_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlatformError, match="nothing is not a Python that can be run"):
        plain_environment(python=tmp_path / "nothing")
