"""Is what lies in the cache always whole, ours, and readable by bots?"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import BadInput, PlatformError
from arena.sandbox.cache import (
    cache_folder,
    is_whole,
    made_once,
    place_of_cache,
    remember,
    remembered,
)

pytestmark = pytest.mark.usefixtures("cache")


def _fill(folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "file").write_text("whole")


def _fail(_: Path) -> None:
    raise AssertionError("made again")


@pytest.mark.parametrize(
    ("uid", "variables", "place"),
    [
        (1000, {"ARENA_CACHE": "/a", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/a"),
        (0, {"ARENA_CACHE": "/a"}, "/a"),
        (0, {"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/var/cache/arena"),
        (1000, {"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/arena"),
        (1000, {"XDG_CACHE_HOME": "x", "HOME": "/h"}, "/h/.cache/arena"),
        (1000, {"ARENA_CACHE": "", "HOME": "/h"}, "/h/.cache/arena"),
        (1000, {}, "/var/tmp/arena-1000"),
    ],
)
def test_the_cache_is_where_the_user_expects_it(
    uid: int, variables: dict[str, str], place: str
) -> None:
    assert place_of_cache(variables, uid) == Path(place)


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o1777])
def test_a_cache_that_others_can_write_to_is_refused(cache: Path, mode: int) -> None:
    cache.mkdir()
    cache.chmod(mode)
    with pytest.raises(PlatformError, match="can be written to by others: set ARENA_CACHE"):
        cache_folder()


def test_a_cache_of_somebody_else_is_refused(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0:
        cache.mkdir(0o755)
        os.chown(cache, 65534, 65534)
    else:
        monkeypatch.setenv("ARENA_CACHE", "/usr")
    with pytest.raises(PlatformError, match="belongs to somebody else"):
        cache_folder()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a link that is another's")
def test_a_link_that_somebody_else_laid_is_refused(cache: Path, tmp_path: Path) -> None:
    cache.symlink_to(tmp_path)
    os.chown(cache, 65534, 65534, follow_symlinks=False)
    with pytest.raises(PlatformError, match="belongs to somebody else"):
        cache_folder()


def test_a_cache_that_is_a_file_is_refused(cache: Path) -> None:
    cache.write_text("")
    with pytest.raises(PlatformError, match="is not a folder"):
        cache_folder()


def test_a_cache_that_cannot_be_made_is_refused(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_text("")
    monkeypatch.setenv("ARENA_CACHE", str(cache / "inside"))
    with pytest.raises(PlatformError, match=r"cannot be used \(Not a directory\)"):
        cache_folder()


def test_a_cache_that_cannot_be_written_to_is_a_sentence(cache: Path) -> None:
    (cache_folder() / "environments").write_text("in the way")
    with pytest.raises(PlatformError, match=r"cannot be written to \(File exists\)"):
        made_once("key", _fill)


def test_everybody_can_read_what_is_made_whatever_the_umask(cache: Path) -> None:
    before = os.umask(0o077)
    try:
        made = made_once("key", _fill)
        remember("key", "text")
    finally:
        os.umask(before)
    paths = [cache, made.parent, made, *made.rglob("*"), *cache.glob("texts"), cache / "texts/key"]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_dir()}
    assert modes == {0o755}
    modes = {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_file()}
    assert modes == {0o644}


def test_what_is_made_is_made_once() -> None:
    assert made_once("key", _fill) == made_once("key", _fail)


@pytest.mark.parametrize("harm", ["gone", "cut", "list"])
def test_what_has_lost_something_is_made_again(harm: str) -> None:
    made = made_once("key", _fill)
    if harm == "gone":
        (made / "inner" / "file").unlink()
    elif harm == "cut":
        (made / "inner" / "file").write_text("who")
    else:
        (made / ".whole").unlink()
    assert not is_whole(made)
    assert made_once("key", _fill) == made
    assert (made / "inner" / "file").read_text() == "whole"
    assert is_whole(made)


def test_a_failure_leaves_nothing(cache: Path) -> None:
    def fail_late(folder: Path) -> None:
        _fill(folder)
        raise BadInput("no")

    with pytest.raises(BadInput, match="no"):
        made_once("key", fail_late)
    assert [path.name for path in (cache / "environments").iterdir()] == [".lock"]


def _run(code: str) -> subprocess.Popen[str]:
    head = "import os, sys, time; from arena.sandbox.cache import made_once\n"
    return subprocess.Popen([sys.executable, "-c", head + code], stdout=subprocess.PIPE, text=True)


def test_a_kill_in_the_middle_leaves_nothing_that_is_found(cache: Path) -> None:
    code = "made_once('key', lambda folder: ((folder / 'half').touch(), os.kill(os.getpid(), 9)))"
    with _run(code) as killed:
        killed.communicate()
    assert killed.returncode == -9
    assert len(list((cache / "environments").glob(".making-*"))) == 1
    made = made_once("key", _fill)
    assert {path.name for path in made.iterdir()} == {"inner", ".whole"}
    assert {path.name for path in made.parent.iterdir()} == {".lock", "key"}


def test_processes_at_once_get_one_whole(cache: Path) -> None:
    code = (
        "def make(folder):\n"
        "    (folder / 'a').write_text('whole')\n"
        "    time.sleep(0.2)\n"
        "    (folder / 'b').write_text(str(os.getpid()))\n"
        "made = made_once('key', make)\n"
        "print((made / 'a').read_text(), (made / 'b').read_text())"
    )
    processes = [_run(code) for _ in range(3)]
    printed = {process.communicate()[0] for process in processes}
    assert len(printed) == 1
    assert printed.pop().startswith("whole ")


def test_what_nobody_used_for_a_month_is_removed(cache: Path) -> None:
    day_s = 24 * 3600
    for name, days in [("old", 31), ("young", 29), ("used", 31)]:
        made = made_once(name, _fill)
        now = made.stat().st_mtime
        os.utime(made, (now, now - days * day_s))
    made_once("used", _fail)
    made_once("new", _fill)
    assert {path.name for path in (cache / "environments").iterdir()} == {
        ".lock",
        "young",
        "used",
        "new",
    }


def test_a_text_is_remembered_until_another_takes_its_place() -> None:
    assert remembered("key") == ""
    remember("key", "one")
    remember("key", "two")
    assert remembered("key") == "two"
