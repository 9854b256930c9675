"""A packed folder is restored unchanged, and no package can write outside its folder."""

from __future__ import annotations

import os
import socket
import stat
import zipfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadPackage
from arena.submission.package import MAX_BYTES, MAX_FILES, pack_folder, unpack

FILE = stat.S_IFREG | 0o644
LINK = stat.S_IFLNK | 0o777


def write_folder(folder: Path, files: dict[str, bytes | str]) -> Path:
    """Write files, and links where the content is a text."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.symlink_to(content)
    return folder


def read_folder(folder: Path) -> dict[str, bytes | str]:
    """Read back what `folder_with` wrote."""
    return {
        path.relative_to(folder).as_posix(): (
            os.readlink(path) if path.is_symlink() else path.read_bytes()
        )
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def make_archive(*entries: tuple[str, int, bytes]) -> bytes:
    """Build a package by hand, which may be hostile."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        for name, mode, content in entries:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            written.writestr(info, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


NAMES = st.text("abé .-", min_size=1, max_size=3).filter(lambda name: name not in (".", ".."))
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


@given(st.dictionaries(PATHS, st.binary(max_size=100), min_size=1, max_size=5))
def test_a_packed_folder_is_unpacked_unchanged(files: dict[str, bytes]) -> None:
    apart = [name for name in files if not any(other.startswith(f"{name}/") for other in files)]
    stored: dict[str, bytes | str] = {name: files[name] for name in apart}
    with TemporaryDirectory() as folder:
        packed = pack_folder(write_folder(Path(folder) / "before", stored))
        unpack(packed.blob, Path(folder) / "after", expected=packed.hash)
        assert read_folder(Path(folder) / "after") == stored
        assert packed.files == len(stored)
        assert packed.size == sum(map(len, stored.values()))


def test_equal_folders_give_equal_packages(tmp_path: Path) -> None:
    one = write_folder(tmp_path / "one", {"a/x": b"1", "b": b"2"})
    other = write_folder(tmp_path / "other", {"b": b"2", "a/x": b"1"})
    os.utime(other / "b", (1, 1))
    (other / "b").chmod(0o600)
    (other / "a").chmod(0o700)
    assert pack_folder(one) == pack_folder(other)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"a": b"2"}, id="another content"),
        pytest.param({"b": b"1"}, id="another name"),
        pytest.param({"a": b"1", "b": b""}, id="one more file"),
        pytest.param({"a": "1"}, id="a link"),
    ],
)
def test_different_folders_have_different_hashes(
    tmp_path: Path, change: dict[str, bytes | str]
) -> None:
    one = pack_folder(write_folder(tmp_path / "one", {"a": b"1"}))
    assert pack_folder(write_folder(tmp_path / "other", change)).hash != one.hash


def test_executable_files_stay_executable(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "bot", {"run": b"", "data": b""})
    plain = pack_folder(folder)
    (folder / "run").chmod(0o755)
    packed = pack_folder(folder)
    assert packed.hash != plain.hash
    unpack(packed.blob, tmp_path / "after", expected=packed.hash)
    assert os.access(tmp_path / "after" / "run", os.X_OK)
    assert stat.S_IMODE((tmp_path / "after" / "data").stat().st_mode) == 0o644


def test_caches_and_environments_are_left_out(tmp_path: Path) -> None:
    bot_files: dict[str, bytes | str] = {
        "bot.py": b"",
        "node_modules/x/index.js": b"",
        "node_modules/.bin/x": "../x/index.js",
    }
    others: dict[str, bytes | str] = {
        "__pycache__/bot.cpython-311.pyc": b"",
        "sub/old.pyc": b"",
        ".git/HEAD": b"",
        ".venv/bin/python": "/usr/bin/python3",
        "env/pyvenv.cfg": b"",
        "env/lib/x.py": b"",
        "node_modules/.cache/x": b"",
        ".DS_Store": b"",
    }
    packed = pack_folder(write_folder(tmp_path / "bot", bot_files | others))
    unpack(packed.blob, tmp_path / "after", expected=packed.hash)
    assert read_folder(tmp_path / "after") == bot_files


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("link", "/etc/passwd"),
        ("link", "../outside"),
        ("sub/link", "../../outside"),
        ("link", "sub/../../outside"),
        ("link", "link"),
    ],
)
def test_a_link_that_leads_out_or_cannot_be_followed_is_refused(
    tmp_path: Path, name: str, target: str
) -> None:
    folder = write_folder(tmp_path / "bot", {"sub/file": b"", name: target})
    with pytest.raises(BadPackage, match=f"{name} is a link to '{target}', which leads out"):
        pack_folder(folder)


