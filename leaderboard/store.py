"""Open, read and write the league's file.

`Store.open` returns a reader, and `writing` the only writer. The functions of the other modules
take a `Reader`, or a `Writer` if they write, so the type checker ensures that nothing is written
without the lock. The exception is a `BotsWriter`: bots are submitted and retired while an event
holds the lock. What a transaction writes is noted in the journal.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, Self

from arena.errors import BadInput, BadLeague, LeagueInUse, LeagueMoved
from leaderboard.file.journal import Change, Removal, append, update
from leaderboard.file.opening import (
    connect_to_read,
    connect_to_write,
    explain_errors,
    is_empty,
)
from leaderboard.file.writer_lock import WriterLock


class Reader:
    """A connection to the league's file."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use a connection; the caller closes it."""
        self.path = path
        self._connection = connection

    def rows(
        self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query; Any, because the types are those of its columns."""
        with explain_errors(self.path):
            # Through `chain`: a caller may abandon a query and close the file, and after that the
            # cursor itself cannot be closed.
            yield from chain(self._connection.execute(sql, values))

    def records(self, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Return the rows of a query that a user wrote, by the names of their columns."""
        with explain_errors(self.path):
            try:
                cursor = self._connection.execute(sql, values)
            except sqlite3.OperationalError as error:
                raise BadInput(f"the query is wrong: {error}") from None
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def row(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""
        return next(self.rows(sql, values), None)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one state of the file within the block, whatever is written meanwhile."""
        with explain_errors(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()


class BotsWriter(Reader):
    """A connection that writes bots and their versions, each change in one transaction.

    It may be used beside a running event: SQLite lets one transaction wait for the other, and an
    event keeps nothing in memory that follows from bots. Strengths are written with both.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: WriterLock) -> None:
        """Use a connection; the caller closes it, and the lock after it."""
        super().__init__(path, connection)
        self._lock = lock
        self._moved: LeagueMoved | None = None
        self._changes: list[Change | Removal] = []

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the block, or roll it back if it raises."""
        with explain_errors(self.path):
            self.check_place()
            self._connection.execute("BEGIN IMMEDIATE")
            self._changes = []
            try:
                yield
                if self._changes:
                    append(self._connection, self._changes)
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise

    def check_place(self) -> None:
        """Raise `LeagueMoved` if the file is no longer at its path, and save what was stored."""
        if self._moved is None and not self._lock.is_in_place():
            self._moved = self._save_moved()
            # From now on, users are told where it is.
            self.path = self._moved.path
        if self._moved:
            raise self._moved

    def _save_moved(self) -> LeagueMoved:
        """Complete the file, wherever it is, and say where that is."""
        path = self.path
        # The log stays where the file was, so that its content would be missing from the file.
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if place := self._lock.place():
            if not path.exists():
                for log in (f"{path}-wal", f"{path}-shm"):
                    Path(log).unlink(missing_ok=True)
            return LeagueMoved(f"{path} was moved to {place} while it was written", place)
        if not self._lock.is_deleted():
            sentence = "its file system was unmounted, and has all that was stored; mount it again"
            return LeagueMoved(f"{path} cannot be reached any more: {sentence}", path)
        names = (path.with_name(f"{path.name}-saved{number}") for number in ("", *range(2, 99)))
        saved = next(name for name in names if not name.exists())
        with closing(sqlite3.connect(saved)) as copy:
            self._connection.backup(copy)
        return LeagueMoved(
            f"{path} was deleted or replaced while it was written; what was stored is in {saved}",
            saved,
        )

    def note(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Add rows to the journal's entry for this transaction; see `leaderboard.file.journal`."""
        if rows:
            self._changes.append(Change(table, columns, rows))

    def note_removed(self, table: str, keys: Sequence[Sequence[Any]]) -> None:
        """Add the keys of removed rows to the journal's entry for this transaction."""
        if keys:
            self._changes.append(Removal(table, keys))

    def write(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Execute a statement within a transaction."""
        self._connection.execute(sql, values)

    def write_many(self, sql: str, rows: Iterator[Sequence[Any]] | Sequence[Sequence[Any]]) -> None:
        """Execute a statement for each row, within a transaction."""
        self._connection.executemany(sql, rows)


class Writer(BotsWriter):
    """The only connection that may write everything, while the lock is held."""


class Store(Reader):
    """A league's file, open for reading."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: WriterLock) -> None:
        """Use a connection and a lock that `open` made."""
        super().__init__(path, connection)
        self._lock = lock

    @classmethod
    def open(cls, path: Path, *, create: bool = False) -> Self:
        """Open a league; with `create`, a missing or empty file becomes one."""
        lock = WriterLock(path, create=create)
        try:
            if is_empty(path, lock):
                if not create:
                    raise BadLeague(f"{path} is not a league: it is empty")
                _create_tables(path, lock)
            return cls(path, connect_to_read(path), lock)
        except BaseException:
            lock.close()
            raise

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Hold the lock and yield the writer; raise `LeagueInUse` if it is taken."""
        with self._lock.held(), closing(connect_to_write(self.path)) as connection:
            writer = Writer(self.path, connection, self._lock)
            _interrupt_events(writer)
            yield writer
            writer.check_place()

    @contextmanager
    def writing_bots(self) -> Iterator[BotsWriter]:
        """Yield a writer of bots; it does not wait for the end of a running event."""
        with ExitStack() as stack:
            writer: BotsWriter
            try:
                writer = stack.enter_context(self.writing())
            except LeagueInUse:
                connection = stack.enter_context(closing(connect_to_write(self.path)))
                writer = BotsWriter(self.path, connection, self._lock)
            yield writer

    def close(self) -> None:
        """Close the file."""
        # In this order: closing the lock's descriptor first would drop the connection's locks.
        self._connection.close()
        self._lock.close()

    def __enter__(self) -> Self:
        """Close the file at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()


def _interrupt_events(writer: Writer) -> None:
    """Mark running events as interrupted: the lock was free, so their processes have ended."""
    with writer.transaction():
        for (event,) in list(writer.rows("SELECT id FROM events WHERE status = 'running'")):
            update(writer, "events", {"id": event}, {"status": "interrupted"})


def timestamp(moment: datetime) -> str:
    """Format a moment as the file stores it: UTC, to the second."""
    return moment.astimezone(UTC).isoformat(" ", "seconds").removesuffix("+00:00")


def moment(text: str) -> datetime:
    """Return the moment that `timestamp` formatted."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _create_tables(path: Path, lock: WriterLock) -> None:
    # Imported late: it takes a tenth of a second, and few files are new.
    from leaderboard.file.migrations import migrate

    # Check again: another process may have created them before this one had the lock.
    with lock.held():
        if is_empty(path, lock):
            with closing(connect_to_write(path)) as connection, explain_errors(path):
                migrate(connection)


def where(column: str, value: str | None) -> tuple[str, list[str]]:
    """Return a WHERE clause for a value of a column; an empty one for None."""
    return ("", []) if value is None else (f"WHERE {column} = ?", [value])
