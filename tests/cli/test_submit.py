"""A bot gets into the league only if it passes the check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.bots import HONEST, ROGUE, bot_folder
from tests.cages import cage
from tests.cli.runner import arena_on

CAGE = ("--cage", cage().name)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Return a path for a new league."""
    return tmp_path / "arena.db"


def restrict_to_meow(folder: Path) -> Path:
    """Restrict a bot to one game, so that its check is short."""
    manifest = folder / "bot.toml"
    text = manifest.read_text(encoding="utf-8")
    lines = ['games = ["meow"]' if line.startswith("games") else line for line in text.split("\n")]
    manifest.write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_a_bot_is_checked_and_submitted_and_a_change_makes_a_version(
    db: Path, tmp_path: Path
) -> None:
    folder = restrict_to_meow(bot_folder(tmp_path, "kitten", HONEST))
    first = arena_on(db, "submit", str(folder), *CAGE)
    assert first.exit_code == 0, first.output
    assert first.stdout.splitlines()[-1] == f"submitted kitten@1 to {db}; games: meow"
    again = arena_on(db, "submit", str(folder), *CAGE)
    assert again.exit_code == 0
    assert again.stdout.splitlines()[-1] == ("kitten@1 already has this content: nothing changed")
    (folder / "notes.txt").write_text("think harder", encoding="utf-8")
    changed = arena_on(db, "submit", str(folder), *CAGE)
    assert changed.stdout.splitlines()[-1].startswith("submitted kitten@2 to ")
    (document,) = json.loads(arena_on(db, "bots", "show", "kitten", "--json").stdout)
    assert [version["version"] for version in document["versions"]] == [1, 2]
    arena_on(db, "bots", "retire", "kitten@2")
    retired = arena_on(db, "submit", str(folder), *CAGE)
    assert retired.stdout.splitlines()[-1] == (
        "kitten@2 already has this content and is retired: nothing changed"
    )


def test_a_bot_that_fails_the_check_is_not_submitted(db: Path, tmp_path: Path) -> None:
    folder = restrict_to_meow(bot_folder(tmp_path, "rogue", ROGUE, "never starts"))
    result = arena_on(db, "submit", str(folder), *CAGE)
    assert result.exit_code == 1
    assert "rogue was not submitted: fix the failed steps and try again" in result.stderr
    assert not db.exists()


def test_only_a_bot_folder_with_a_free_name_can_be_submitted(db: Path, tmp_path: Path) -> None:
    file = arena_on(db, "submit", str(HONEST))
    assert file.exit_code == 2
    assert "is not a folder with a bot.toml" in file.stderr
    (tmp_path / "empty").mkdir()
    empty = arena_on(db, "submit", str(tmp_path / "empty"))
    assert empty.exit_code == 2
    assert "bot.toml" in empty.stderr
    taken = arena_on(db, "submit", str(bot_folder(tmp_path, "first")))
    assert taken.exit_code == 2
    assert "first is the name of a house bot: change the name in bot.toml" in taken.stderr
    assert not db.exists()
