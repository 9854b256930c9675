"""Does a caged bot's Python hold what it should, and nothing else?"""

from __future__ import annotations

import subprocess

import pytest

from arena.sandbox.environments import Environment, plain_environment


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_CACHE", str(tmp_path_factory.mktemp("cache")))
        return plain_environment()


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
