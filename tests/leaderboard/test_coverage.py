"""Every column of the league's file is covered in exactly one way."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from leaderboard.file.journal import COVERAGE
from leaderboard.file.schema import TABLES


def test_every_table_is_covered() -> None:
    assert list(COVERAGE) == list(TABLES)


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_covered_once(table: str) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(TABLES[table])
        columns = list(connection.execute(f"PRAGMA table_info({table})"))
    coverage = COVERAGE[table]
    covered = [*coverage.columns, *coverage.digested, *coverage.computed]
    assert sorted(covered) == sorted(column for _, column, *_ in columns), (
        "say in file/journal.py how `arena verify` notices a change of each column"
    )
    assert coverage.key == tuple(
        name for _, name, _, _, _, place in sorted(columns, key=lambda row: row[5]) if place
    )
