"""All files that belong to a bot are found, and no others."""

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
from arena.submission import package
from arena.submission.files import BotFile, bot_files
from tests.privileges import run_unprivileged


def write_files(folder: Path, *names: str) -> None:
    """Write empty files."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def found_in(folder: Path) -> list[str]:
    """Return the names of the bot's files, in order."""
    return [file.relative.as_posix() for file in bot_files(folder)]


def test_files_of_all_kinds_are_found_in_order_of_name(tmp_path: Path) -> None:
    write_files(tmp_path, "b.py", "a.txt", ".hidden/x", "node_modules/y")
    (tmp_path / "c").symlink_to("node_modules")
    os.mkfifo(tmp_path / "pipe")
    names = ["a.txt", "b.py", "c", "pipe", ".hidden/x", "node_modules/y"]
    assert found_in(tmp_path) == names


def test_caches_and_environments_do_not_belong_to_a_bot(tmp_path: Path) -> None:
    write_files(
        tmp_path, "__pycache__/bot.pyc", "sub/__pycache__/x", ".git/HEAD", ".venv/bin/python"
    )
    write_files(
        tmp_path, "sub/old.pyc", "environment/pyvenv.cfg", "environment/lib/x.py", ".DS_Store"
    )
    write_files(tmp_path, "bot.py")
    (tmp_path / "linked").symlink_to("environment")
    assert found_in(tmp_path) == ["bot.py"]


def test_the_page_about_bots_states_the_maximum_size_of_a_folder() -> None:
    page = (Path(__file__).parents[2] / "bots" / "README.md").read_text(encoding="utf-8")
    assert f"{package.MAX_BYTES >> 20} MiB in {package.MAX_FILES:,} files" in page


@pytest.mark.parametrize("mode", [0o000, 0o400], ids=["closed", "that can only be listed"])
@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (
            "from arena.submission.package import pack_folder as go",
            "cannot be packed: Permission",
        ),
        (
            "from arena.submission.package import copy_folder as go",
            "cannot be packed: Permission",
        ),
    ],
    ids=["packed", "copied"],
)
def test_an_unreadable_subfolder_is_reported(
    tmp_path: Path, code: str, sentence: str, mode: int
) -> None:
    write_files(tmp_path, "bot/closed/x")
    (tmp_path / "bot" / "closed").chmod(mode)
    rest = "; import sys; from pathlib import Path; go(*map(Path, sys.argv[1:]))"
    words = [tmp_path / "bot"] + [tmp_path / "copy"] * ("copy" in code)
    last_line = run_unprivileged(code + rest, *words)
    (tmp_path / "bot" / "closed").chmod(0o700)
    assert sentence in last_line


@pytest.fixture
def deep_folder(tmp_path: Path) -> Iterator[Path]:
    """Return a bot's folder with 1,500 nested folders."""
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "deep"\ngames = ["meow"]\ncommand = ["true"]\n')
    os.makedirs(folder / "/".join("d" * 500))
    for top in ("e", "f"):
        # Built from the inside out, because Python cannot create such a deep path.
        os.makedirs(folder / "/".join(top * 499))
        last = "d" if top == "e" else "e"
        os.rename(folder / last, folder / "/".join(top * 499) / last)
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)


def test_a_folder_nested_too_deeply_is_reported_by_every_command(
    deep_folder: Path, tmp_path: Path
) -> None:
    reason = "folders are nested more than 100 deep"
    with pytest.raises(BadPackage, match=f"{deep_folder} cannot be packed: {reason}"):
        package.pack_folder(deep_folder)
    db = tmp_path / "arena.db"
    for words in (
        ["check", deep_folder],
        ["submit", deep_folder, "--db", db],
        ["play", "meow", deep_folder, "first"],
    ):
        result = CliRunner().invoke(main, list(map(str, words)))
        assert result.exit_code == 2, result.output
        assert f"{deep_folder} cannot be packed: {reason}" in result.output


@pytest.mark.parametrize("depth", [100, 101, 1500, 30_000])
def test_a_package_nested_too_deeply_is_refused_before_anything_is_written(
    tmp_path: Path, depth: int
) -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("d/" * depth + "x")
        info.external_attr = (stat.S_IFREG | 0o644) << 16
        archive.writestr(info, b"", zipfile.ZIP_DEFLATED)
    # At this depth it is accepted, and the hash is checked next.
    sentence = "its hash differs" if depth == 100 else "is nested more than 100 folders deep"
    with pytest.raises(BadPackage, match=sentence):
        package.unpack(out.getvalue(), tmp_path / "bot", expected="")
    assert not (tmp_path / "bot").exists()


def test_a_hundred_nested_folders_are_accepted(tmp_path: Path) -> None:
    write_files(tmp_path, "bot/" + "d/" * 100 + "x")
    package.copy_folder(tmp_path / "bot", tmp_path / "copy")
    packed = package.pack_folder(tmp_path / "bot")
    package.unpack(packed.blob, tmp_path / "again", expected=packed.hash)
    assert found_in(tmp_path / "copy") == found_in(tmp_path / "again") == ["d/" * 100 + "x"]


def replace_with_link(path: Path, target: Path) -> None:
    """Replace a file or folder with a link, as could happen at any moment."""
    path.rename(path.with_name(".DS_Store"))
    path.symlink_to(target)


def replace_with_pipe(path: Path, _: Path) -> None:
    """Replace a file with a pipe; opening it would block."""
    path.unlink()
    os.mkfifo(path)


def pack(folder: Path) -> None:
    """Pack the bot."""
    package.pack_folder(folder / "bot")


def copy(folder: Path) -> None:
    """Copy the bot."""
    package.copy_folder(folder / "bot", folder / "copy")


@pytest.mark.parametrize("replace", [replace_with_link, replace_with_pipe])
@pytest.mark.parametrize("read", [pack, copy])
def test_a_file_that_changes_its_kind_after_the_check_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    replace: Callable[[Path, Path], None],
    read: Callable[[Path], None],
) -> None:
    write_files(tmp_path, "secret", "bot/data")
    original = BotFile.status

    def status(file: BotFile) -> os.stat_result:
        before = original(file)
        replace(file.path, tmp_path / "secret")
        return before

    monkeypatch.setattr(BotFile, "status", status)
    with pytest.raises(BadInput, match="data cannot be packed: "):
        read(tmp_path)


def test_a_folder_that_becomes_a_link_is_not_entered(tmp_path: Path) -> None:
    write_files(tmp_path, "elsewhere/secret", "bot/a", "bot/sub/x")
    files = bot_files(tmp_path / "bot")
    assert next(files).relative.name == "a"
    replace_with_link(tmp_path / "bot" / "sub", tmp_path / "elsewhere")
    with pytest.raises(OSError, match=re.escape(str(tmp_path / "bot" / "sub"))):
        next(files)


def test_a_file_is_opened_in_the_folder_where_it_was_found(tmp_path: Path) -> None:
    write_files(tmp_path, "elsewhere/x", "bot/sub/x")
    (tmp_path / "elsewhere" / "x").write_text("secret")
    files = bot_files(tmp_path / "bot")
    file = next(files)
    replace_with_link(tmp_path / "bot" / "sub", tmp_path / "elsewhere")
    with file.open() as opened:
        assert opened.read() == b""
