"""Check the league's file against its journal, and secrets against their commitments.

The chain of hashes is computed again. Then every row that the journal lists must be in the file as
it was written last, and no other row may be there. The secrets of events that are not over are not
in the journal, which may be published before: it has the commitments.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from arena.errors import BadLeague, BadSeed
from arena.secret import commitment_to, read_secret
from arena.tomlfile import short_repr
from arena.tournament.verification.differences import AT_MOST
from leaderboard.file.journal import COVERAGE, RESULT, START, entry_hash, portable, result_digest
from leaderboard.store import Reader

_Key = tuple[Any, ...]
"""Any, because the types are those of the columns."""
_Written = dict[str, dict[_Key, dict[str, Any]]]
"""By table and key: the columns as they were written last."""


def journal_differences(reader: Reader) -> list[str]:
    """Return a sentence for each difference between the journal and the file."""
    with reader.snapshot():
        return list(islice(_differences(reader), AT_MOST))


def _differences(reader: Reader) -> Iterator[str]:
    written: _Written = {table: {} for table in COVERAGE}
    yield from _read_chain(reader, written)
    for table, coverage in COVERAGE.items():
        if coverage.is_journalled:
            yield from _explain(table, _check_rows(reader, table, written[table]))
    yield from _explain("matches", _check_digests(reader, written["matches"]))


def _explain(table: str, differences: Iterator[str]) -> Iterator[str]:
    """Name the table whose rows cannot be read at all."""
    try:
        yield from differences
    except BadLeague as error:
        yield f"{table}: {error}"


def _read_chain(reader: Reader, written: _Written) -> Iterator[str]:
    """Collect what was written, and name the first entry that breaks the chain."""
    previous, expected, is_sound = START, 0, True
    try:
        for number, content, stored in reader.rows("SELECT * FROM journal ORDER BY id"):
            expected += 1
            computed = entry_hash(previous, content)
            previous = stored
            if is_sound and (number, stored) != (expected, computed):
                yield _describe_break(number, expected)
                is_sound = False
            if not _collect(content, written):
                yield f"journal, id {number}: content is unreadable: {short_repr(content)}"
    except BadLeague as error:
        yield f"journal, id {expected + 1}: {error}"


def _describe_break(number: int, expected: int) -> str:
    if number != expected:
        return f"journal, id {expected}: its row is missing; the next id is {number}"
    return f"journal, id {number}: content or hash was changed, or an entry before it is missing"


def _collect(content: str, written: _Written) -> bool:
    """Add the rows of an entry; return whether it could be read."""
    try:
        for change in json.loads(content):
            rows = written.get(change["table"])
            if rows is None:
                continue  # of a table that a later arena has dropped
            if "removed" in change:
                for key in change["removed"]:
                    rows.pop(tuple(key), None)
                continue
            columns = change["columns"]
            size = len(COVERAGE[change["table"]].key)
            for row in change["rows"]:
                values = dict(zip(columns[size:], row[size:], strict=True))
                rows.setdefault(tuple(row[:size]), {}).update(values)
    except (ValueError, TypeError, LookupError, RecursionError):
        return False
    return True


def _check_rows(reader: Reader, table: str, written: dict[_Key, dict[str, Any]]) -> Iterator[str]:
    coverage = COVERAGE[table]
    size = len(coverage.key)
    found: set[_Key] = set()
    for row in reader.rows(f"SELECT {', '.join(coverage.columns)} FROM {table}"):
        key = row[:size]
        found.add(key)
        if key not in written:
            yield f"{_name(table, key)}: its row is not in the journal"
            continue
        for column, value in zip(coverage.columns[size:], row[size:], strict=True):
            expected = written[key].get(column)
            if portable(value) != expected:
                stored, should = short_repr(value), _show(expected)
                yield f"{_name(table, key)}: {column} is {stored}, but the journal has {should}"
    for key in written.keys() - found:
        yield f"{_name(table, key)}: its row is missing, but it is in the journal"


def _check_digests(reader: Reader, written: dict[_Key, dict[str, Any]]) -> Iterator[str]:
    for match, digest in _stored_digests(reader):
        values = written.get((match,))
        if values is not None and values.get(RESULT) != digest:
            detail = _numbering(reader, match) or "the match, its seats or its faults were changed"
            yield f"matches, id {match}: {detail}: the journal has another digest"


def _stored_digests(reader: Reader) -> Iterator[tuple[int, str]]:
    """Yield the id and the digest of every match that is stored."""
    columns = {
        table: ", ".join((*COVERAGE[table].key, *COVERAGE[table].digested))
        for table in ("matches", "seats", "faults")
    }
    faulted = {match for (match,) in reader.rows("SELECT match FROM faults")}
    faults_of = f"SELECT {columns['faults']} FROM faults WHERE match = ? ORDER BY seat"
    seats = reader.rows(f"SELECT {columns['seats']} FROM seats ORDER BY match, seat")
    by_match = groupby(seats, key=itemgetter(0))
    seated, rows = next(by_match, (None, iter(())))
    for match in reader.rows(f"SELECT {columns['matches']} FROM matches ORDER BY id"):
        while seated is not None and seated < match[0]:
            seated, rows = next(by_match, (None, iter(())))
        own_seats = [row[1:] for row in rows] if seated == match[0] else []
        faults = reader.rows(faults_of, match[:1]) if match[0] in faulted else ()
        yield match[0], result_digest(match, own_seats, [row[1:] for row in faults])


def _numbering(reader: Reader, match: int) -> str | None:
    """Describe seats that are not numbered from 0."""
    sql = "SELECT seat FROM seats WHERE match = ? ORDER BY seat"
    seats = [seat for (seat,) in reader.rows(sql, [match])]
    if seats == list(range(len(seats))) and seats:
        return None
    return f"its seats are {', '.join(map(str, seats)) or 'missing'}"


def _name(table: str, key: _Key) -> str:
    names = COVERAGE[table].key
    return f"{table}, {', '.join(f'{n} {v}' for n, v in zip(names, key, strict=True))}"


def _show(value: Any) -> str:
    if isinstance(value, dict):
        return f"the digest {value.get('digest')}"
    return short_repr(value)


def secret_differences(reader: Reader) -> list[str]:
    """Return a sentence for each event whose secret is missing, doubled or another one."""
    return list(islice(_wrong_secrets(reader), AT_MOST))


def _wrong_secrets(reader: Reader) -> Iterator[str]:
    rows = reader.rows(
        """
        SELECT name, commitment, events.secret, secrets.secret
        FROM events LEFT JOIN secrets ON secrets.event = events.id
        ORDER BY events.id
        """
    )
    for name, commitment, revealed, hidden in rows:
        if revealed is not None and hidden is not None:
            yield f"event {name}: its secret is revealed, but also in the table of secrets"
        secret = revealed if hidden is None else hidden
        try:
            key = read_secret(secret or "")
            # Compared as text: hexadecimal digits may be written in two ways.
            is_right = (key.hex(), commitment_to(key).hex()) == (secret, commitment)
        except BadSeed:
            is_right = False
        if not is_right:
            yield f"event {name}: its secret is missing, or does not match its commitment"
