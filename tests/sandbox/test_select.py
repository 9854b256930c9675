"""A bot finds what it needs in its cage, and a cage that does not work is explained."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import BadInput, PlatformError
from arena.sandbox.cages.landlock import LandlockCage
from arena.sandbox.select import NoCage, select_cage
from arena.submission.manifest import Manifest
from tests.sandbox.caged_bot import run_to_end
from tests.sandbox.wheelhouse import pack_wheel

both_kinds = pytest.mark.parametrize("cage_name", ["auto", "landlock"])
SYSTEM_PYTHON = Path("/usr/bin/python3")
"""A Python that every user can reach."""
GREETING = "#!/bin/sh\necho hello from $0\n"


def test_a_bot_imports_what_it_requires_and_nothing_else(
    wheelhouse: Path, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The cache is in a folder that bots running as other users can read.
    monkeypatch.setenv("ARENA_CACHE", str(base / "cache"))
    pack_wheel(wheelhouse, "pear", "1.0")
    pack_wheel(wheelhouse, "apple", "2.0", requires=["pear"])
    code = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        print(name, getattr(importlib.import_module(name), "version", "there"))
    except ModuleNotFoundError:
        print(name, "missing")
"""
    words = ["apple", "pear", "arena.sdk", "grpc", "click", "pytest", "arena.referee", "pip"]
    end = run_to_end(code, command=["python", "bot.py", *words], requirements=["apple"])
    assert end.how == "ended with exit code 0", end.printed
    assert dict(line.split() for line in end.printed.splitlines()) == {
        "apple": "2.0",
        "pear": "1.0",
        "arena.sdk": "there",
        "grpc": "missing",
        "click": "missing",
        "pytest": "missing",
        "arena.referee": "missing",
        "pip": "missing",
    }


@both_kinds
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_javascript_starts_with_the_default_limits(cage_name: str) -> None:
    end = run_to_end("", cage_name=cage_name, command=["node", "-e", "console.log(6 * 7)"])
    assert (end.how, end.printed) == ("ended with exit code 0", "42\n")


@both_kinds
def test_a_program_in_its_folder_starts(cage_name: str) -> None:
    end = run_to_end(GREETING, cage_name=cage_name, command=["./bot.py"])
    assert end.how == "ended with exit code 0", end.printed
    assert re.fullmatch(r"hello from .*/bot/\./bot\.py\n", end.printed)


@pytest.fixture
def tools() -> Iterator[Path]:
    """Return a folder outside the system folders that contains a program."""
    # Bots have other uids than those who install programs.
    before = os.umask(0o022)
    # Not in /tmp, because a bot has its own /tmp.
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    folder.chmod(0o755)
    (folder / "bin").mkdir(0o755)
    (folder / "bin" / "greet").write_text(GREETING)
    (folder / "bin" / "greet").chmod(0o755)
    yield folder
    shutil.rmtree(folder)
    os.umask(before)


@both_kinds
def test_a_program_outside_the_system_folders_starts(
    cage_name: str, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tools}/bin:{os.environ['PATH']}")
    end = run_to_end("", cage_name=cage_name, command=["greet"])
    assert (end.how, end.printed) == (
        "ended with exit code 0",
        f"hello from {tools}/bin/greet\n",
    )


@both_kinds
def test_a_program_is_found_behind_a_chain_of_links(
    cage_name: str, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tools / "apart" / "release-1" / "bin").mkdir(parents=True)
    (tools / "bin" / "greet").rename(tools / "apart" / "release-1" / "bin" / "greet")
    (tools / "apart" / "current").symlink_to("release-1")
    (tools / "bin" / "greet").symlink_to("also-greet")
    (tools / "bin" / "also-greet").symlink_to(tools / "apart" / "current" / "bin" / "greet")
    (tools / "entry" / "bin").mkdir(parents=True)
    (tools / "entry" / "bin" / "greet").symlink_to(tools / "bin" / "greet")
    monkeypatch.setenv("PATH", f"{tools}/entry/bin:{os.environ['PATH']}")
    end = run_to_end("", cage_name=cage_name, command=["greet"])
    assert (end.how, end.printed) == (
        "ended with exit code 0",
        f"hello from {tools}/entry/bin/greet\n",
    )


def test_a_program_that_would_expose_a_home_is_refused(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tools}/bin:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tools))
    sentence = f"{tools}/bin/greet cannot be shown to a bot without all of {tools}, which includes"
    with pytest.raises(BadInput, match=re.escape(sentence)):
        run_to_end("", command=["greet"])


def test_a_program_that_is_not_installed_is_reported() -> None:
    with pytest.raises(BadInput, match="bot needs 'greet', which is not installed"):
        run_to_end("", command=["greet"])


def test_a_command_line_is_refused() -> None:
    bot = Manifest("sleep", ("meow",), ("sleep", "1"), Path("/"), is_command_line=True)
    sentence = (
        "'sleep 1' is a command line: its files are unknown, so it cannot run in a cage; make a"
    )
    with pytest.raises(BadInput, match=sentence):
        select_cage("auto").launcher(bot, {})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs setpriv for it")
def test_a_cage_that_lacks_a_program_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    lacking = "cannot start setpriv: No such file or directory"
    problem = LandlockCage(SYSTEM_PYTHON).problem() or ""
    known = (lacking, "this kernel has no Landlock", "bots cannot reach ")
    assert problem.startswith(known)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's bots have other uids")
def test_a_folder_that_bots_cannot_reach_is_named_with_its_mode(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = base / "private"
    private.mkdir(0o700)
    monkeypatch.setenv("ARENA_CACHE", str(private / "cache"))
    problem = LandlockCage(SYSTEM_PYTHON).problem() or ""
    if "no Landlock" in problem or "cannot run the packages" in problem:
        pytest.skip(problem)
    assert f"because {private} has mode 0700: set ARENA_CACHE to a folder" in problem


def test_a_full_cage_works_with_a_cache_in_a_private_folder(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = base / "private"
    private.mkdir(0o700)
    monkeypatch.setenv("ARENA_CACHE", str(private / "cache"))
    assert run_to_end("print('played')").printed == "played\n"


def test_an_unusable_cache_is_not_reported_as_a_missing_cage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARENA_CACHE", "/dev/null")
    with pytest.raises(PlatformError, match="the cache folder /dev/null is not a folder: set"):
        select_cage.__wrapped__("auto")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts bots through setpriv")
def test_a_bot_that_ends_before_it_reads_anything_ends_normally(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    select_cage("landlock")
    (tools / "bin" / "setpriv").write_text("#!/bin/sh\nexit 7\n")
    (tools / "bin" / "setpriv").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}/bin:{os.environ['PATH']}")
    # More than a pipe can buffer, so it has to be read.
    command = ["python", "bot.py", "x" * 100_000]
    assert run_to_end("", cage_name="landlock", command=command).how == "ended with exit code 7"


def test_a_misspelt_cage_gets_a_suggestion() -> None:
    with pytest.raises(BadInput, match="unknown cage 'rooot': did you mean root"):
        select_cage("rooot")


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_a_cage_for_another_kind_of_user_is_refused() -> None:
    name, who = ("user", "ordinary users") if os.geteuid() == 0 else ("root", "root")
    with pytest.raises(NoCage, match=rf"\({name}: for {who} only\)"):
        select_cage(name)
