"""Is everything that is the bot's own found, and nothing else?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.own_files import own_files
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
    return [path.relative_to(folder).as_posix() for path in own_files(folder)]


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
