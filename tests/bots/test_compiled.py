"""Bots in C++ and Go are built by one command, and then play like any other."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.games.registry import GAME_IDS
from tests.cages import cage
from tests.cli.runner import arena, arena_on

ROOT = Path(__file__).parents[2]
PROGRAMS = {
    "cpp": ("make", "g++", "pkg-config", "protoc", "grpc_cpp_plugin"),
    "go": ("make", "go", "protoc", "protoc-gen-go", "protoc-gen-go-grpc"),
}
LIBRARIES = {
    "cpp": Path("/usr/include/grpcpp/grpcpp.h"),
    "go": Path("/usr/share/gocode/src/google.golang.org/grpc"),
}
CAGE = ("--cage", cage().name)
every_language = pytest.mark.parametrize("language", PROGRAMS)
Build = Callable[[str], Path]


def missing(language: str) -> list[str]:
    """Return what is not installed here of what the README of a new bot names."""
    programs = [program for program in PROGRAMS[language] if not shutil.which(program)]
    return programs + ([] if LIBRARIES[language].exists() else [str(LIBRARIES[language])])


def make(folder: Path, shared: Path) -> None:
    """Build a bot as its README says; one without optimisation compiles faster."""
    variables = {"CXXFLAGS": "-O0 -Wall -Werror", "GOCACHE": str(shared / "go")}
    environment = {**os.environ, **variables}
    done = subprocess.run(
        ["make", "-C", folder], env=environment, capture_output=True, text=True, timeout=1500
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Return a function that builds a bot for MEOW, one for all test processes."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    def built(language: str) -> Path:
        if lacking := missing(language):
            pytest.skip(f"bots in {language} are not built: {', '.join(lacking)} is missing")
        folder = shared / f"{language}-cat"
        with (shared / f"{language}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                result = arena("new", folder, "--game", "meow", "--language", language)
                assert result.exit_code == 0, result.output
                make(folder, shared)
        assert (folder / "bot").exists(), "the build failed in another test"
        return folder

    return built


@pytest.mark.slow
@every_language
def test_a_new_bot_is_one_static_program_that_passes_the_check(language: str, build: Build) -> None:
    folder = build(language)
    described = subprocess.run(["ldd", folder / "bot"], capture_output=True, text=True)
    assert "not a dynamic executable" in described.stderr
    result = arena("check", folder, *CAGE)
    assert result.exit_code == 0, result.output


@pytest.mark.slow
def test_bots_in_c_plus_plus_and_go_play_an_event_without_a_fault(
    build: Build, tmp_path: Path
) -> None:
    db = tmp_path / "arena.db"
    for language in PROGRAMS:
        result = arena_on(db, "submit", str(build(language)), *CAGE)
        assert result.exit_code == 0, result.output
    bots = "cpp-cat,go-cat,random"
    words = ("--game", "meow", "--bots", bots, "--deals", "3", "--seed", "1", "--name", "cup", "-q")
    result = arena_on(db, "event", "run", "round-robin", *words, *CAGE)
    assert result.exit_code == 0, result.output
    document = json.loads(arena_on(db, "event", "show", "cup", "--json").stdout)
    rows = {row["bot"]: row for row in document["standings"]}
    assert sorted(rows) == ["cpp-cat", "go-cat", "random"]
    assert [row["faults"] for row in rows.values()] == [0, 0, 0]


@pytest.mark.slow
@every_language
@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_new_bot_for_every_game_passes_the_check(
    language: str, game_id: str, build: Build, tmp_path: Path
) -> None:
    first = build(language)
    folder = tmp_path / "kitten"
    assert arena("new", folder, "--game", game_id, "--language", language).exit_code == 0
    # What the bots of a language share is compiled already.
    shutil.copytree(first / ".cache", folder / ".cache")
    (folder / ".cache" / "bot.o").unlink(missing_ok=True)
    for name in ("protos.stamp", "messages.cpp", "messages.o", "arena.o"):
        if (folder / ".cache" / name).exists():
            (folder / ".cache" / name).touch()
    make(folder, first.parent)
    result = arena("check", folder, *CAGE)
    assert result.exit_code == 0, result.output


@every_language
def test_a_bot_that_was_not_built_is_refused_with_the_reason(language: str, tmp_path: Path) -> None:
    folder = tmp_path / "kitten"
    assert "make -C" in arena("new", folder, "--game", "meow", "--language", language).output
    result = arena("check", folder, *CAGE)
    assert result.exit_code != 0
    assert "'./bot', which is not an executable file" in result.output


@every_language
def test_its_readme_names_the_packages_that_the_tests_install(language: str) -> None:
    template = ROOT / "arena" / "templates" / language
    script = (ROOT / "scripts" / "test").read_text(encoding="utf-8")
    readme = (template / "README.md").read_text(encoding="utf-8")
    listed = readme.partition("apt-get install ")[2].partition("```")[0].replace("\\", "").split()
    assert len(listed) > 4
    assert [package for package in listed if f":{package}" not in script] == []
