"""A report touches only its own files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.pages.site.folder import LISTING, Changes, Folder, UnusableFolder
from tests.builders.leagues import NOON


def write(path: Path, files: dict[str, str], maker: str = "me") -> Changes:
    """Write these files as a report."""
    folder = Folder(path, maker, now=NOON)
    folder.plan(files)
    for name, text in files.items():
        if not folder.keep_unchanged(name, f"source of {text}"):
            folder.write(name, text, f"source of {text}")
    return folder.finish()


def names_in(path: Path) -> set[str]:
    """List the files of a folder."""
    return {str(file.relative_to(path)) for file in path.rglob("*") if file.is_file()}


def test_files_are_added_changed_kept_and_removed(tmp_path: Path) -> None:
    site = tmp_path / "new" / "site"
    assert write(site, {"a.html": "1", "b/c.html": "2", "b/d.html": "3"}) == Changes(3, 3, 0)
    before = (site / "b/c.html").stat()
    assert write(site, {"a.html": "9", "b/c.html": "2"}) == Changes(2, 1, 1)
    assert (site / "b/c.html").stat() == before
    assert (site / "a.html").read_text() == "9"
    assert write(site, {"a.html": "9"}) == Changes(1, 0, 1)
    assert names_in(site) == {"a.html", LISTING}
    assert not (site / "b").exists()


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UnusableFolder, match="is not empty"):
        Folder(tmp_path, "me", now=NOON)
    assert names_in(tmp_path) == {"thesis.txt"}


def test_files_that_the_report_did_not_write_are_neither_replaced_nor_removed(
    tmp_path: Path,
) -> None:
    write(tmp_path, {"b/a.html": "1"})
    (tmp_path / "b" / "mine.html").write_text("mine")
    with pytest.raises(UnusableFolder, match=r"mine\.html exists"):
        write(tmp_path, {"b/a.html": "1", "b/mine.html": "2"})
    assert write(tmp_path, {}) == Changes(0, 0, 1)
    assert (tmp_path / "b" / "mine.html").read_text() == "mine"


def test_a_listing_that_names_files_elsewhere_does_no_harm(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write(site, {"a.html": "1"})
    victim = tmp_path / "victim.html"
    victim.write_text("mine")
    listing = json.loads((site / LISTING).read_text())
    listing["files"] |= {"../victim.html": "", str(victim): ""}
    (site / LISTING).write_text(json.dumps(listing))
    write(site, {})
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("listing", ["", "[]", "{", '{"files": 3}'])
def test_a_damaged_listing_is_refused(listing: str, tmp_path: Path) -> None:
    (tmp_path / LISTING).write_text(listing)
    with pytest.raises(UnusableFolder, match="damaged"):
        Folder(tmp_path, "me", now=NOON)


def test_a_killed_report_is_continued(tmp_path: Path) -> None:
    killed = Folder(tmp_path, "me", now=NOON)
    killed.plan(["a.html", "b.html"])
    killed.write("a.html", "1", "source of 1")
    assert write(tmp_path, {"a.html": "1", "c.html": "3"}) == Changes(2, 1, 0)
    assert names_in(tmp_path) == {"a.html", "c.html", LISTING}


def test_a_file_is_rewritten_for_another_source_or_generator(
    tmp_path: Path,
) -> None:
    write(tmp_path, {"a.html": "1"})
    assert Folder(tmp_path, "me", now=NOON).keep_unchanged("a.html", "source of 1")
    assert not Folder(tmp_path, "me", now=NOON).keep_unchanged("a.html", "source of 2")
    assert not Folder(tmp_path, "another", now=NOON).keep_unchanged("a.html", "source of 1")
    (tmp_path / "a.html").unlink()
    assert not Folder(tmp_path, "me", now=NOON).keep_unchanged("a.html", "source of 1")


def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine")
    with pytest.raises(UnusableFolder, match="cannot be used"):
        Folder(tmp_path / "site", "me", now=NOON)
