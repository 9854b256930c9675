"""A bot's folder is copied completely, with nothing that does not belong to the bot."""

from __future__ import annotations

import os
import resource
import socket
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadPackage, PlatformError
from arena.submission.files import IGNORED, IGNORED_SUFFIXES
from arena.submission.package import copy_folder
from tests.privileges import run_unprivileged

Copy = Callable[[], Path]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    return folder


@pytest.fixture
def copy_source(source: Path, tmp_path: Path) -> Copy:
    """Return a function that copies the source."""

    def copy() -> Path:
        copy_folder(source, tmp_path / "target")
        return tmp_path / "target"

    return copy


def refusal(source: Path, copy_source: Copy) -> str:
    """Return the message about a folder that cannot be copied."""
    with pytest.raises(BadPackage) as caught:
        copy_source()
    assert caught.value.exit_code == 2
    return str(caught.value).replace(str(source), "SOURCE")


letters = st.characters(codec="utf-8", exclude_characters="/\0")
names = st.text(letters, min_size=1, max_size=20).filter(
    lambda name: name.strip(".") and name not in IGNORED and not name.endswith(IGNORED_SUFFIXES)
)


@given(st.dictionaries(names, st.binary(max_size=50)))
def test_all_files_are_copied(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "source"), Path(folder, "target")
        (source / "deep").mkdir(parents=True)
        for name, content in files.items():
            (source / "deep" / name).write_bytes(content)
        copy_folder(source, target)
        copies = {path.name: path.read_bytes() for path in target.glob("deep/*")}
    assert copies == files


def test_links_that_stay_inside_are_copied_as_links(source: Path, copy_source: Copy) -> None:
    (source / "deep" / "deeper").mkdir(parents=True)
    links = {
        "again": "bot.py",
        "folder": "deep/deeper",
        "deep/up": "../bot.py",
        "deep/deeper/top": "../..",
        "dangling": "not/yet",
        "through": "folder/../up",
    }
    for name, link_target in links.items():
        (source / name).symlink_to(link_target)
    target = copy_source()
    assert {name: os.readlink(target / name) for name in links} == links


@pytest.mark.parametrize(
    "link_target",
    ["/etc/passwd", "/", "..", "../secret", "deep/../../secret", "deep/up/../secret"],
)
def test_links_that_lead_out_are_refused(source: Path, copy_source: Copy, link_target: str) -> None:
    (source / "deep").mkdir()
    # The text of the link alone stays inside.
    (source / "deep" / "up").symlink_to("..")
    (source.parent / "secret").write_text("secret")
    (source / "link").symlink_to(link_target)
    sentence = "which leads out of the folder or cannot be followed"
    assert refusal(source, copy_source).endswith(sentence)


def test_even_an_absolute_link_into_the_folder_is_refused(source: Path, copy_source: Copy) -> None:
    (source / "bot.py").touch()
    (source / "link").symlink_to(source / "bot.py")
    sentence = "which leads out of the folder or cannot be followed"
    assert refusal(source, copy_source).endswith(sentence)


def test_a_folder_that_is_itself_a_link_is_copied(source: Path, tmp_path: Path) -> None:
    (source / "bot.py").touch()
    (tmp_path / "link").symlink_to("source")
    copy_folder(tmp_path / "link", tmp_path / "target")
    assert os.listdir(tmp_path / "target") == ["bot.py"]


def _socket(path: Path) -> None:
    before = os.getcwd()
    # The whole path may be too long for a socket.
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as unix_socket:
        unix_socket.bind(path.name)
    os.chdir(before)


def _device(path: Path) -> None:
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))


root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")


@pytest.mark.parametrize("make", [os.mkfifo, _socket, pytest.param(_device, marks=root_only)])
def test_anything_but_a_file_is_refused(
    source: Path, copy_source: Copy, make: Callable[[Path], None]
) -> None:
    make(source / "odd")
    sentence = "odd cannot be packed: it is neither a file nor a folder"
    assert refusal(source, copy_source) == sentence


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_all_users_can_read_it_and_none_can_change_it_whatever_the_umask(
    source: Path, copy_source: Copy, umask: int
) -> None:
    (source / "deep").mkdir(0o700)
    for name, mode in [("program", 0o700), ("data", 0o600), ("deep/root", 0o4755)]:
        (source / name).touch()
        (source / name).chmod(mode)
    before = os.umask(umask)
    try:
        target = copy_source()
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


def test_a_selection_of_files_can_be_copied(source: Path, tmp_path: Path) -> None:
    for name in ("bot.py", "diary.txt"):
        (source / name).write_text(name)
    copy_folder(source, tmp_path / "target", only=("bot.py",))
    assert os.listdir(tmp_path / "target") == ["bot.py"]
    assert (tmp_path / "target" / "bot.py").read_text() == "bot.py"


def test_a_small_file_that_cannot_be_written_is_the_machines_fault(
    source: Path, tmp_path: Path
) -> None:
    (source / "bot.py").write_bytes(bytes(200))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(PlatformError, match="cannot write the files of bots"):
            copy_folder(source, tmp_path / "target", only=("bot.py",))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_missing_file_is_reported(source: Path, tmp_path: Path) -> None:
    sentence = "bot.py cannot be packed: No such file or directory"
    with pytest.raises(BadPackage, match=sentence):
        copy_folder(source, tmp_path / "target", only=("bot.py",))


def test_an_unreadable_file_is_reported(source: Path, tmp_path: Path) -> None:
    (source / "data").touch(0o000)
    code = (
        "import sys; from pathlib import Path; from arena.submission.package import copy_folder\n"
    )
    last_line = run_unprivileged(
        f"{code}copy_folder(*map(Path, sys.argv[1:]))", source, tmp_path / "target"
    )
    assert last_line.endswith("BadPackage: data cannot be packed: Permission denied")