def test_two_links_cannot_lead_out_together(tmp_path: Path) -> None:
    files: dict[str, bytes | str] = {"sub/file": b"", "here": ".", "sub/link": "../here/../x"}
    folder = write_folder(tmp_path / "bot", files)
    assert not Path(os.path.realpath(folder / "sub/link")).is_relative_to(folder)
    with pytest.raises(BadPackage, match="leads out"):
        pack_folder(folder)


def test_anything_but_files_and_folders_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadPackage, match="pipe cannot be packed: it is neither a file nor a"):
        pack_folder(tmp_path)
    (tmp_path / "pipe").unlink()
    monkeypatch.chdir(tmp_path)  # the whole path may be too long for a socket's name
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        with pytest.raises(BadPackage, match="socket cannot be packed"):
            pack_folder(tmp_path)


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff")).touch()
    with pytest.raises(BadPackage, match="its name or its target is not valid UTF-8"):
        pack_folder(tmp_path)


def test_a_folder_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(BadPackage, match="more than 67,108,864 bytes"):
        pack_folder(tmp_path)


def test_a_folder_with_too_many_files_is_refused(tmp_path: Path) -> None:
    for number in range(MAX_FILES + 1):
        (tmp_path / str(number)).touch()
    with pytest.raises(BadPackage, match="more than 2,000 files"):
        pack_folder(tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPackage, match="it has no files"):
        pack_folder(tmp_path)


HOSTILE = {
    "an absolute name": [("/tmp/x", FILE, b"")],
    "a name that goes up": [("../x", FILE, b"")],
    "a name that goes up within": [("a/../../x", FILE, b"")],
    "an empty name": [("", FILE, b"")],
    "a folder": [("a/", stat.S_IFDIR | 0o755, b"")],
    "a device": [("null", stat.S_IFCHR | 0o666, b"")],
    "a file that becomes root's": [("su", stat.S_IFREG | stat.S_ISUID | 0o755, b"")],
    "a link to the root": [("link", LINK, b"/")],
    "a link that goes up": [("link", LINK, b"..")],
    "an empty link": [("link", LINK, b"")],
    "a link that is not text": [("link", LINK, b"\xff")],
    "a link with a zero": [("link", LINK, b"a\0b")],
    "a file behind a link": [("link", LINK, b"."), ("link/x", FILE, b"")],
    "a file below a file": [("a", FILE, b""), ("a/b", FILE, b"")],
    "links that lead out together": [
        ("here", LINK, b"."),
        ("sub/link", LINK, b"../here/../x"),
    ],
    "too many files": [(str(number), FILE, b"") for number in range(MAX_FILES + 1)],
    "too many bytes": [("zeros", FILE, bytes(MAX_BYTES + 1))],
}


@pytest.mark.parametrize("entries", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_package_is_refused_and_nothing_written(
    tmp_path: Path, entries: list[tuple[str, int, bytes]]
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    with pytest.raises(BadPackage) as caught:
        unpack(make_archive(*entries), inner / "bot", expected="")
    assert "hash" not in str(caught.value)
    assert list(tmp_path.rglob("*")) == [inner]


def test_a_duplicate_name_is_refused(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        blob = make_archive(("x", FILE, b""), ("x", FILE, b""))
    with pytest.raises(BadPackage, match="is not a valid name in a package"):
        unpack(blob, tmp_path / "bot", expected="")


@given(st.data())
def test_a_damaged_package_is_refused(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder)
        files: dict[str, bytes | str] = {"a": b"content", "sub/b": b"more of it", "link": "a"}
        packed = pack_folder(write_folder(path / "before", files))
        at = data.draw(st.integers(0, len(packed.blob) - 1))
        blob = bytearray(packed.blob)
        blob[at] ^= data.draw(st.integers(1, 255))
        try:
            unpack(bytes(blob), path / "after", expected=packed.hash)
        except BadPackage:
            assert not (path / "after").exists()
        else:
            # The damage hit a time or a comment, which is not part of a bot.
            assert read_folder(path / "after") == files


@pytest.mark.parametrize("blob", [b"", b"PK", b"x" * 100, bytes(22)])
def test_bytes_that_are_not_a_package_are_refused(tmp_path: Path, blob: bytes) -> None:
    with pytest.raises(BadPackage, match="the package is damaged"):
        unpack(blob, tmp_path / "bot", expected="")


def test_a_package_that_differs_from_the_submitted_one_is_refused(tmp_path: Path) -> None:
    packed = pack_folder(write_folder(tmp_path / "bot", {"a": b""}))
    with pytest.raises(BadPackage, match="its hash differs"):
        unpack(packed.blob, tmp_path / "after", expected="0" * 64)


def test_an_existing_folder_is_not_written_to(tmp_path: Path) -> None:
    packed = pack_folder(write_folder(tmp_path / "bot", {"a": b""}))
    with pytest.raises(BadPackage, match="cannot be unpacked"):
        unpack(packed.blob, tmp_path / "bot", expected=packed.hash)
