"""May a file be opened as a league, and how?

What is in the way becomes a sentence. A file is looked at before anything could change it: one of
another program, or of a newer arena, is refused as it is.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from arena.errors import ArenaError, BadLeague, LeagueInUse, LeagueNotWritten
from leaderboard.lock import Grip
from leaderboard.schema import APPLICATION_ID, TABLES, VERSION
from leaderboard.structure import foreign_part
from leaderboard.views import VIEWS

PATIENCE_S = 5.0
"""How long another program's transaction is waited for."""
_MAGIC = b"SQLite format 3\0"
_NO_LOG = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""What SQLite says of a file in WAL mode whose log can be neither found nor made."""


class Condition(Enum):
    """In which state a file of ours is."""

    EMPTY = "empty"
    OLD = "old"
    READY = "ready"


@contextmanager
def speaking_of(path: Path) -> Iterator[None]:
    """Turn what SQLite finds wrong with a file into a sentence about it."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise  # a mistake of ours, not the file's
    except sqlite3.DatabaseError as error:
        raise _explained(path, error) from error


def _explained(path: Path, error: sqlite3.DatabaseError) -> ArenaError:
    # Where Python itself is at a loss, with text that is not UTF-8, there is no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LeagueInUse(f"{path} is locked by another program: let it finish, and try again")
        case sqlite3.SQLITE_FULL:
            return LeagueNotWritten(f"{path} cannot be written: the disk is full")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return LeagueNotWritten(f"{path} cannot be written: it or its folder is read-only")
        case sqlite3.SQLITE_IOERR:
            return LeagueNotWritten(f"{path} cannot be written or read: {error}; is the disk full?")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return BadLeague(f"{path} is damaged ({error}): go back to a copy of it")
    return BadLeague(f"{path} cannot be used: {error}")


def condition_of(path: Path, grip: Grip) -> Condition:
    """Look at a file without changing it; refuse what is not a league of ours."""
    head = grip.start(100)
    if not head:
        return Condition.EMPTY
    if not head.startswith(_MAGIC):
        raise BadLeague(f"{path} is not a league: it is not an SQLite file")
    # Decided by the bytes alone where that is possible: merely opening a file in WAL mode would
    # put files beside it. A league that was being made when its process died is a single page.
    if int.from_bytes(head[68:72]) != APPLICATION_ID and grip.size() > _page_bytes(head):
        raise _foreign(path)
    connection = connect_to_read(path)
    try:
        with speaking_of(path):
            return _condition(path, connection)
    finally:
        connection.close()


def _condition(path: Path, connection: sqlite3.Connection) -> Condition:
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    if not names:
        return Condition.EMPTY
    if mark != APPLICATION_ID:
        raise _foreign(path)
    if version > VERSION:
        raise BadLeague(
            f"{path} is of a newer arena (version {version} of the file, this one knows "
            f"{VERSION}): use that one"
        )
    foreign = foreign_part(connection, current=version == VERSION)
    if foreign:
        raise BadLeague(
            f"{path} is not opened: no arena has made its {foreign}, and it could do something by "
            "itself. Remove it if you know what it is"
        )
    if version < VERSION:
        return Condition.OLD
    missing = sorted({*TABLES, *VIEWS} - names)
    if missing:
        raise BadLeague(f"{path} is damaged (without {missing[0]}): go back to a copy of it")
    return Condition.READY


def _foreign(path: Path) -> BadLeague:
    return BadLeague(f"{path} is not a league: it is the SQLite file of another program")


def _page_bytes(head: bytes) -> int:
    size = int.from_bytes(head[16:18])
    return 65536 if size == 1 else size


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a connection that cannot write.

    It works while somebody else writes, and on a read-only file or folder. In a read-only folder
    SQLite cannot make the shared memory by which readers see what is not yet in the file proper;
    where there is no log, nothing can be missed without it.
    """
    with speaking_of(path):
        connection = _connect(path, "mode=rw")
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode & 0xFF not in _NO_LOG:
                raise
            # Beside the file itself, of which this may be a link.
            log = Path(f"{path.resolve()}-wal")
            if log.exists() and log.stat().st_size:
                raise BadLeague(
                    f"{path} has changes in {log.name} that cannot be read in a read-only folder: "
                    "copy both files to a folder of your own"
                ) from None
            connection = _connect(path, "mode=ro&immutable=1")
        except sqlite3.DatabaseError:
            connection.close()
            raise
    return connection


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Open a connection that may write; the caller holds the lock."""
    with speaking_of(path):
        connection = _connect(path, "mode=rw")
        connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # Transactions are begun and ended in so many words; the module would begin some by itself.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=PATIENCE_S, isolation_level=None
    )
    # The file may be anybody's: what SQLite recommends for those, before anything is read of it.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)
    return connection
