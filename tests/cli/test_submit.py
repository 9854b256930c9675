"""A bot gets into the league only if it passes the check."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.checks.verdicts import Terms, has_passed, remember_passed
from arena.referee.clock import EVENT_CLOCK, Clock
from arena.submission.manifest import read_manifest
from tests.builders.bots import HONEST, ROGUE, bot_folder
from tests.builders.leagues import submit_folders
from tests.cages import cage
from tests.cli.runner import arena, arena_on, json_on, printed, refused

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
    first = printed(arena_on(db, "submit", str(folder), *CAGE))
    assert first.splitlines()[-1] == f"submitted kitten@1 to {db}; games: meow"
    again = printed(arena_on(db, "submit", str(folder), *CAGE))
    assert again.splitlines()[-1] == ("kitten@1 already has this content: nothing changed")
    (folder / "notes.txt").write_text("think harder", encoding="utf-8")
    changed = arena_on(db, "submit", str(folder), *CAGE)
    assert changed.stdout.splitlines()[-1].startswith("submitted kitten@2 to ")
    (document,) = json_on(db, "bots", "show", "kitten")
    assert [version["version"] for version in document["versions"]] == [1, 2]
    arena_on(db, "bots", "retire", "kitten@2")
    retired = arena_on(db, "submit", str(folder), *CAGE)
    assert retired.stdout.splitlines()[-1] == (
        "kitten@2 already has this content and is retired: `arena bots return kitten@2` brings it "
        "back"
    )


def test_unchanged_content_is_recognised_before_anything_runs(db: Path, tmp_path: Path) -> None:
    folder = restrict_to_meow(bot_folder(tmp_path, "rogue", ROGUE, "never starts"))
    submit_folders(db, folder)
    result = arena_on(db, "submit", str(folder), *CAGE)
    assert (result.exit_code, result.stdout) == (
        0,
        "rogue@1 already has this content: nothing changed\n",
    )


def test_what_has_passed_a_check_is_submitted_without_another(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() == 0 and cage().name == "landlock":
        pytest.skip("there the uid of a bot cannot reach a cache in this test's folder")
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    folder = restrict_to_meow(bot_folder(tmp_path, "kitten", HONEST))
    assert arena("check", "kitten", *CAGE).exit_code == 0
    fast = arena_on(db, "submit", str(folder), *CAGE)
    assert fast.stdout.splitlines() == [
        "kitten has passed this check with the clock cpu:10+0.1: not run again",
        f"submitted kitten@1 to {db}; games: meow",
    ]


def test_a_verdict_belongs_to_the_content_the_clock_the_limits_and_the_cage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    bot = read_manifest(bot_folder(tmp_path, "kitten"))
    terms = Terms(EVENT_CLOCK, {"memory_mib": 64}, "bubblewrap")
    assert not has_passed(bot, "ab", terms)
    remember_passed(bot, "ab", terms)
    assert has_passed(bot, "ab", terms)
    others = [
        terms._replace(clock=Clock(1.0)),
        terms._replace(limits={}),
        terms._replace(cage="none"),
    ]
    assert not any(has_passed(bot, "ab", other) for other in others)
    assert not has_passed(bot, "cd", terms)


def test_a_bot_that_fails_the_check_is_not_submitted(db: Path, tmp_path: Path) -> None:
    folder = restrict_to_meow(bot_folder(tmp_path, "rogue", ROGUE, "never starts"))
    result = arena_on(db, "submit", str(folder), *CAGE)
    assert result.exit_code == 1
    assert "rogue was not submitted: fix the failed steps and try again" in result.stderr
    assert not db.exists()


def test_only_a_bot_folder_with_a_free_name_can_be_submitted(db: Path, tmp_path: Path) -> None:
    a_file = refused(arena_on(db, "submit", str(HONEST)))
    assert "is a file: move it into a folder, with a bot.toml of three lines:" in a_file
    assert 'command = ["python", "honest.py"]' in a_file
    assert "random is a house bot: it plays in every event" in refused(
        arena_on(db, "submit", "random")
    )
    (tmp_path / "empty").mkdir()
    assert "bot.toml" in refused(arena_on(db, "submit", str(tmp_path / "empty")))
    taken = refused(arena_on(db, "submit", str(bot_folder(tmp_path, "first"))))
    assert "first is the name of a house bot: change the name in bot.toml" in taken
    assert not db.exists()
