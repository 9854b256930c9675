"""Does text of a league's file ever reach the terminal as it is?

Whoever made the file may have put into it what moves the cursor, changes the title of the window or
types for the user. It goes into every column of text, and every command that reads is run.
"""

from __future__ import annotations

import shutil
import sqlite3
import unicodedata
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from leaderboard.schema import TABLES
from tests.cli.leagues import arena, small_league

EVIL = "e\x1b[2J\x1b]0;owned\x07v\x9b31m\u202ei\rl\b\x7f"
"""Escape sequences of both kinds, a title, a bell, and what turns text around."""
FUNCTIONAL = {
    ("events", "spec"),
    ("events", "status"),
    ("matches", "seed"),
    ("variants", "game"),
    ("variants", "parameters"),
    ("versions", "games"),
}
"""What commands cannot do much without: with these, they have to say so in a sentence."""
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
    ["verify"],
    ["verify", "{event}"],
    ["replay", "show", "cup/0", "--plain"],
    ["replay", "show", "{event}/0", "--plain", "--all"],
    ["reproduce", "{event}/0", "--cage", "none"],
    ["compare", "ann", "{name}", "--game", "meow", "--deals", "1", "-q", "--cage", "none"],
    ["report", "{site}", "-q"],
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with two events."""
    return small_league(tmp_path_factory.mktemp("league"))


def columns_of_text(db: Path) -> list[tuple[str, str]]:
    """List all columns of text, by table."""
    with closing(sqlite3.connect(db)) as connection:
        return [
            (table, name)
            for table in TABLES
            for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")
            if kind == "TEXT"
        ]


def spoil(db: Path, *columns: tuple[str, str]) -> None:
    """Put what is evil into columns, whatever the file's own rules say."""
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for table, column in columns:
            key = "id" if table in ("bots", "events", "versions", "variants", "matches") else None
            # Where names must differ, they do by a number at the end.
            number = f" || {key}" if key else ""
            connection.execute(
                f"UPDATE {table} SET {column} = ?{number} WHERE {column} IS NOT NULL", [EVIL]
            )


def controls(text: str) -> set[str]:
    """List the characters that a terminal would not show, but do something with."""
    return {
        repr(letter)
        for letter in text
        if letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co")
    }


def outcome(result: Result) -> str:
    """Say what is wrong with what a command did; nothing if it is all right."""
    found = controls(result.output)
    if found:
        return f"printed {', '.join(sorted(found))}"
    if result.exception and not isinstance(result.exception, SystemExit):
        return f"raised {result.exception!r}"
    return ""


def said(db: Path, folder: Path) -> dict[str, str]:
    """Run every command on a copy of a league; return what was wrong."""
    words = {"{name}": f"{EVIL}1", "{event}": f"{EVIL}1", "{site}": str(folder / "site")}
    wrong = {}
    for command in COMMANDS:
        copy = folder / "arena.db"
        shutil.copy(db, copy)
        typed = [word for each in command for word in [_filled(each, words)]]
        for way in ([], ["--json"], ["--csv"]):
            problem = outcome(arena(copy, *typed, *way))
            if problem:
                wrong[" ".join(command + way)] = problem
    return wrong


def _filled(word: str, words: dict[str, str]) -> str:
    for mark, text in words.items():
        word = word.replace(mark, text)
    return word


def test_no_text_of_the_file_is_printed_as_it_is(base: Path, tmp_path: Path) -> None:
    db = tmp_path / "spoilt.db"
    shutil.copy(base, db)
    spoil(db, *(each for each in columns_of_text(db) if each not in FUNCTIONAL))
    assert said(db, tmp_path) == {}


@pytest.mark.parametrize("column", sorted(FUNCTIONAL), ids=".".join)
def test_what_commands_depend_on_is_not_printed_as_it_is_either(
    base: Path, tmp_path: Path, column: tuple[str, str]
) -> None:
    db = tmp_path / "spoilt.db"
    shutil.copy(base, db)
    spoil(db, column)
    assert said(db, tmp_path) == {}
