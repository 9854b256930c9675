"""Text of a league file never reaches the terminal unescaped.

A hostile file may contain control characters that move the cursor, change the window title or type
for the user. The tests put them into every text column and run every command that reads.
"""

from __future__ import annotations

import shutil
import sqlite3
import unicodedata
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from leaderboard.file.schema import TABLES
from tests.builders.leagues import league_with_stopped_event
from tests.cli.runner import arena_on

EVIL = "e\x1b[2J\x1b]0;owned\x07v\x9b31m\u202ei\rl\b\x7f"
"""Both kinds of escape sequences, a window title, a bell, and a right-to-left override."""
FUNCTIONAL = {
    ("deal_sums", "pairs"),
    ("deal_sums", "products"),
    ("deal_sums", "scores"),
    ("events", "spec"),
    ("events", "status"),
    ("matches", "seed"),
    ("variants", "game"),
    ("variants", "parameters"),
    ("versions", "games"),
}
"""Columns that commands depend on: if one is spoilt, a command may fail, with a message."""
COMMANDS = [
    ["bots"],
    ["bots", "show", "ann"],
    ["bots", "show", "{name}"],
    ["bots", "show", "nobody"],
    ["bots", "retire", "ann"],
    ["event", "list"],
    ["event", "show", "cup"],
    ["event", "show", "{event}"],
    ["event", "show", "nothing"],
    ["event", "watch"],
    ["event", "watch", "{event}"],
    ["event", "resume", "{event}"],
    ["event", "resume"],
    ["leaderboard"],
    ["leaderboard", "meow"],
    ["leaderboard", "--head-to-head"],
    ["collusion", "meow"],
    ["collusion", "meow", "--event", "{event}"],
    ["verify"],
    ["verify", "{event}"],
    ["replay", "show", "cup/0", "--plain"],
    ["replay", "show", "{event}/0", "--plain", "--all"],
    ["reproduce", "{event}/0", "--cage", "none"],
    ["compare", "ann", "{name}", "--game", "meow", "--deals", "1", "-q", "--cage", "none"],
]
REPORT = ["report", "{site}", "-q"]
"""It writes dozens of pages. Short tests in tests/pages look for hostile text in them."""


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with two events."""
    return league_with_stopped_event(tmp_path_factory.mktemp("league"))


def text_columns(db: Path) -> list[tuple[str, str]]:
    """List all text columns as pairs of table and column."""
    with closing(sqlite3.connect(db)) as connection:
        return [
            (table, name)
            for table in TABLES
            for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")
            if kind == "TEXT"
        ]


def spoil(db: Path, *columns: tuple[str, str]) -> None:
    """Put hostile text into columns, ignoring the constraints of the schema."""
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for table, column in columns:
            key = "id" if table in ("bots", "events", "versions", "variants", "matches") else None
            if table == "deal_sums":
                key = "pairs"
            # A number at the end keeps names unique where they must be.
            number = f" || {key}" if key else ""
            connection.execute(
                f"UPDATE {table} SET {column} = ?{number} WHERE {column} IS NOT NULL", [EVIL]
            )


def control_characters(text: str) -> set[str]:
    """Return the characters that would control a terminal."""
    return {
        repr(letter)
        for letter in text
        if letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co")
    }


def problem_of(result: Result) -> str:
    """Describe what a command did wrong; return an empty string if nothing."""
    found = control_characters(result.output)
    if found:
        return f"printed {', '.join(sorted(found))}"
    if result.exception and not isinstance(result.exception, SystemExit):
        return f"raised {result.exception!r}"
    return ""


def problems(db: Path, folder: Path, commands: Sequence[list[str]]) -> dict[str, str]:
    """Run commands on copies of a league; return the problems by command."""
    placeholders = {"{name}": f"{EVIL}1", "{event}": f"{EVIL}1", "{site}": str(folder / "site")}
    wrong = {}
    for command in commands:
        copy = folder / "arena.db"
        shutil.copy(db, copy)
        typed = [fill_in(word, placeholders) for word in command]
        for output_format in ([], ["--json"], ["--csv"]):
            problem = problem_of(arena_on(copy, *typed, *output_format))
            if problem:
                wrong[" ".join(command + output_format)] = problem
    return wrong


def fill_in(word: str, placeholders: dict[str, str]) -> str:
    """Replace the placeholders in a word of a command."""
    for mark, text in placeholders.items():
        word = word.replace(mark, text)
    return word


@pytest.mark.parametrize(
    "commands",
    [COMMANDS, pytest.param([REPORT], marks=pytest.mark.slow)],
    ids=["commands", "report"],
)
def test_no_text_of_the_file_is_printed_unescaped(
    commands: list[list[str]], league: Path, tmp_path: Path
) -> None:
    db = tmp_path / "spoilt.db"
    shutil.copy(league, db)
    spoil(db, *(each for each in text_columns(db) if each not in FUNCTIONAL))
    assert problems(db, tmp_path, commands) == {}


@pytest.mark.slow
@pytest.mark.parametrize("column", sorted(FUNCTIONAL), ids=".".join)
def test_the_columns_that_commands_depend_on_are_not_printed_unescaped_either(
    league: Path, tmp_path: Path, column: tuple[str, str]
) -> None:
    db = tmp_path / "spoilt.db"
    shutil.copy(league, db)
    spoil(db, column)
    assert problems(db, tmp_path, [*COMMANDS, REPORT]) == {}
