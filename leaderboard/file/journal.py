"""The journal: what was written to the league's file, in entries that are chained by hashes.

Every transaction adds one entry, with the rows that it wrote or removed: their keys and the columns
that cannot be computed from others. Long texts and bytes are replaced by a digest; a match is one
digest over its row, its seats and its faults. An entry's hash is the SHA-256 of the hash before it
and its content, so the last hash stands for everything that was ever written.

The chain has no secret: whoever can write the file can write another chain. It shows a change to
anyone who knows an earlier hash.

`COVERAGE` says for every column of the file how `arena verify` notices a change. What follows from
other data is computed again; everything else is in the journal, also a new column.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from leaderboard.file.schema import MIGRATIONS_TABLE, TABLES

if TYPE_CHECKING:
    from leaderboard.store import BotsWriter, Reader

RESULT = "result"
"""The digest of a match; no column of the file."""
START = ""
"""The hash before the first entry."""
_LONG = 100
"""Longer texts are replaced by their digest."""
_Row = Sequence[Any]
"""Any, because the types are those of its columns."""
# Only a damaged file has bytes where a digest expects text or a number.
_encode = json.JSONEncoder(
    separators=(",", ":"), default=lambda value: {"bytes": value.hex()}
).encode


class Change(NamedTuple):
    """Rows of one table that were added or changed."""

    table: str
    columns: Sequence[str]
    """The key first."""
    rows: Sequence[_Row]
    """As `portable` returns their values."""


class Removal(NamedTuple):
    """Rows of one table that were removed."""

    table: str
    removed: Sequence[_Row]
    """Their keys."""


class Head(NamedTuple):
    """The end of the journal."""

    entries: int
    hash: str
    """Of the last entry; it stands for all of them."""

    def __str__(self) -> str:
        """Return it as it is published and compared."""
        count = f"{self.entries} {'entry' if self.entries == 1 else 'entries'}"
        return f"{count}, hash {self.hash or 'none'}"


def head_of(reader: Reader) -> Head:
    """Return the end of the journal."""
    return _head(reader.rows)


def _head(rows: Callable[[str], Iterable[_Row]]) -> Head:
    found = next(iter(rows("SELECT id, hash FROM journal ORDER BY id DESC LIMIT 1")), None)
    return Head(*found) if found else Head(0, START)


def append(connection: sqlite3.Connection, changes: Sequence[Change | Removal]) -> None:
    """Add an entry within the transaction that made these changes."""
    entries, previous = _head(connection.execute)
    content = _encode([change._asdict() for change in changes])
    entry = (entries + 1, content, entry_hash(previous, content))
    connection.execute("INSERT INTO journal VALUES (?, ?, ?)", entry)


def entry_hash(previous: str, content: str) -> str:
    """Return the hash of an entry."""
    return sha256((previous + content).encode()).hexdigest()


def portable(value: Any) -> Any:
    """Return a value as the journal has it: a long text or bytes as their digest."""
    if isinstance(value, bytes):
        return {"digest": digest(value)}
    if isinstance(value, str) and len(value) > _LONG:
        return {"digest": digest(value.encode())}
    return value


def digest(data: bytes) -> str:
    """Return 16 bytes of BLAKE2b, in hexadecimal."""
    return blake2b(data, digest_size=16).hexdigest()


def result_digest(match: _Row, seats: Sequence[_Row], faults: Sequence[_Row]) -> str:
    """Return the digest of a match: its row without `rating_order`, its seats and its faults."""
    return digest(_encode((match, seats, faults)).encode())


def insert(writer: BotsWriter, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that have the same columns, and note them in this transaction's entry."""
    if rows:
        names, marks = ", ".join(rows[0]), ", ".join("?" * len(rows[0]))
        sql = f"INSERT INTO {table} ({names}) VALUES ({marks})"
        writer.write_many(sql, [tuple(row.values()) for row in rows])
        columns = COVERAGE[table].columns
        writer.note(table, columns, [[portable(row.get(name)) for name in columns] for row in rows])


def update(
    writer: BotsWriter, table: str, key: Mapping[str, object], changes: Mapping[str, object]
) -> None:
    """Change the row that has this key, and note it in this transaction's entry."""
    changed = ", ".join(f"{column} = ?" for column in changes)
    condition = " AND ".join(f"{column} = ?" for column in key)
    sql = f"UPDATE {table} SET {changed} WHERE {condition}"
    writer.write(sql, [*changes.values(), *key.values()])
    record(writer, table, key)


def record(writer: BotsWriter, table: str, where: Mapping[str, object]) -> None:
    """Read rows that this transaction wrote, and add them to its entry in the journal."""
    columns = COVERAGE[table].columns
    condition = " AND ".join(f"{column} = ?" for column in where)
    rows = writer.rows(
        f"SELECT {', '.join(columns)} FROM {table} WHERE {condition}", [*where.values()]
    )
    writer.note(table, columns, [[portable(value) for value in row] for row in rows])


def remove(
    writer: BotsWriter, table: str, condition: str = "1", values: Sequence[Any] = ()
) -> None:
    """Delete rows, and note their keys in the journal's entry for this transaction."""
    key = ", ".join(COVERAGE[table].key)
    keys = list(writer.rows(f"SELECT {key} FROM {table} WHERE {condition}", values))
    writer.note_removed(table, keys)
    writer.write(f"DELETE FROM {table} WHERE {condition}", values)


class Coverage(NamedTuple):
    """How the columns of one table are covered."""

    key: tuple[str, ...]
    """The primary key: a row that was added, removed or given another key is noticed."""
    is_journalled: bool
    """Whether the journal lists the rows."""
    columns: tuple[str, ...]
    """The columns whose values are in the journal, the key first."""
    digested: tuple[str, ...]
    """Columns that are part of the digest of a match, which is in the journal."""
    computed: tuple[str, ...]
    """Columns that are computed again from others, and are not in the journal."""


_ALL = "*"
_COMPUTED = {
    "events": "rated_up_to",
    # Not in the journal, which may be published: the commitment is.
    "secrets": _ALL,
    "ratings": "mu sigma matches wins place_sum faults",
    **dict.fromkeys(("rating_history", "meetings", "deal_sums", "summed_events"), _ALL),
    **dict.fromkeys(("strengths", "journal"), _ALL),
}
_DIGESTED = {
    "matches": "event number pairing deal rotation seed ending decisions time_ms cage rated",
    **dict.fromkeys(("seats", "faults"), _ALL),
}


def _coverage(table: str, statement: str) -> Coverage:
    """Cover a table: what is neither computed nor digested is in the journal."""
    columns = re.findall(r"^ +(\w+) (?:INTEGER|TEXT|REAL|BLOB)", statement, re.MULTILINE)
    keys = re.search(r"(\w+) INTEGER PRIMARY KEY|PRIMARY KEY \(([\w, ]+)\)", statement)
    assert keys
    key = tuple((keys[1] or keys[2]).split(", "))
    rest = [column for column in columns if column not in key]

    def chosen(words: str) -> tuple[str, ...]:
        return tuple(rest if words == _ALL else words.split())

    computed, digested = chosen(_COMPUTED.get(table, "")), chosen(_DIGESTED.get(table, ""))
    listed = [column for column in rest if column not in {*computed, *digested}]
    return Coverage(key, bool(listed) or not rest, (*key, *listed), digested, computed)


COVERAGE = {table: _coverage(table, statement) for table, statement in TABLES.items()} | {
    MIGRATIONS_TABLE: Coverage(
        ("id",), True, ("id", "migration_set", "name", "applied_at"), (), ()
    ),
}
"""By table."""
