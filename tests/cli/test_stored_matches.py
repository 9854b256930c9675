"""Commands take matches of the league as they take files, and whole events where that helps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from arena.replays.format import read_replay
from arena.submission.lookup import house_bots
from arena.submission.package import pack_folder
from leaderboard.events import find_event
from leaderboard.matches import last_match
from leaderboard.store import Store
from tests.builders.bots import HONEST, bot_folder
from tests.builders.leagues import league_with_stopped_event, submit_folders
from tests.cli.runner import arena, arena_on, json_on, printed


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with two events."""
    return league_with_stopped_event(tmp_path_factory.mktemp("league"))


def test_a_match_of_the_league_is_verified_and_exported_like_a_file(
    db: Path, tmp_path: Path
) -> None:
    path = tmp_path / "match.replay"
    words = ("replay", "export", "cup/1", "--format", "replay", "-o", str(path))
    assert arena_on(db, *words).exit_code == 0
    from_file, from_league = (
        arena("replay", "export", path),
        arena_on(db, "replay", "export", "cup/1"),
    )
    assert from_league.stdout == from_file.stdout
    assert json.loads(from_file.stdout)["seed"] == read_replay(path.read_bytes()).seed.hex()
    good = arena_on(db, "replay", "verify", "cup/1").stdout
    assert good.startswith("good  cup/1: ")
    assert good.replace("cup/1", str(path)) == arena("replay", "verify", path).stdout


def test_a_match_that_was_not_played_yet_is_not_there(db: Path) -> None:
    unplayed = arena_on(db, "replay", "show", "open/9999")
    with Store.open(db) as store:
        last = last_match(store, find_event(store, "open").id)
    sentence = f"Error: event open has no match 9999 yet: its last one is open/{last}\n"
    assert (unplayed.exit_code, unplayed.stderr) == (2, sentence)
    assert arena_on(db, "replay", "show", f"open/{last}").exit_code == 0


def test_a_whole_event_is_exported_as_one_document_per_line(db: Path) -> None:
    lines = arena_on(db, "replay", "export", "cup").stdout.splitlines()
    matches = json_on(db, "replay", "verify", "cup")
    assert [json.loads(line)["commitment"] for line in lines] == [
        match["commitment"] for match in matches
    ]
    numbers = [int(match["file"].removeprefix("cup/")) for match in matches]
    assert numbers == sorted(set(numbers))
    assert len(numbers) > 10


@pytest.mark.parametrize("form", ["json", "replay"])
def test_a_whole_event_is_exported_into_a_new_folder(db: Path, form: str, tmp_path: Path) -> None:
    words = ("replay", "export", "cup", "--format", form, "-o", str(tmp_path / "cup"))
    assert arena_on(db, *words).exit_code == 0
    files = sorted((tmp_path / "cup").iterdir())
    lines = arena_on(db, "replay", "export", "cup").stdout.splitlines()
    assert len(files) == len(lines) > 10
    assert files[1].name == f"0001.{form}"
    if form == "replay":
        assert arena("replay", "verify", *files).exit_code == 0
    else:
        assert json.loads(files[1].read_text(encoding="utf-8")) == json.loads(lines[1])
    again = arena_on(db, *words)
    assert (again.exit_code, "already exists: name a new folder" in again.stderr) == (2, True)


def export_bot(db: Path, name: str, folder: Path) -> Result:
    """Unpack a bot."""
    return arena_on(db, "bots", "export", name, str(folder))


def test_each_version_of_a_bot_is_unpacked_as_it_was_submitted(tmp_path: Path) -> None:
    db, folder = tmp_path / "arena.db", bot_folder(tmp_path, "kitten", HONEST)
    hashes = []
    for note in ("one", "two"):
        (folder / "note.txt").write_text(note, encoding="utf-8")
        submit_folders(db, folder)
        hashes.append(pack_folder(folder).hash)
    for name, expected in (("kitten@1", hashes[0]), ("kitten@2", hashes[1]), ("kitten", hashes[1])):
        printed(export_bot(db, name, tmp_path / f"{name}-copy"))
        assert pack_folder(tmp_path / f"{name}-copy").hash == expected
    assert (tmp_path / "kitten@1-copy" / "note.txt").read_text(encoding="utf-8") == "one"


def test_a_house_bot_is_unpacked_without_a_league(tmp_path: Path) -> None:
    result = export_bot(tmp_path / "none.db", "greedy-meow", tmp_path / "mine")
    assert result.stdout == f"greedy-meow is in {tmp_path / 'mine'}\n"
    assert pack_folder(tmp_path / "mine").hash == pack_folder(house_bots()["greedy-meow"]).hash


@pytest.mark.parametrize(
    ("folder", "message"),
    [(".", "already exists: name a new folder"), ("no/where", "there is no folder ")],
)
def test_a_bot_is_unpacked_only_into_a_new_folder(
    folder: str, message: str, tmp_path: Path
) -> None:
    result = export_bot(tmp_path / "none.db", "random", tmp_path / folder)
    assert (result.exit_code, message in result.stderr) == (2, True)
