"""Does a bot get into the league if it can play, and only then?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cages import cage
from tests.cli.leagues import arena
from tests.events.folders import HONEST, ROGUE, bot_folder

CAGE = ("--cage", cage().name)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Say where a league may be started."""
    return tmp_path / "arena.db"


def meow_only(folder: Path) -> Path:
    """Let a bot play one game, so that its check is short."""
    manifest = folder / "bot.toml"
    text = manifest.read_text(encoding="utf-8")
    lines = ['games = ["meow"]' if line.startswith("games") else line for line in text.split("\n")]
    manifest.write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_a_bot_is_checked_and_submitted_and_a_change_makes_a_version(
    db: Path, tmp_path: Path
) -> None:
    folder = meow_only(bot_folder(tmp_path, "kitten", HONEST))
    first = arena(db, "submit", str(folder), *CAGE)
    assert first.exit_code == 0, first.output
    assert first.stdout.splitlines()[-1] == f"kitten@1 is in {db}: it plays meow"
    again = arena(db, "submit", str(folder), *CAGE)
    assert again.exit_code == 0
    assert again.stdout.splitlines()[-1] == (
        "kitten@1 has this very content already: nothing was changed"
    )
    (folder / "notes.txt").write_text("think harder", encoding="utf-8")
    changed = arena(db, "submit", str(folder), *CAGE)
    assert changed.stdout.splitlines()[-1].startswith("kitten@2 is in ")
    (document,) = json.loads(arena(db, "bots", "show", "kitten", "--json").stdout)
    assert [version["version"] for version in document["versions"]] == [1, 2]
    arena(db, "bots", "retire", "kitten@2")
    retired = arena(db, "submit", str(folder), *CAGE)
    assert retired.stdout.splitlines()[-1] == (
        "kitten@2 has this very content already, and is retired: nothing was changed"
    )


def test_a_bot_that_fails_the_check_is_not_submitted(db: Path, tmp_path: Path) -> None:
    folder = meow_only(bot_folder(tmp_path, "rogue", ROGUE, "never starts"))
    result = arena(db, "submit", str(folder), *CAGE)
    assert result.exit_code == 1
    assert "rogue was not submitted: mend what failed and try again" in result.stderr
    assert not db.exists()


def test_what_is_not_a_bots_folder_is_refused(db: Path, tmp_path: Path) -> None:
    file = arena(db, "submit", str(HONEST))
    assert file.exit_code == 2
    assert "is not a folder: a bot is submitted with its bot.toml" in file.stderr
    (tmp_path / "empty").mkdir()
    empty = arena(db, "submit", str(tmp_path / "empty"))
    assert empty.exit_code == 2
    assert "bot.toml" in empty.stderr
    taken = arena(db, "submit", str(bot_folder(tmp_path, "first")))
    assert taken.exit_code == 2
    assert "there is a house bot first already: change the name in bot.toml" in taken.stderr
    assert not db.exists()
