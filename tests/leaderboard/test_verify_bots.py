"""Bots that are not what their packages say are named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.submission.package import pack_folder
from arena.tournament.verification.bots import bot_differences
from leaderboard.bots import submit
from leaderboard.store import Store, Writer
from tests.builders.made_up import NOW

MANIFEST = 'name = "ant"\r\ngames = ["meow", "trio"]\ncommand = ["python", "bot.py"]\n'
LOCK = f"# wheels for a bot, version 1\napple==1.0 --hash=sha256:{'ab' * 32}\n"


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Write to a league with a bot, whose manifest has two kinds of line endings."""
    with Store.open(tmp_path / "arena.db", create=True) as store, store.writing() as writer:
        add(writer, tmp_path / "ant", MANIFEST)
        yield writer


def add(writer: Writer, folder: Path, manifest: str, lock: str = "") -> None:
    """Submit a bot without checking it."""
    folder.mkdir()
    (folder / "bot.toml").write_bytes(manifest.encode())
    (folder / "bot.py").write_text("print('hello')\n")
    submit(
        writer,
        name=folder.name,
        games=("meow", "trio"),
        manifest=(folder / "bot.toml").read_text(),
        lock=lock,
        packed=pack_folder(folder),
        now=NOW,
    )


CHANGES = {
    "hash = '00' || substr(hash, 3)": "ant@1: hash is '00",
    "files = 3": "ant@1: files is 3, but should be 2",
    "size = size + 1": "ant@1: size is ",
    "games = 'meow'": "ant@1: games is 'meow', but should be 'meow trio'",
    "manifest = manifest || '# better'": "ant@1: manifest is ",
    "manifest = 'name ='": "ant@1: manifest is 'name =', but should be ",
    "lock = 'numpy'": "ant@1: lock is 'numpy', but should be ''",
    "package = x'00'": "ant@1: package: the package is damaged: ",
    "package = CAST(substr(package, 2) AS BLOB)": "ant@1: package: ",
    "bot = (SELECT id FROM bots WHERE name = 'bee')": "bee@1: name is 'bee', but should be 'ant'",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_version_that_is_not_its_package_is_named(writer: Writer, change: str) -> None:
    assert bot_differences(writer) == []
    with writer.transaction():
        writer.write("INSERT INTO bots VALUES (9, 'bee')")
        writer.write(f"UPDATE versions SET {change}")
    assert bot_differences(writer)[0].startswith(CHANGES[change])


def test_the_package_of_another_bot_is_named(writer: Writer, tmp_path: Path) -> None:
    add(writer, tmp_path / "bee", MANIFEST.replace("ant", "bee"))
    with writer.transaction():
        writer.write("UPDATE versions SET package = (SELECT package FROM versions WHERE id = 2)")
    assert [text.split(" is ")[0] for text in bot_differences(writer)] == [
        "ant@1: hash",
        "ant@1: manifest",
    ]


def test_requirements_need_a_valid_lockfile(writer: Writer, tmp_path: Path) -> None:
    manifest = MANIFEST.replace("ant", "bee") + 'requirements = ["apple"]\n'
    add(writer, tmp_path / "bee", manifest, LOCK)
    assert bot_differences(writer) == []
    with writer.transaction():
        writer.write("UPDATE versions SET lock = replace(lock, '=1.0', '=2.0\n') WHERE id = 2")
    assert bot_differences(writer) == [
        "bee@1: lock: not a valid lockfile: lock the requirements again"
    ]
