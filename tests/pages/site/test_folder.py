"""Does a report touch only what is its own?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.pages.site.folder import NOTE, Changes, Folder, UnfitFolder


def write(path: Path, files: dict[str, str], maker: str = "me") -> Changes:
    """Let a folder have these files."""
    folder = Folder(path, maker)
    folder.plan(files)
    for name, text in files.items():
        if not folder.keeps(name, f"source of {text}"):
            folder.write(name, text, f"source of {text}")
    return folder.finish()


def names_in(path: Path) -> set[str]:
    """List the files of a folder."""
    return {str(file.relative_to(path)) for file in path.rglob("*") if file.is_file()}


def test_files_come_change_stay_and_go(tmp_path: Path) -> None:
    site = tmp_path / "new" / "site"
    assert write(site, {"a.html": "1", "b/c.html": "2", "b/d.html": "3"}) == Changes(3, 3, 0)
    before = (site / "b/c.html").stat()
    assert write(site, {"a.html": "9", "b/c.html": "2"}) == Changes(2, 1, 1)
    assert (site / "b/c.html").stat() == before
    assert (site / "a.html").read_text() == "9"
    assert write(site, {"a.html": "9"}) == Changes(1, 0, 1)
    assert names_in(site) == {"a.html", NOTE}
    assert not (site / "b").exists()


def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UnfitFolder, match="other things"):
        Folder(tmp_path, "me")
    assert names_in(tmp_path) == {"thesis.txt"}


def test_files_of_others_are_neither_replaced_nor_removed(tmp_path: Path) -> None:
    write(tmp_path, {"b/a.html": "1"})
    (tmp_path / "b" / "mine.html").write_text("mine")
    with pytest.raises(UnfitFolder, match=r"mine\.html is in the way"):
        write(tmp_path, {"b/a.html": "1", "b/mine.html": "2"})
    assert write(tmp_path, {}) == Changes(0, 0, 1)
    assert (tmp_path / "b" / "mine.html").read_text() == "mine"


def test_a_note_that_names_files_elsewhere_harms_nothing(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write(site, {"a.html": "1"})
    victim = tmp_path / "victim.html"
    victim.write_text("mine")
    note = json.loads((site / NOTE).read_text())
    note["files"] |= {"../victim.html": "", str(victim): ""}
    (site / NOTE).write_text(json.dumps(note))
    write(site, {})
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("note", ["", "[]", "{", '{"files": 3}'])
def test_a_damaged_note_is_refused(note: str, tmp_path: Path) -> None:
    (tmp_path / NOTE).write_text(note)
    with pytest.raises(UnfitFolder, match="damaged"):
        Folder(tmp_path, "me")


def test_a_report_that_was_killed_is_taken_up(tmp_path: Path) -> None:
    killed = Folder(tmp_path, "me")
    killed.plan(["a.html", "b.html"])
    killed.write("a.html", "1", "source of 1")
    assert write(tmp_path, {"a.html": "1", "c.html": "3"}) == Changes(2, 1, 0)
    assert names_in(tmp_path) == {"a.html", "c.html", NOTE}


def test_what_is_made_once_is_made_again_for_another_source_or_by_another_maker(
    tmp_path: Path,
) -> None:
    write(tmp_path, {"a.html": "1"})
    assert Folder(tmp_path, "me").keeps("a.html", "source of 1")
    assert not Folder(tmp_path, "me").keeps("a.html", "source of 2")
    assert not Folder(tmp_path, "another").keeps("a.html", "source of 1")
    (tmp_path / "a.html").unlink()
    assert not Folder(tmp_path, "me").keeps("a.html", "source of 1")


def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine")
    with pytest.raises(UnfitFolder, match="cannot be used"):
        Folder(tmp_path / "site", "me")
