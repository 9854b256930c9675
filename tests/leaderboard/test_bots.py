"""Submitting, finding and retiring bots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import UnknownName
from arena.submission.package import pack_folder, unpack
from leaderboard.bots import (
    find_version,
    package_of,
    retire,
    submit,
)
from leaderboard.store import Writer
from tests.builders.made_up import BOTS, NOW, new_league, submit_bot


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Write to a league."""
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        yield writer


def test_a_bot_is_stored_as_it_was_submitted(writer: Writer, tmp_path: Path) -> None:
    folder = tmp_path / "kitten"
    folder.mkdir()
    (folder / "bot.py").write_text("print('miaow')\n")
    packed = pack_folder(folder)
    version, is_new = submit(
        writer,
        name="kitten",
        games=("meow", "trio"),
        manifest='name = "kitten"',
        lock="numpy==2.3.4",
        packed=packed,
        now=NOW,
    )
    assert is_new
    assert str(version) == "kitten@1"
    assert version == find_version(writer, "kitten")
    assert (version.games, version.lock) == (("meow", "trio"), "numpy==2.3.4")
    assert (version.hash, version.files, version.size) == (packed.hash, 1, 15)
    assert (version.submitted, version.retired) == ("2026-05-17 12:30:00", None)
    unpack(package_of(writer, version.id), tmp_path / "again", expected=version.hash)
    assert (tmp_path / "again" / "bot.py").read_text() == "print('miaow')\n"


def test_the_newest_version_plays_unless_another_is_named(writer: Writer) -> None:
    ids = [submit_bot(writer, "kitten", content) for content in ("1", "2", "3")]
    assert find_version(writer, "kitten").id == ids[2]
    assert find_version(writer, "kitten@2").id == ids[1]


def test_a_retired_version_plays_only_if_it_is_named(writer: Writer) -> None:
    for content in ("1", "2", "3"):
        submit_bot(writer, "kitten", content)
    assert [str(version) for version in retire(writer, "kitten@3", now=NOW)] == ["kitten@3"]
    assert find_version(writer, "kitten").number == 2
    assert find_version(writer, "kitten@3").retired == "2026-05-17 12:30:00"
    assert [version.number for version in retire(writer, "kitten", now=NOW)] == [1, 2]
    assert retire(writer, "kitten", now=NOW) == []
    with pytest.raises(UnknownName, match=r"kitten is retired.* kitten@1, kitten@2, kitten@3"):
        find_version(writer, "kitten")


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("beee", "no such bot: 'beee'; did you mean bee?"),
        ("walrus", f"no such bot: 'walrus'; choose from {', '.join(BOTS)}"),
        ("bee@2", "no such version: 'bee@2'; choose from bee@1"),
        ("bee@", "no such version: 'bee@'; choose from bee@1"),
        ("bee@01", "no such version: 'bee@01'; choose from bee@1"),
        ("", "no such bot: ''; choose from"),
    ],
)
def test_an_unknown_name_is_answered_with_similar_names(
    writer: Writer, word: str, sentence: str
) -> None:
    with pytest.raises(UnknownName) as caught:
        find_version(writer, word)
    assert str(caught.value).startswith(sentence)
    assert caught.value.exit_code == 2


def test_a_league_without_bots_says_so(writer: Writer) -> None:
    with writer.transaction():
        writer.write("DELETE FROM versions")
        writer.write("DELETE FROM bots")
    with pytest.raises(UnknownName, match="no bot has been submitted yet"):
        find_version(writer, "bee")
