"""What does the league's file hold?

README.md says what the columns mean. A change of the tables is a step of its own in migrations.py,
and one more for `VERSION`.
"""

from __future__ import annotations

APPLICATION_ID = 0x4152454E
"""Marks an SQLite file as a league: "AREN"."""
VERSION = 2
"""Which version of the file this arena writes."""

TABLES = {
    "bots": """
        CREATE TABLE bots (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) STRICT
    """,
    # The package is last, so that SQLite need not walk through it to the other columns.
    "versions": """
        CREATE TABLE versions (
            id INTEGER PRIMARY KEY,
            bot INTEGER NOT NULL REFERENCES bots (id),
            number INTEGER NOT NULL,
            hash TEXT NOT NULL,
            games TEXT NOT NULL,
            manifest TEXT NOT NULL,
            lock TEXT NOT NULL,
            files INTEGER NOT NULL,
            size INTEGER NOT NULL,
            submitted TEXT NOT NULL,
            retired TEXT,
            package BLOB NOT NULL,
            UNIQUE (bot, number),
            UNIQUE (bot, hash)
        ) STRICT
    """,
    "variants": """
        CREATE TABLE variants (
            id INTEGER PRIMARY KEY,
            game TEXT NOT NULL,
            name TEXT NOT NULL,
            parameters TEXT NOT NULL,
            UNIQUE (game, parameters)
        ) STRICT
    """,
    "events": """
        CREATE TABLE events (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            variant INTEGER NOT NULL REFERENCES variants (id),
            seats INTEGER NOT NULL,
            deals INTEGER NOT NULL,
            rounds INTEGER NOT NULL,
            clock TEXT NOT NULL,
            seed INTEGER,
            commitment TEXT NOT NULL,
            secret TEXT,
            open_deals INTEGER NOT NULL CHECK (open_deals IN (0, 1)),
            cage TEXT NOT NULL,
            spec TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('running', 'finished', 'interrupted')),
            started TEXT NOT NULL,
            ended TEXT,
            rated_up_to INTEGER NOT NULL DEFAULT 0
        ) STRICT
    """,
    # Those of events that are not over; then they are revealed in the table of events.
    "secrets": """
        CREATE TABLE secrets (
            event INTEGER PRIMARY KEY REFERENCES events (id),
            secret TEXT NOT NULL
        ) STRICT
    """,
    "entrants": """
        CREATE TABLE entrants (
            event INTEGER NOT NULL REFERENCES events (id),
            number INTEGER NOT NULL,
            version INTEGER NOT NULL REFERENCES versions (id),
            suspended TEXT,
            PRIMARY KEY (event, number),
            UNIQUE (event, version)
        ) STRICT, WITHOUT ROWID
    """,
    "rounds": """
        CREATE TABLE rounds (
            event INTEGER NOT NULL REFERENCES events (id),
            number INTEGER NOT NULL,
            paired TEXT NOT NULL,
            PRIMARY KEY (event, number)
        ) STRICT, WITHOUT ROWID
    """,
    "pairings": """
        CREATE TABLE pairings (
            event INTEGER NOT NULL REFERENCES events (id),
            number INTEGER NOT NULL,
            round INTEGER NOT NULL,
            PRIMARY KEY (event, number),
            FOREIGN KEY (event, round) REFERENCES rounds (event, number)
        ) STRICT, WITHOUT ROWID
    """,
    "pairing_seats": """
        CREATE TABLE pairing_seats (
            event INTEGER NOT NULL REFERENCES events (id),
            pairing INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            version INTEGER NOT NULL REFERENCES versions (id),
            PRIMARY KEY (event, pairing, seat),
            FOREIGN KEY (event, pairing) REFERENCES pairings (event, number)
        ) STRICT, WITHOUT ROWID
    """,
    "byes": """
        CREATE TABLE byes (
            event INTEGER NOT NULL REFERENCES events (id),
            round INTEGER NOT NULL,
            version INTEGER NOT NULL REFERENCES versions (id),
            PRIMARY KEY (event, round, version),
            FOREIGN KEY (event, round) REFERENCES rounds (event, number)
        ) STRICT, WITHOUT ROWID
    """,
    "matches": """
        CREATE TABLE matches (
            id INTEGER PRIMARY KEY,
            event INTEGER NOT NULL REFERENCES events (id),
            number INTEGER NOT NULL,
            pairing INTEGER NOT NULL,
            deal INTEGER NOT NULL,
            rotation INTEGER NOT NULL,
            seed TEXT NOT NULL,
            ending TEXT NOT NULL,
            decisions INTEGER NOT NULL,
            time_ms INTEGER NOT NULL,
            cage TEXT NOT NULL,
            rated INTEGER NOT NULL CHECK (rated IN (0, 1)),
            rating_order INTEGER UNIQUE,
            UNIQUE (event, number),
            FOREIGN KEY (event, pairing) REFERENCES pairings (event, number)
        ) STRICT
    """,
    "seats": """
        CREATE TABLE seats (
            match INTEGER NOT NULL REFERENCES matches (id),
            seat INTEGER NOT NULL,
            version INTEGER NOT NULL REFERENCES versions (id),
            place INTEGER NOT NULL,
            score INTEGER NOT NULL,
            points REAL NOT NULL,
            ending TEXT NOT NULL,
            breaks INTEGER NOT NULL,
            PRIMARY KEY (match, seat)
        ) STRICT, WITHOUT ROWID
    """,
    "faults": """
        CREATE TABLE faults (
            match INTEGER NOT NULL REFERENCES matches (id),
            seat INTEGER NOT NULL,
            sentence TEXT NOT NULL,
            printed TEXT NOT NULL,
            PRIMARY KEY (match, seat),
            FOREIGN KEY (match, seat) REFERENCES seats (match, seat)
        ) STRICT
    """,
    "replays": """
        CREATE TABLE replays (
            match INTEGER PRIMARY KEY REFERENCES matches (id),
            content BLOB NOT NULL
        ) STRICT
    """,
    "ratings": """
        CREATE TABLE ratings (
            variant INTEGER NOT NULL REFERENCES variants (id),
            version INTEGER NOT NULL REFERENCES versions (id),
            mu REAL NOT NULL,
            sigma REAL NOT NULL,
            matches INTEGER NOT NULL,
            wins INTEGER NOT NULL,
            place_sum INTEGER NOT NULL,
            faults INTEGER NOT NULL,
            changed TEXT NOT NULL,
            PRIMARY KEY (variant, version)
        ) STRICT, WITHOUT ROWID
    """,
    "rating_history": """
        CREATE TABLE rating_history (
            variant INTEGER NOT NULL REFERENCES variants (id),
            version INTEGER NOT NULL REFERENCES versions (id),
            number INTEGER NOT NULL,
            match INTEGER NOT NULL REFERENCES matches (id),
            mu REAL NOT NULL,
            sigma REAL NOT NULL,
            PRIMARY KEY (variant, version, number)
        ) STRICT, WITHOUT ROWID
    """,
    # Each pair once, the one that was submitted earlier first.
    "meetings": """
        CREATE TABLE meetings (
            variant INTEGER NOT NULL REFERENCES variants (id),
            version INTEGER NOT NULL REFERENCES versions (id),
            opponent INTEGER NOT NULL REFERENCES versions (id),
            ahead INTEGER NOT NULL,
            tied INTEGER NOT NULL,
            behind INTEGER NOT NULL,
            PRIMARY KEY (variant, version, opponent),
            CHECK (version < opponent)
        ) STRICT, WITHOUT ROWID
    """,
}
"""The statements that make the tables, in an order in which they can be made."""
