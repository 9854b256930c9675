"""How does a file come to have the newest tables?

Each version of the file has a step that makes it from the one before. A file that lacks some is
given them all in one transaction: it is brought up to date, or stays as it was. The file's own
number (`user_version`) says how many steps it has had.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlite_utils import Database, Migrations

from arena.games.randomness import derive, seed_from
from arena.secret import commitment_to
from leaderboard.schema import APPLICATION_ID, TABLES, VERSION
from leaderboard.views import VIEWS

LEAGUE = Migrations("league")


@LEAGUE()
def version_1(db: Database) -> None:
    """Make the tables of a new league."""
    for statement in TABLES.values():
        db.execute(statement)


@LEAGUE()
def version_2(db: Database) -> None:
    """Keep the secrets of events, and breakages that voided matches.

    Until then, deals followed from a number that a person typed, or from 0.
    """
    if "secret" in db["events"].columns_dict:
        return  # The first step has made the tables as they are now.
    db.execute(TABLES["secrets"])
    with _rebuilt(db, "seats"):
        db.execute("INSERT INTO seats SELECT *, 0 FROM old_seats")
    with _rebuilt(db, "events"):
        for event in db["old_events"].rows:
            number = int(event["seed"])
            secret = derive(seed_from(number), "event")
            is_over = event["status"] == "finished"
            event |= {"seed": number, "open_deals": 1, "commitment": commitment_to(secret).hex()}
            db.table("events").insert({**event, "secret": secret.hex() if is_over else None})
            if not is_over:
                db.table("secrets").insert({"event": event["id"], "secret": secret.hex()})


@contextmanager
def _rebuilt(db: Database, name: str) -> Iterator[None]:
    """Make a table anew as it is today; its rows are taken from the old one within the block."""
    db.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    db.execute(TABLES[name])
    yield
    db.execute(f"DROP TABLE old_{name}")


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Give a file the steps it lacks, and with them its mark, its number and its views."""
    db = Database(connection, execute_plugins=False)
    # Readers go on while an event writes. An empty file is switched first, since the switch
    # cannot be part of a transaction; a file that is neither empty nor ours never comes here.
    db.enable_wal()
    # What refers to a table that is made anew shall refer to the new one.
    db.execute("PRAGMA foreign_keys = OFF")
    db.execute("PRAGMA legacy_alter_table = ON")
    with db.atomic():
        LEAGUE.apply(db)
        for name, statement in VIEWS.items():
            db.execute(f"DROP VIEW IF EXISTS {name}")
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {VERSION}")
