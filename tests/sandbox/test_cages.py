"""Does a bot find what it needs to start in its cage, and is one that cannot be had explained?"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import BadInput, PlatformError
from arena.manifest import Manifest
from arena.sandbox import inmate
from arena.sandbox.cages import LandlockCage, NoCage, cage_named
from tests.sandbox.caged import end_of
from tests.sandbox.shop import pack_wheel

both_kinds = pytest.mark.parametrize("way", ["auto", "landlock"])
GREETING = "#!/bin/sh\necho hello from $0\n"


def test_a_bot_imports_what_it_requires_and_nothing_else(
    shop: Path, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where bots that run as other users can read it.
    monkeypatch.setenv("ARENA_CACHE", str(base / "cache"))
    pack_wheel(shop, "pear", "1.0")
    pack_wheel(shop, "apple", "2.0", requires=["pear"])
    code = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        print(name, getattr(importlib.import_module(name), "version", "there"))
    except ModuleNotFoundError:
        print(name, "missing")
"""
    words = ["apple", "pear", "arena.sdk", "grpc", "click", "pytest", "arena.referee", "pip"]
    end = end_of(code, command=["python", "bot.py", *words], requirements=["apple"])
    assert end.how == "ended with exit code 0", end.printed
    assert dict(line.split() for line in end.printed.splitlines()) == {
        "apple": "2.0",
        "pear": "1.0",
        "arena.sdk": "there",
        "grpc": "there",
        "click": "missing",
        "pytest": "missing",
        "arena.referee": "missing",
        "pip": "missing",
    }


@both_kinds
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_javascript_starts_with_the_usual_limits(way: str) -> None:
    end = end_of("", way=way, command=["node", "-e", "console.log(6 * 7)"])
    assert (end.how, end.printed) == ("ended with exit code 0", "42\n")


@both_kinds
def test_a_program_of_its_own_starts(way: str) -> None:
    end = end_of(GREETING, way=way, command=["./bot.py"])
    assert end.how == "ended with exit code 0", end.printed
    assert re.fullmatch(r"hello from .*/bot/\./bot\.py\n", end.printed)


@pytest.fixture
def tools() -> Iterator[Path]:
    """Return a folder with a program that lies where programs usually do not."""
    # Not in /tmp, because a bot has a /tmp of its own.
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    folder.chmod(0o755)
    (folder / "bin").mkdir(0o755)
    (folder / "bin" / "greet").write_text(GREETING)
    (folder / "bin" / "greet").chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@both_kinds
def test_a_program_that_is_installed_in_an_unusual_place_starts(
    way: str, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tools}/bin:{os.environ['PATH']}")
    end = end_of("", way=way, command=["greet"])
    assert (end.how, end.printed) == (
        "ended with exit code 0",
        f"hello from {tools}/bin/greet\n",
    )


@both_kinds
def test_a_program_is_found_behind_a_chain_of_links(
    way: str, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tools / "apart" / "release-1" / "bin").mkdir(parents=True)
    (tools / "bin" / "greet").rename(tools / "apart" / "release-1" / "bin" / "greet")
    (tools / "apart" / "current").symlink_to("release-1")
    (tools / "bin" / "greet").symlink_to("also-greet")
    (tools / "bin" / "also-greet").symlink_to(tools / "apart" / "current" / "bin" / "greet")
    (tools / "entry" / "bin").mkdir(parents=True)
    (tools / "entry" / "bin" / "greet").symlink_to(tools / "bin" / "greet")
    monkeypatch.setenv("PATH", f"{tools}/entry/bin:{os.environ['PATH']}")
    end = end_of("", way=way, command=["greet"])
    assert (end.how, end.printed) == (
        "ended with exit code 0",
        f"hello from {tools}/entry/bin/greet\n",
    )


def test_a_program_of_the_system_that_is_a_link_to_elsewhere_is_shown_there(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tools / "system").mkdir()
    (tools / "system" / "greet").symlink_to(tools / "bin" / "greet")
    monkeypatch.setattr(inmate, "SYSTEM", (f"{tools}/system",))
    monkeypatch.setenv("PATH", f"{tools}/system")
    bot = Manifest("bot", ("meow",), ("greet",), tools)
    command, prefixes = inmate.command_inside(bot, folder="/bot", environment="/env")
    assert (command, prefixes) == ((f"{tools}/system/greet",), (tools,))


def test_a_program_that_would_show_a_home_with_it_is_refused(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tools}/bin:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tools))
    sentence = f"{tools}/bin/greet cannot be shown to a bot without all of {tools}: install it"
    with pytest.raises(BadInput, match=re.escape(sentence)):
        end_of("", command=["greet"])


def test_a_program_that_is_not_installed_is_named() -> None:
    with pytest.raises(BadInput, match="bot needs the program 'greet', which is not installed"):
        end_of("", command=["greet"])


def test_a_mere_command_line_is_not_caged() -> None:
    bot = Manifest("sleep", ("meow",), ("sleep", "1"), Path("/"), is_foreign=True)
    sentence = "'sleep 1' is a command line, and no cage knows which files it needs: make it a"
    with pytest.raises(BadInput, match=sentence):
        cage_named("auto").launcher(bot, {})


def test_processes_need_bubblewrap() -> None:
    with pytest.raises(BadInput, match="bot starts processes, which needs bubblewrap: apt-get"):
        end_of("", way="landlock", limits={"processes": 1})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs setpriv for it")
def test_a_cage_that_lacks_a_program_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    lacking = "setpriv cannot be started: No such file or directory"
    assert LandlockCage().why_not() in (lacking, "this kernel has no Landlock")


def test_a_cache_that_cannot_be_used_is_not_taken_for_a_missing_cage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARENA_CACHE", "/dev/null")
    with pytest.raises(PlatformError, match="the cache folder /dev/null is not a folder: set"):
        cage_named.__wrapped__("auto")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root begins with another program")
def test_a_bot_that_ends_before_it_is_told_anything_has_simply_ended(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cage_named("landlock")
    (tools / "bin" / "setpriv").write_text("#!/bin/sh\nexit 7\n")
    (tools / "bin" / "setpriv").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}/bin:{os.environ['PATH']}")
    # More than a pipe holds, so that somebody has to read it.
    command = ["python", "bot.py", "x" * 100_000]
    assert end_of("", way="landlock", command=command).how == "ended with exit code 7"


def test_a_misspelt_cage_is_told_what_there_is() -> None:
    with pytest.raises(BadInput, match="there is no cage 'rootdorp': did you mean rootdrop"):
        cage_named("rootdorp")


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_a_cage_for_somebody_else_is_refused() -> None:
    name, who = ("user", "ordinary users") if os.geteuid() == 0 else ("rootdrop", "root")
    with pytest.raises(NoCage, match=rf"\({name}: it is for {who}\)"):
        cage_named(name)
