"""How does a file come to have the newest tables?

Each version of the file has a step that makes it from the one before. A file that lacks some is
given them all in one transaction: it is brought up to date, or stays as it was. The file's own
number (`user_version`) says how many steps it has had.
"""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database, Migrations

from leaderboard.schema import APPLICATION_ID, TABLES, VERSION
from leaderboard.views import VIEWS

LEAGUE = Migrations("league")


@LEAGUE()
def version_1(db: Database) -> None:
    """Make the tables of a new league."""
    for statement in TABLES.values():
        db.execute(statement)


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Give a file the steps it lacks, and with them its mark, its number and its views."""
    db = Database(connection, execute_plugins=False)
    # Readers go on while an event writes. An empty file is switched first, since the switch
    # cannot be part of a transaction; a file that is neither empty nor ours never comes here.
    db.enable_wal()
    with db.atomic():
        LEAGUE.apply(db)
        for name, statement in VIEWS.items():
            db.execute(f"DROP VIEW IF EXISTS {name}")
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {VERSION}")
