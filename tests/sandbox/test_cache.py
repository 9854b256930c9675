"""Cached folders are always complete, ours, and readable by bots."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import BadInput, PlatformError
from arena.sandbox.packages.cache import (
    cache_folder,
    cache_path,
    cached_folder,
    is_intact,
    read_cached_text,
    write_cached_text,
)

pytestmark = pytest.mark.usefixtures("cache")


def _fill(folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "file").write_text("whole")


def _fail(_: Path) -> None:
    raise AssertionError("created again")


@pytest.mark.parametrize(
    ("uid", "variables", "path"),
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
    uid: int, variables: dict[str, str], path: str
) -> None:
    assert cache_path(variables, uid) == Path(path)


def test_without_var_cache_root_has_its_cache_at_home() -> None:
    assert cache_path({"HOME": "/h"}, 0, has_var_cache=False) == Path("/h/.cache/arena")


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o1777])
def test_a_cache_that_others_can_write_to_is_refused(cache: Path, mode: int) -> None:
    cache.mkdir()
    cache.chmod(mode)
    with pytest.raises(PlatformError, match="is writable by other users: set ARENA_CACHE"):
        cache_folder()


def test_a_cache_of_another_user_is_refused(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0:
        cache.mkdir(0o755)
        os.chown(cache, 65534, 65534)
    else:
        monkeypatch.setenv("ARENA_CACHE", "/usr")
    with pytest.raises(PlatformError, match="belongs to another user"):
        cache_folder()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change a link's owner")
def test_a_link_of_another_user_is_refused(cache: Path, tmp_path: Path) -> None:
    cache.symlink_to(tmp_path)
    os.chown(cache, 65534, 65534, follow_symlinks=False)
    with pytest.raises(PlatformError, match="belongs to another user"):
        cache_folder()


def test_a_cache_that_is_a_file_is_refused(cache: Path) -> None:
    cache.write_text("")
    with pytest.raises(PlatformError, match="is not a folder"):
        cache_folder()


def test_a_cache_that_cannot_be_created_is_refused(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_text("")
    monkeypatch.setenv("ARENA_CACHE", str(cache / "inside"))
    with pytest.raises(PlatformError, match=r"cannot be used \(Not a directory\)"):
        cache_folder()


def test_a_cache_that_cannot_be_written_is_reported(cache: Path) -> None:
    (cache_folder() / "environments").write_text("in the way")
    with pytest.raises(PlatformError, match=r"cannot be written to \(File exists\)"):
        cached_folder("key", _fill)


def test_cached_files_are_readable_by_all_users_whatever_the_umask(cache: Path) -> None:
    before = os.umask(0o077)
    try:
        folder = cached_folder("key", _fill)
        write_cached_text("key", "text")
    finally:
        os.umask(before)
    paths = [
        cache,
        folder.parent,
        folder,
        *folder.rglob("*"),
        *cache.glob("texts"),
        cache / "texts/key",
    ]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_dir()}
    assert modes == {0o755}
    modes = {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_file()}
    assert modes == {0o644}


def test_a_folder_is_created_once() -> None:
    assert cached_folder("key", _fill) == cached_folder("key", _fail)


@pytest.mark.parametrize("harm", ["missing", "cut", "list"])
def test_a_damaged_folder_is_recreated(harm: str) -> None:
    folder = cached_folder("key", _fill)
    if harm == "missing":
        (folder / "inner" / "file").unlink()
    elif harm == "cut":
        (folder / "inner" / "file").write_text("who")
    else:
        (folder / ".whole").unlink()
    assert not is_intact(folder)
    assert cached_folder("key", _fill) == folder
    assert (folder / "inner" / "file").read_text() == "whole"
    assert is_intact(folder)


def test_a_failure_leaves_nothing_behind(cache: Path) -> None:
    def fail_late(folder: Path) -> None:
        _fill(folder)
        raise BadInput("no")

    with pytest.raises(BadInput, match="no"):
        cached_folder("key", fail_late)
    assert [path.name for path in (cache / "environments").iterdir()] == [".lock"]


def _run(code: str) -> subprocess.Popen[str]:
    head = "import os, sys, time; from arena.sandbox.packages.cache import cached_folder\n"
    return subprocess.Popen([sys.executable, "-c", head + code], stdout=subprocess.PIPE, text=True)


def test_a_kill_in_the_middle_leaves_no_incomplete_folder(cache: Path) -> None:
    code = (
        "cached_folder('key', lambda folder: ((folder / 'half').touch(), os.kill(os.getpid(), 9)))"
    )
    with _run(code) as killed:
        killed.communicate()
    assert killed.returncode == -9
    assert len(list((cache / "environments").glob(".making-*"))) == 1
    folder = cached_folder("key", _fill)
    assert {path.name for path in folder.iterdir()} == {"inner", ".whole"}
    assert {path.name for path in folder.parent.iterdir()} == {".lock", "key"}


def test_concurrent_processes_get_one_complete_folder(cache: Path) -> None:
    code = (
        "def make(folder):\n"
        "    (folder / 'a').write_text('whole')\n"
        "    time.sleep(0.2)\n"
        "    (folder / 'b').write_text(str(os.getpid()))\n"
        "made = cached_folder('key', make)\n"
        "print((made / 'a').read_text(), (made / 'b').read_text())"
    )
    processes = [_run(code) for _ in range(3)]
    printed = {process.communicate()[0] for process in processes}
    assert len(printed) == 1
    assert printed.pop().startswith("whole ")


def test_a_folder_unused_for_a_month_is_removed(cache: Path) -> None:
    day_s = 24 * 3600
    for name, days in [("old", 31), ("young", 29), ("used", 31)]:
        folder = cached_folder(name, _fill)
        now = folder.stat().st_mtime
        os.utime(folder, (now, now - days * day_s))
    cached_folder("used", _fail)
    cached_folder("new", _fill)
    assert {path.name for path in (cache / "environments").iterdir()} == {
        ".lock",
        "young",
        "used",
        "new",
    }


def test_a_text_is_cached_until_it_is_replaced() -> None:
    assert read_cached_text("key") == ""
    write_cached_text("key", "one")
    write_cached_text("key", "two")
    assert read_cached_text("key") == "two"
