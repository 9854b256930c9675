"""Open a file as a league, or explain why it cannot be opened.

A file is inspected before anything can change it: a file of another program or of another version
of the arena is refused and stays as it is.

A league may come from anyone, and an SQLite file can hold more than rows: triggers, and views,
indices, checks and generated columns that compute something when they are read. So a file is
accepted only if every statement in its schema is one of ours.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from arena.errors import ArenaError, BadLeague, LeagueInUse, LeagueNotWritten
from leaderboard.file.schema import APPLICATION_ID, MIGRATIONS, MIGRATIONS_TABLE, TABLES
from leaderboard.file.views import VIEWS
from leaderboard.file.writer_lock import WriterLock

BUSY_TIMEOUT_S = 5.0
"""How long to wait for the transaction of another program."""
_MAGIC = b"SQLite format 3\0"
_LOG_UNREACHABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""SQLite's errors for a file in WAL mode whose log can be neither found nor created."""
_TOKEN = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|\[[^\]]*\]|`[^`]*`|\w+|[^\s\w]""")
_MIGRATIONS_FORM = re.compile(
    rf"CREATE TABLE {MIGRATIONS_TABLE} \( (?:(?:\w+|PRIMARY KEY \( [\w ,]+ \))"
    r"(?: (?:INTEGER|TEXT|PRIMARY KEY|NOT NULL))*(?: , | \)))+"
)
_MIGRATIONS_INDEX = re.compile(rf"CREATE (?:UNIQUE )?INDEX \w+ ON {MIGRATIONS_TABLE} \( [\w ,]+ \)")
_STATISTICS = re.compile(r"CREATE TABLE sqlite_stat[14] \( [\w ,]+ \)")
"""The tables that ANALYZE creates."""


@contextmanager
def explain_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into errors that name the file and the remedy."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise  # a bug in the arena, not a fault of the file
    except sqlite3.DatabaseError as error:
        raise _error_about(path, error) from error
    except UnicodeDecodeError as error:
        # SQLite quotes a damaged statement in its message, which Python cannot read then.
        raise BadLeague(f"{path} is damaged (unreadable text): restore it from a backup") from error


def _error_about(path: Path, error: sqlite3.DatabaseError) -> ArenaError:
    # Errors of the sqlite3 module itself, as for text that is not UTF-8, have no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LeagueInUse(
                f"{path} is locked by another program: wait until it is done, and try again"
            )
        case sqlite3.SQLITE_FULL:
            return LeagueNotWritten(f"{path} cannot be written: the disk is full")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return LeagueNotWritten(f"{path} cannot be written: it or its folder is read-only")
        case sqlite3.SQLITE_IOERR:
            return LeagueNotWritten(f"{path} cannot be written or read: {error}; is the disk full?")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return BadLeague(f"{path} is damaged ({error}): restore it from a backup")
    return BadLeague(f"{path} cannot be used: {error}")


def is_empty(path: Path, lock: WriterLock) -> bool:
    """Inspect a file without changing it; raise `BadLeague` if it is neither empty nor a league."""
    head = lock.read_start(100)
    if not head:
        return True
    if not head.startswith(_MAGIC):
        raise BadLeague(f"{path} is not a league: it is not an SQLite file")
    # Decide by the bytes alone if possible: just opening a file in WAL mode creates files beside
    # it. A league whose process died while creating it is a single page.
    if int.from_bytes(head[68:72]) != APPLICATION_ID and lock.size() > _page_bytes(head):
        raise _foreign_file(path)
    with closing(connect_to_read(path)) as connection, explain_errors(path):
        return _has_no_tables(path, connection)


def _has_no_tables(path: Path, connection: sqlite3.Connection) -> bool:
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    if not names:
        return True
    if mark != APPLICATION_ID:
        raise _foreign_file(path)
    applied = applied_migrations(connection)
    unknown = applied.difference(MIGRATIONS)
    if unknown:
        raise BadLeague(
            f"{path} was written by another version of the arena (this one does not know its "
            f"migration {min(unknown)!r}): use that one"
        )
    foreign = first_foreign_object(connection)
    if foreign:
        raise BadLeague(
            f"{path} is not opened: no arena creates its {foreign}, which could run its own "
            "code. Remove it if you know what it is"
        )
    if not applied:
        raise BadLeague(f"{path} is damaged (without its migrations): restore it from a backup")
    missing = sorted({*TABLES, *VIEWS} - names)
    if missing:
        raise BadLeague(f"{path} is damaged (without {missing[0]}): restore it from a backup")
    return False


def _foreign_file(path: Path) -> BadLeague:
    return BadLeague(f"{path} is not a league: it is the SQLite file of another program")


def _page_bytes(head: bytes) -> int:
    size = int.from_bytes(head[16:18])
    return 65536 if size == 1 else size


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a connection that cannot write.

    It works during a write by another process, and on a read-only file or folder. In a read-only
    folder SQLite cannot create the shared memory through which readers see the log; without a log,
    they need none.
    """
    with explain_errors(path):
        connection = _connect(path, "mode=rw")
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode & 0xFF not in _LOG_UNREACHABLE:
                raise
            # The log is beside the file itself, and the path may be a link.
            log = Path(f"{path.resolve()}-wal")
            if log.exists() and log.stat().st_size:
                raise BadLeague(
                    f"{path} has changes in {log.name} that cannot be read in a read-only folder: "
                    "copy both files to a writable folder"
                ) from None
            connection = _connect(path, "mode=ro&immutable=1")
        except sqlite3.DatabaseError:
            connection.close()
            raise
    return connection


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Open a connection that may write; the caller holds the lock, or writes only bots."""
    with explain_errors(path):
        connection = _connect(path, "mode=rw")
        connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # Without an isolation level, the module begins no transactions implicitly.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None
    )
    # SQLite recommends these settings for untrusted files, before anything is read.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)
    return connection


def applied_migrations(connection: sqlite3.Connection) -> set[str]:
    """Return the migrations applied to a file; none if their table is missing or not ours."""
    row = connection.execute(
        "SELECT type, sql FROM sqlite_schema WHERE name = ?", [MIGRATIONS_TABLE]
    ).fetchone()
    if not row or not _is_auxiliary(row[0], MIGRATIONS_TABLE, row[1]):
        return set()
    rows = connection.execute(f"SELECT name FROM {MIGRATIONS_TABLE} WHERE migration_set = 'league'")
    return {name for (name,) in rows}


def first_foreign_object(connection: sqlite3.Connection) -> str | None:
    """Return the first object in a file that no arena creates; None if there is none."""
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema"):
        if not _is_ours(kind, name, sql):
            return f"{kind} {name}"
    return None


def _is_ours(kind: object, name: object, sql: object) -> bool:
    """Whether this arena creates an object by this statement."""
    if not isinstance(name, str) or _is_auxiliary(kind, name, sql):
        return isinstance(name, str)
    statement = {"table": TABLES, "view": VIEWS}.get(str(kind), {}).get(name)
    return statement is not None and isinstance(sql, str) and _tokens(sql) == _tokens(statement)


def _is_auxiliary(kind: object, name: str, sql: object) -> bool:
    """Whether SQLite or sqlite-utils creates an object for its own use."""
    if kind == "index" and sql is None:
        # The index of a UNIQUE or PRIMARY KEY: SQLite itself checks that there is one.
        return name.startswith("sqlite_autoindex_")
    if not isinstance(sql, str):
        return False
    written = " ".join(_tokens(sql))
    if kind == "table":
        pattern = _MIGRATIONS_FORM if name == MIGRATIONS_TABLE else _STATISTICS
        return pattern.fullmatch(written) is not None
    return kind == "index" and _MIGRATIONS_INDEX.fullmatch(written) is not None


def _tokens(sql: str) -> list[str]:
    """Split a statement into words and signs, ignoring spaces and quotes."""
    return [_unquoted(token) for token in _TOKEN.findall(sql)]


def _unquoted(token: str) -> str:
    inner = token[1:-1]
    return inner if token[0] in '"[`' and inner.isidentifier() else token
