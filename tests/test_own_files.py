"""Is everything that is the bot's own found, and nothing else?"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import BadInput, BadPackage
from arena.own_files import OwnFile, own_files
from arena.sandbox import folders
from leaderboard import packing
from tests.privileges import last_words


def written(folder: Path, *names: str) -> None:
    """Write empty files."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def found(folder: Path) -> list[str]:
    """Return the names of what is the bot's own, in the order in which it is found."""
    return [file.place.as_posix() for file in own_files(folder)]


def test_files_of_all_kinds_are_found_in_the_order_of_their_names(tmp_path: Path) -> None:
    written(tmp_path, "b.py", "a.txt", ".hidden/x", "node_modules/y")
    (tmp_path / "c").symlink_to("node_modules")
    os.mkfifo(tmp_path / "pipe")
    names = ["a.txt", "b.py", "c", "pipe", ".hidden/x", "node_modules/y"]
    assert found(tmp_path) == names


def test_caches_and_environments_are_not_the_bots_own(tmp_path: Path) -> None:
    written(tmp_path, "__pycache__/bot.pyc", "sub/__pycache__/x", ".git/HEAD", ".venv/bin/python")
    written(tmp_path, "sub/old.pyc", "environment/pyvenv.cfg", "environment/lib/x.py", ".DS_Store")
    written(tmp_path, "bot.py")
    (tmp_path / "linked").symlink_to("environment")
    assert found(tmp_path) == ["bot.py"]


def test_the_page_about_bots_tells_how_much_a_folder_may_hold() -> None:
    page = (Path(__file__).parents[1] / "bots" / "README.md").read_text(encoding="utf-8")
    for limits in (folders, packing):
        assert f"{limits.MOST_BYTES >> 20} MiB and {limits.MOST_FILES:,} files" in page


@pytest.mark.parametrize("mode", [0o000, 0o400], ids=["closed", "that can only be listed"])
@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (
            "from leaderboard.packing import pack_folder as go",
            "cannot be packed: Permission",
        ),
        ("from arena.sandbox.folders import copy_folder as go", "cannot be copied: Permission"),
    ],
    ids=["packed", "copied"],
)
def test_a_folder_in_it_that_is_closed_to_us_is_a_sentence(
    tmp_path: Path, code: str, sentence: str, mode: int
) -> None:
    written(tmp_path, "bot/closed/x")
    (tmp_path / "bot" / "closed").chmod(mode)
    rest = "; import sys; from pathlib import Path; go(*map(Path, sys.argv[1:]))"
    words = [tmp_path / "bot"] + [tmp_path / "copy"] * ("copy" in code)
    said = last_words(code + rest, *words)
    (tmp_path / "bot" / "closed").chmod(0o700)
    assert sentence in said


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """Give the folder of a bot in which 1,500 folders lie one within the other."""
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "deep"\ngames = ["meow"]\ncommand = ["true"]\n')
    os.makedirs(folder / "/".join("d" * 500))
    for top in ("e", "f"):
        # Each takes the last one in, because Python itself makes no deeper ones.
        os.makedirs(folder / "/".join(top * 499))
        last = "d" if top == "e" else "e"
        os.rename(folder / last, folder / "/".join(top * 499) / last)
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)


def test_a_folder_that_is_too_deep_is_a_sentence_everywhere(deep: Path, tmp_path: Path) -> None:
    said = "more than 100 folders lie one within the other"
    with pytest.raises(BadPackage, match=f"{deep} cannot be packed: {said}"):
        packing.pack_folder(deep)
    with pytest.raises(folders.BadFolder, match=f"{deep} cannot be copied: {said}"):
        folders.copy_folder(deep, tmp_path / "copy")
    db = tmp_path / "arena.db"
    for words in (["check", deep], ["submit", deep, "--db", db], ["play", "meow", deep, "first"]):
        result = CliRunner().invoke(main, list(map(str, words)))
        assert result.exit_code == 2, result.output
        assert f"{deep} cannot be copied: {said}" in result.output


@pytest.mark.parametrize("depth", [100, 101, 1500, 30_000])
def test_a_package_that_is_too_deep_is_refused_before_anything_is_written(
    tmp_path: Path, depth: int
) -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("d/" * depth + "x")
        info.external_attr = (stat.S_IFREG | 0o644) << 16
        archive.writestr(info, b"", zipfile.ZIP_DEFLATED)
    # That deep it is not too deep, and the next to be looked at is the hash.
    sentence = "its hash is another" if depth == 100 else "lies in more than 100 folders"
    with pytest.raises(BadPackage, match=sentence):
        packing.unpack(out.getvalue(), tmp_path / "bot", expected="")
    assert not (tmp_path / "bot").exists()


def test_a_folder_of_a_hundred_within_each_other_goes_all_the_way(tmp_path: Path) -> None:
    written(tmp_path, "bot/" + "d/" * 100 + "x")
    folders.copy_folder(tmp_path / "bot", tmp_path / "copy")
    packed = packing.pack_folder(tmp_path / "bot")
    packing.unpack(packed.blob, tmp_path / "again", expected=packed.hash)
    assert found(tmp_path / "copy") == found(tmp_path / "again") == ["d/" * 100 + "x"]


def swap(path: Path, target: Path) -> None:
    """Put a link in the place of something, as somebody might at any moment."""
    path.rename(path.with_name(".DS_Store"))
    path.symlink_to(target)


def turn_into_a_pipe(path: Path, _: Path) -> None:
    """Put a pipe in the place of a file; whoever opened it would wait."""
    path.unlink()
    os.mkfifo(path)


def pack(place: Path) -> None:
    """Pack the bot that is there."""
    packing.pack_folder(place / "bot")


def copy(place: Path) -> None:
    """Copy the bot that is there."""
    folders.copy_folder(place / "bot", place / "copy")


@pytest.mark.parametrize("turn", [swap, turn_into_a_pipe])
@pytest.mark.parametrize("take", [pack, copy])
def test_a_file_that_becomes_something_else_when_it_was_looked_at_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    turn: Callable[[Path, Path], None],
    take: Callable[[Path], None],
) -> None:
    written(tmp_path, "secret", "bot/data")
    look = OwnFile.status

    def status(file: OwnFile) -> os.stat_result:
        before = look(file)
        turn(file.path, tmp_path / "secret")
        return before

    monkeypatch.setattr(OwnFile, "status", status)
    with pytest.raises(BadInput, match=r"data cannot be (packed|copied): "):
        take(tmp_path)


def test_a_folder_that_becomes_a_link_is_not_entered(tmp_path: Path) -> None:
    written(tmp_path, "elsewhere/secret", "bot/a", "bot/sub/x")
    files = own_files(tmp_path / "bot")
    assert next(files).place.name == "a"
    swap(tmp_path / "bot" / "sub", tmp_path / "elsewhere")
    with pytest.raises(OSError, match=re.escape(str(tmp_path / "bot" / "sub"))):
        next(files)


def test_a_file_is_opened_in_the_folder_in_which_it_was_found(tmp_path: Path) -> None:
    written(tmp_path, "elsewhere/x", "bot/sub/x")
    (tmp_path / "elsewhere" / "x").write_text("secret")
    files = own_files(tmp_path / "bot")
    file = next(files)
    swap(tmp_path / "bot" / "sub", tmp_path / "elsewhere")
    with file.open() as opened:
        assert opened.read() == b""
