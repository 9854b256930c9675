"""The tables of the league's file.

README.md says what the columns mean. After the first release, a change of the tables needs a
migration.
"""

from __future__ import annotations

APPLICATION_ID = 0x4152454E
"""Marks an SQLite file as a league: "AREN" in ASCII."""
MIGRATIONS_TABLE = "_sqlite_migrations"
"""The table in which sqlite-utils records the migrations of a file."""
MIGRATIONS = ("0.1",)
"""The names of all migrations, in order; those applied to a file are its version.

The names are here, and the steps in migrations.py, so that a file can be read without importing
sqlite-utils.
"""

TABLES = {
    "bots": """
        CREATE TABLE bots (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) STRICT
    """,
    # The package is last, so that SQLite can read the other columns without it.
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
    "tie_rates": """
        CREATE TABLE tie_rates (
            variant INTEGER NOT NULL REFERENCES variants (id),
            seats INTEGER NOT NULL,
            rate REAL NOT NULL CHECK (rate > 0 AND rate < 1),
            PRIMARY KEY (variant, seats)
        ) STRICT, WITHOUT ROWID
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
            stopped TEXT,
            rated_up_to INTEGER NOT NULL DEFAULT 0
        ) STRICT
    """,
    # Secrets of events that are not over; later they are in the table of events.
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
    # Endings are checked against the usual one first: SQLite builds the list again for every row.
    "matches": """
        CREATE TABLE matches (
            id INTEGER PRIMARY KEY,
            event INTEGER NOT NULL REFERENCES events (id),
            number INTEGER NOT NULL,
            pairing INTEGER NOT NULL,
            deal INTEGER NOT NULL,
            rotation INTEGER NOT NULL,
            seed TEXT NOT NULL,
            ending TEXT NOT NULL CHECK (
                ending = 'played_out' OR ending IN ('length_cap', 'forfeit')
            ),
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
            ending TEXT NOT NULL CHECK (
                ending = 'played' OR ending IN (
                    'illegal_action', 'overrun', 'crashed', 'hung_up', 'nonsense', 'no_hello',
                    'wrong_version', 'over_limit', 'forfeit'
                )
            ),
            breaks INTEGER NOT NULL,
            team INTEGER,
            answers INTEGER,
            time_us INTEGER,
            slowest_us INTEGER,
            cpu_us INTEGER,
            memory_kib INTEGER,
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
    # Each pair once, the version that was submitted earlier first.
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
    # The sums over the deals of each table, in half points; all numbers are whole.
    "deal_sums": """
        CREATE TABLE deal_sums (
            variant INTEGER NOT NULL REFERENCES variants (id),
            pairs TEXT NOT NULL,
            deals INTEGER NOT NULL,
            scores TEXT NOT NULL,
            products TEXT NOT NULL,
            PRIMARY KEY (variant, pairs)
        ) STRICT, WITHOUT ROWID
    """,
    "summed_events": """
        CREATE TABLE summed_events (
            event INTEGER PRIMARY KEY REFERENCES events (id),
            summed_up_to INTEGER NOT NULL
        ) STRICT
    """,
    "strengths": """
        CREATE TABLE strengths (
            variant INTEGER NOT NULL REFERENCES variants (id),
            version INTEGER NOT NULL REFERENCES versions (id),
            strength REAL NOT NULL,
            low REAL,
            high REAL,
            degrees REAL NOT NULL,
            group_number INTEGER NOT NULL,
            rank INTEGER,
            best_rank INTEGER,
            worst_rank INTEGER,
            chance_first REAL,
            chance_next REAL,
            PRIMARY KEY (variant, version)
        ) STRICT, WITHOUT ROWID
    """,
    # Machines of clusters; one whose speed has changed is another row.
    "machines": """
        CREATE TABLE machines (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            speed REAL NOT NULL,
            UNIQUE (name, speed)
        ) STRICT
    """,
    "match_machines": """
        CREATE TABLE match_machines (
            match INTEGER PRIMARY KEY REFERENCES matches (id),
            machine INTEGER NOT NULL REFERENCES machines (id)
        ) STRICT
    """,
    # What language models asked of their services.
    "model_use": """
        CREATE TABLE model_use (
            match INTEGER NOT NULL REFERENCES matches (id),
            seat INTEGER NOT NULL,
            requests INTEGER NOT NULL,
            rethinks INTEGER NOT NULL,
            retries INTEGER NOT NULL,
            tokens_in INTEGER NOT NULL,
            tokens_out INTEGER NOT NULL,
            cost_micros INTEGER NOT NULL,
            PRIMARY KEY (match, seat),
            FOREIGN KEY (match, seat) REFERENCES seats (match, seat)
        ) STRICT, WITHOUT ROWID
    """,
    # People who submit to a league that is served; see arena/serve.
    "authors": """
        CREATE TABLE authors (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            role TEXT NOT NULL CHECK (role IN ('author', 'organiser')),
            added TEXT NOT NULL,
            revoked TEXT
        ) STRICT
    """,
    # Only hashes: whoever reads the file can submit for nobody.
    "tokens": """
        CREATE TABLE tokens (
            id INTEGER PRIMARY KEY,
            author INTEGER NOT NULL REFERENCES authors (id),
            hash TEXT NOT NULL,
            made TEXT NOT NULL,
            expires TEXT,
            revoked TEXT
        ) STRICT
    """,
    "invitations": """
        CREATE TABLE invitations (
            id INTEGER PRIMARY KEY,
            hash TEXT NOT NULL,
            made TEXT NOT NULL,
            expires TEXT NOT NULL,
            author INTEGER REFERENCES authors (id)
        ) STRICT
    """,
    "owners": """
        CREATE TABLE owners (
            bot INTEGER PRIMARY KEY REFERENCES bots (id),
            author INTEGER NOT NULL REFERENCES authors (id)
        ) STRICT
    """,
    # The package is last, and removed once it is a version or refused.
    "uploads": """
        CREATE TABLE uploads (
            id INTEGER PRIMARY KEY,
            author INTEGER NOT NULL REFERENCES authors (id),
            bot TEXT NOT NULL,
            hash TEXT NOT NULL,
            received TEXT NOT NULL,
            status TEXT NOT NULL CHECK (
                status IN ('queued', 'waiting', 'accepted', 'unchanged', 'refused')
            ),
            ended TEXT,
            sentence TEXT NOT NULL,
            steps TEXT NOT NULL,
            cpu_ms INTEGER NOT NULL,
            version INTEGER REFERENCES versions (id),
            package BLOB
        ) STRICT
    """,
    "seasons": """
        CREATE TABLE seasons (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            opened TEXT NOT NULL,
            next TEXT,
            closed TEXT,
            board TEXT
        ) STRICT
    """,
    # One entry for each transaction; journal.py says what is in it.
    "journal": """
        CREATE TABLE journal (
            id INTEGER PRIMARY KEY,
            content TEXT NOT NULL,
            hash TEXT NOT NULL
        ) STRICT
    """,
}
"""The statements that create the tables, in an order that satisfies their references."""
