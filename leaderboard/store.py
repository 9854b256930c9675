"""How is the league's file opened, read and written?

`Store.open` gives a reader, `writing` the one writer that there may be. What can be asked and
changed is in the modules beside: their functions take a `Reader`, or a `Writer` where they write,
so the type checker sees to it that nothing is written without the lock.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arena.errors import BadLeague
from leaderboard.file import (
    Condition,
    condition_of,
    connect_to_read,
    connect_to_write,
    speaking_of,
)
from leaderboard.lock import Grip


class Reader:
    """A connection to the league's file."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Take a connection that somebody else closes."""
        self.path = path
        self._connection = connection

    def rows(
        self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query; the types are those of its columns, hence Any."""
        with speaking_of(self.path):
            # By way of `chain`, because who leaves a query in the middle may close the file first,
            # and the query itself cannot be closed after that.
            yield from chain(self._connection.execute(sql, values))

    def row(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""
        return next(self.rows(sql, values), None)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """See the file as it is now until the end of the block, whatever is written meanwhile."""
        with speaking_of(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()


class Writer(Reader):
    """The only connection that may write, for as long as the lock is held."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all of the block or, if anything goes wrong, nothing."""
        with speaking_of(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise

    def write(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Execute one statement within a transaction; return the id of the row it inserted."""
        return self._connection.execute(sql, values).lastrowid or 0

    def write_many(self, sql: str, rows: Iterator[Sequence[Any]] | Sequence[Sequence[Any]]) -> None:
        """Execute a statement for each row, within a transaction."""
        self._connection.executemany(sql, rows)


class Store(Reader):
    """A league's file, open to be read."""

    def __init__(self, path: Path, connection: sqlite3.Connection, grip: Grip) -> None:
        """Take what `open` has opened."""
        super().__init__(path, connection)
        self._grip = grip

    @classmethod
    def open(cls, path: Path, *, create: bool = False) -> Self:
        """Open a league, bringing it up to date if an older arena wrote it.

        With `create`, one that is not there is started.
        """
        grip = Grip(path, create=create)
        try:
            condition = condition_of(path, grip)
            if condition is Condition.EMPTY and not create:
                raise BadLeague(f"{path} is not a league: it is empty")
            if condition is not Condition.READY:
                _bring_up_to_date(path, grip)
            return cls(path, connect_to_read(path), grip)
        except BaseException:
            grip.close()
            raise

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Be the one writer until the end of the block; refused at once if there is another."""
        self._grip.lock()
        try:
            connection = connect_to_write(self.path)
            try:
                writer = Writer(self.path, connection)
                with writer.transaction():
                    # The lock was free: whoever ran these events is gone.
                    writer.write(
                        "UPDATE events SET status = 'interrupted' WHERE status = 'running'"
                    )
                yield writer
            finally:
                connection.close()
        finally:
            self._grip.unlock()

    def close(self) -> None:
        """Close the file."""
        # In this order: closing the grip's descriptor would cost the connection its locks.
        self._connection.close()
        self._grip.close()

    def __enter__(self) -> Self:
        """Close at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()


def timestamp(moment: datetime) -> str:
    """Write a moment as the file keeps it: in UTC, to the second."""
    return moment.astimezone(UTC).isoformat(" ", "seconds").removesuffix("+00:00")


def _bring_up_to_date(path: Path, grip: Grip) -> None:
    # Imported late: it takes a tenth of a second, and a leaderboard is to be there at once.
    from leaderboard.migrations import bring_up_to_date

    grip.lock()
    try:
        # Looked at once more: another process may have done it between the look and the lock.
        if condition_of(path, grip) is not Condition.READY:
            connection = connect_to_write(path)
            try:
                with speaking_of(path):
                    bring_up_to_date(connection)
            finally:
                connection.close()
    finally:
        grip.unlock()
