"""Does a bot's folder arrive whole, and nothing that is not the bot's with it?"""

from __future__ import annotations

import os
import re
import socket
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.own_files import IGNORED, IGNORED_ENDINGS
from arena.sandbox import folders
from arena.sandbox.folders import MOST_BYTES, BadFolder, copy_folder
from tests.privileges import last_words

Copy = Callable[[], Path]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    return folder


@pytest.fixture
def copied(source: Path, tmp_path: Path) -> Copy:
    """Copy the source when called."""

    def copy() -> Path:
        copy_folder(source, tmp_path / "target")
        return tmp_path / "target"

    return copy


def complaint(source: Path, copied: Copy) -> str:
    """Return what is said of a folder that cannot be copied."""
    with pytest.raises(BadFolder) as caught:
        copied()
    assert caught.value.exit_code == 2
    return str(caught.value).replace(str(source), "SOURCE")


letters = st.characters(codec="utf-8", exclude_characters="/\0")
names = st.text(letters, min_size=1, max_size=20).filter(
    lambda name: name.strip(".") and name not in IGNORED and not name.endswith(IGNORED_ENDINGS)
)


@settings(max_examples=25)
@given(st.dictionaries(names, st.binary(max_size=50)))
def test_whatever_files_there_are_they_arrive(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "source"), Path(folder, "target")
        (source / "deep").mkdir(parents=True)
        for name, content in files.items():
            (source / "deep" / name).write_bytes(content)
        copy_folder(source, target)
        arrived = {path.name: path.read_bytes() for path in target.glob("deep/*")}
    assert arrived == files


def test_links_that_stay_inside_arrive_as_links(source: Path, copied: Copy) -> None:
    (source / "deep" / "deeper").mkdir(parents=True)
    links = {
        "again": "bot.py",
        "folder": "deep/deeper",
        "deep/up": "../bot.py",
        "deep/deeper/top": "../..",
        "dangling": "not/yet",
        "round": "round",
        "through": "folder/../up",
    }
    for name, goal in links.items():
        (source / name).symlink_to(goal)
    target = copied()
    assert {name: os.readlink(target / name) for name in links} == links


@pytest.mark.parametrize(
    "goal",
    ["/etc/passwd", "/", "..", "../secret", "deep/../../secret", "deep/up/../secret"],
)
def test_links_that_lead_out_are_refused(source: Path, copied: Copy, goal: str) -> None:
    (source / "deep").mkdir()
    # Seen from the words alone, what is above it is inside.
    (source / "deep" / "up").symlink_to("..")
    (source.parent / "secret").write_text("secret")
    (source / "link").symlink_to(goal)
    assert complaint(source, copied) == "SOURCE/link is a link that leads out of the bot's folder"


def test_even_an_absolute_link_to_inside_is_refused(source: Path, copied: Copy) -> None:
    (source / "bot.py").touch()
    (source / "link").symlink_to(source / "bot.py")
    assert complaint(source, copied) == "SOURCE/link is a link that leads out of the bot's folder"


def test_a_folder_that_is_itself_a_link_is_copied(source: Path, tmp_path: Path) -> None:
    (source / "bot.py").touch()
    (tmp_path / "link").symlink_to("source")
    copy_folder(tmp_path / "link", tmp_path / "target")
    assert os.listdir(tmp_path / "target") == ["bot.py"]


def _socket(path: Path) -> None:
    before = os.getcwd()
    # The whole path may be too long for a socket.
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.chdir(before)


def _device(path: Path) -> None:
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))


root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")


@pytest.mark.parametrize("make", [os.mkfifo, _socket, pytest.param(_device, marks=root_only)])
def test_what_is_no_file_is_refused(
    source: Path, copied: Copy, make: Callable[[Path], None]
) -> None:
    make(source / "odd")
    sentence = "SOURCE/odd is neither a file nor a folder: a bot has no use for it"
    assert complaint(source, copied) == sentence


def test_a_large_folder_is_refused_before_it_is_read(source: Path, copied: Copy) -> None:
    (source / "a").write_bytes(b"x")
    with (source / "b").open("wb") as file:
        file.truncate(MOST_BYTES)
    assert complaint(source, copied) == "SOURCE holds more than 256 MiB"


def test_a_folder_of_many_files_is_refused(
    source: Path, copied: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MOST_FILES", 10)
    (source / "deep").mkdir()
    for number in range(11):
        (source / "deep" / str(number)).touch()
    assert complaint(source, copied) == "SOURCE holds more than 10 files"


def test_what_is_not_the_bots_own_stays_behind(source: Path, copied: Copy) -> None:
    for name in ("__pycache__", "environment", "deep", "empty"):
        (source / name).mkdir()
    for name in ("__pycache__/bot.pyc", "environment/pyvenv.cfg", "deep/file"):
        (source / name).touch()
    target = copied()
    assert [str(path.relative_to(target)) for path in target.rglob("*")] == ["deep", "deep/file"]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_everybody_can_read_it_and_nobody_change_it_whatever_the_umask(
    source: Path, copied: Copy, umask: int
) -> None:
    (source / "deep").mkdir(0o700)
    for name, mode in [("program", 0o700), ("data", 0o600), ("deep/root", 0o4755)]:
        (source / name).touch()
        (source / name).chmod(mode)
    before = os.umask(umask)
    try:
        target = copied()
    finally:
        os.umask(before)
    modes = {
        str(path.relative_to(target)): stat.S_IMODE(path.stat().st_mode)
        for path in [target, *target.rglob("*")]
    }
    assert modes == {
        ".": 0o755,
        "deep": 0o755,
        "program": 0o755,
        "data": 0o644,
        "deep/root": 0o755,
    }


def test_only_some_of_the_files_can_be_asked_for(source: Path, tmp_path: Path) -> None:
    for name in ("bot.py", "diary.txt"):
        (source / name).write_text(name)
    copy_folder(source, tmp_path / "target", only=("bot.py",))
    assert os.listdir(tmp_path / "target") == ["bot.py"]
    assert (tmp_path / "target" / "bot.py").read_text() == "bot.py"


def test_a_file_that_is_gone_is_a_sentence(source: Path, tmp_path: Path) -> None:
    sentence = f"{source}/bot.py cannot be copied: No such file or directory"
    with pytest.raises(BadFolder, match=re.escape(sentence)):
        copy_folder(source, tmp_path / "target", only=("bot.py",))


def test_a_file_that_cannot_be_read_is_a_sentence(source: Path, tmp_path: Path) -> None:
    (source / "data").touch(0o000)
    code = "import sys; from pathlib import Path; from arena.sandbox.folders import copy_folder\n"
    said = last_words(f"{code}copy_folder(*map(Path, sys.argv[1:]))", source, tmp_path / "target")
    assert said.endswith(f"BadFolder: {source}/data cannot be copied: Permission denied")
