"""Migrations: the steps that give a file the newest tables.

Each step turns one version of the file into the next. All missing steps are applied in one
transaction: the file is brought up to date, or stays as it was. sqlite-utils records in the file
which steps were applied; its version is recorded nowhere else.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database, Migrations

from arena.errors import ArenaError, BadLeague
from arena.games.randomness import derive, seed_from
from arena.games.registry import game_named
from arena.secret import commitment_to
from leaderboard.journal import start_journal
from leaderboard.league_strengths import store_all_strengths
from leaderboard.schema import APPLICATION_ID, MIGRATIONS, TABLES
from leaderboard.store import Writer
from leaderboard.views import IS_WIN, VIEWS

LEAGUE = Migrations("league")


@LEAGUE(name=MIGRATIONS[0])
def create_tables(db: Database) -> None:
    """Create the tables of a new league, as they are today."""
    for statement in TABLES.values():
        db.execute(statement)


@LEAGUE(name=MIGRATIONS[1])
def keep_secrets(db: Database) -> None:
    """Store the secrets of events, and failures that voided matches.

    Before, deals were derived from a number that a user gave, or from 0.
    """
    if _is_current(db, "events"):
        return  # The first step has created today's tables.
    db.execute(TABLES["secrets"])
    db.execute("ALTER TABLE seats ADD COLUMN breaks INTEGER NOT NULL DEFAULT 0")
    with _rebuild(db, "events"):
        for event in db["old_events"].rows:
            number = int(event["seed"])
            secret = derive(seed_from(number), "event")
            is_over = event["status"] == "finished"
            event |= {"seed": number, "open_deals": 1, "commitment": commitment_to(secret).hex()}
            db.table("events").insert({**event, "secret": secret.hex() if is_over else None})
            if not is_over:
                db.table("secrets").insert({"event": event["id"], "secret": secret.hex()})


_CODES = {
    "matches": {
        "played out": "played_out",
        "length cap": "length_cap",
        "forfeit": "forfeit",
    },
    "seats": {
        "played": "played",
        "illegal action": "illegal_action",
        "overran its clock": "overrun",
        "crashed": "crashed",
        "hung up": "hung_up",
        "nonsense on the wire": "nonsense",
        "never said hello": "no_hello",
        "wrong protocol version": "wrong_version",
        "went over a limit": "over_limit",
        "forfeit": "forfeit",
    },
}
"""The codes of endings, by the words that versions 1 and 2 stored."""


@LEAGUE(name=MIGRATIONS[2])
def store_codes(db: Database) -> None:
    """Store the endings of matches and seats as codes instead of words."""
    for name, codes in _CODES.items():
        if _is_current(db, name):
            continue
        for row in db[name].rows_where(f"ending NOT IN ({', '.join('?' * len(codes))})", [*codes]):
            raise BadLeague(
                f"{name} has the ending {row['ending']!r}, which no arena writes: "
                "restore the file from a backup"
            )
        with _rebuild(db, name):
            columns = list(db[f"old_{name}"].columns_dict)
            cases = " ".join("WHEN ? THEN ?" for _ in codes)
            values = [f"CASE ending {cases} END" if c == "ending" else c for c in columns]
            db.execute(
                f"INSERT INTO {name} ({', '.join(columns)}) "
                f"SELECT {', '.join(values)} FROM old_{name}",
                [text for pair in codes.items() for text in pair],
            )
    # Arenas that know only versions 1 and 2 look at this number, and refuse a larger one.
    db.execute("PRAGMA user_version = 3")


_RATED_WITH = {
    ("trio", 3, 3): 0.582,
    ("trio", 4, 4): 0.659,
    ("trio", 5, 5): 0.704,
    ("trio", 6, 6): 0.766,
    ("trio", 4, 2): 0.051,
    ("trio", 6, 3): 0.303,
    ("jackal", 2, 2): 0.01,
    ("jackal", 3, 3): 0.01,
    ("jackal", 4, 4): 0.01,
    ("jackal", 5, 5): 0.01,
    ("meow", 2, 2): 0.018,
    ("meow", 3, 3): 0.023,
    ("meow", 4, 4): 0.029,
    ("meow", 5, 5): 0.05,
    ("meow", 6, 6): 0.066,
    ("lifeislife", 3, 3): 0.086,
    ("lifeislife", 4, 4): 0.171,
    ("lifeislife", 5, 5): 0.273,
}
"""The tie rates of versions 1 to 3, by game, seats and sides: measured among random bots."""


@LEAGUE(name=MIGRATIONS[3])
def store_evidence(db: Database) -> None:
    """Store tie rates, strengths, why an event ended early, teams, accounts and a journal.

    The first entries of the journal are written after the last step.
    """
    if db["strengths"].exists():
        return  # The first step has created today's tables.
    if "stopped" not in db["events"].columns_dict:
        with _rebuild(db, "events"):
            for event in db["old_events"].rows:
                db.table("events").insert(event)
    if not _is_current(db, "seats"):
        with _rebuild(db, "seats"):
            columns = ", ".join(db["old_seats"].columns_dict)
            db.execute(f"INSERT INTO seats ({columns}) SELECT {columns} FROM old_seats")
    _store_tie_rates(db)
    for name in (
        *("deal_sums", "summed_events", "strengths", "machines", "match_machines"),
        "journal",
    ):
        db.execute(TABLES[name])
    store_all_strengths(Writer(Path(), db.conn))


def _store_tie_rates(db: Database) -> None:
    """Store the tie rates that the ratings were worked out with; before, the games knew them.

    The teams of the seats, which only the games knew as well, are stored too.
    """
    db.execute(TABLES["tie_rates"])
    for variant in list(db["variants"].rows):
        try:
            game = game_named(variant["game"])
            parameters = game.parameters_form.read(variant["parameters"])
        except ArenaError:
            continue  # `arena verify` reports it
        for seats in game.seats_for(parameters):
            sides = game.sides(seats, parameters)
            if len(set(sides)) < seats:
                _store_teams(db, variant["id"], sides)
            table = (game.id, seats, len(set(sides)))
            rate = _RATED_WITH.get(table) or game.tie_rate(seats, parameters)
            row = {"variant": variant["id"], "seats": seats, "rate": rate}
            db.table("tie_rates").insert(row)


def _store_teams(db: Database, variant: int, sides: tuple[int, ...]) -> None:
    """Store the team of each seat, at all tables of a variant with this number of seats."""
    db.conn.executemany(
        """
        UPDATE seats SET team = ? WHERE seat = ? AND match IN (
            SELECT matches.id FROM matches JOIN events ON events.id = matches.event
            WHERE variant = ? AND ? = (SELECT count(*) FROM seats WHERE seats.match = matches.id)
        )
        """,
        [(side, seat, variant, len(sides)) for seat, side in enumerate(sides)],
    )


@LEAGUE(name=MIGRATIONS[4])
def count_wins(db: Database) -> None:
    """Count wins again: before, a first place that opponents shared was a win too."""
    db.execute(
        f"""
        WITH won AS (
            SELECT variant, version, count(*) AS wins
            FROM matches
            JOIN events ON events.id = matches.event
            JOIN seats ON seats.match = matches.id
            WHERE rating_order IS NOT NULL AND {IS_WIN}
            GROUP BY variant, version
        )
        UPDATE ratings SET wins = coalesce((
            SELECT won.wins FROM won
            WHERE won.variant = ratings.variant AND won.version = ratings.version
        ), 0)
        """
    )


def _is_current(db: Database, name: str) -> bool:
    """Whether a table has today's form, as the first step creates it in a new file."""
    return db[name].schema.split() == TABLES[name].split()


@contextmanager
def _rebuild(db: Database, name: str) -> Iterator[None]:
    """Create a table again in today's form; the block copies its rows from `old_NAME`."""
    db.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    db.execute(TABLES[name])
    yield
    db.execute(f"DROP TABLE old_{name}")


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the migrations that a file lacks; mark it as a league and create its views."""
    db = Database(connection, recursive_triggers=False, execute_plugins=False)
    # In WAL mode, reading goes on while an event writes. The switch cannot be part of a
    # transaction; a file of another program never gets here.
    db.enable_wal()
    # References to a table that is created again must refer to the new one.
    db.execute("PRAGMA foreign_keys = OFF")
    db.execute("PRAGMA legacy_alter_table = ON")
    with db.atomic():
        LEAGUE.apply(db)
        start_journal(connection)
        for name, statement in VIEWS.items():
            db.execute(f"DROP VIEW IF EXISTS {name}")
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
