"""Migrations: the steps that give a file today's tables.

There is one, which creates them. A change of the tables after the first release adds a step that
turns the tables before it into those after it. sqlite-utils records in the file which steps were
applied, and the journal has these records; its version is recorded nowhere else.
"""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database, Migrations

from leaderboard.file.journal import COVERAGE, Change, append
from leaderboard.file.schema import APPLICATION_ID, MIGRATIONS, MIGRATIONS_TABLE, TABLES
from leaderboard.file.views import VIEWS

LEAGUE = Migrations("league")


@LEAGUE(name=MIGRATIONS[0])
def create_tables(db: Database) -> None:
    """Create the tables of a new league."""
    for statement in TABLES.values():
        db.execute(statement)


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the migrations in one transaction; mark the file as a league and create its views."""
    db = Database(connection, recursive_triggers=False, execute_plugins=False)
    # In WAL mode, reading goes on while an event writes. The switch cannot be part of a
    # transaction; a file of another program never gets here.
    db.enable_wal()
    with db.atomic():
        LEAGUE.apply(db)
        for statement in VIEWS.values():
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        columns = COVERAGE[MIGRATIONS_TABLE].columns
        rows = connection.execute(f"SELECT {', '.join(columns)} FROM {MIGRATIONS_TABLE}").fetchall()
        append(connection, [Change(MIGRATIONS_TABLE, columns, rows)])
