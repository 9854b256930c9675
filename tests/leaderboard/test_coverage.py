"""Every column of the league's file is covered in exactly one way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from leaderboard.file.journal import COVERAGE
from leaderboard.file.schema import MIGRATIONS_TABLE, TABLES
from leaderboard.store import Store


def test_every_table_is_covered() -> None:
    assert list(COVERAGE) == [*TABLES, MIGRATIONS_TABLE]


@pytest.mark.parametrize("table", [*TABLES, MIGRATIONS_TABLE])
def test_every_column_is_covered_once(table: str, tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    Store.open(path, create=True).close()
    with closing(sqlite3.connect(path)) as connection:
        columns = list(connection.execute(f"PRAGMA table_info({table})"))
    coverage = COVERAGE[table]
    covered = [*coverage.columns, *coverage.digested, *coverage.computed]
    assert sorted(covered) == sorted(column for _, column, *_ in columns), (
        "say in file/journal.py how `arena verify` notices a change of each column"
    )
    assert coverage.key == tuple(
        name for _, name, _, _, _, place in sorted(columns, key=lambda row: row[5]) if place
    )
