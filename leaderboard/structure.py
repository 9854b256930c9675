"""Is all that a file is made of what an arena makes?

A league may come from anybody, and an SQLite file can hold more than rows: triggers, and views,
indices, checks and generated columns that compute something whenever they are looked at. So a file
is taken only if every one of its statements is ours.
"""

from __future__ import annotations

import re
import sqlite3

from leaderboard.schema import TABLES
from leaderboard.views import VIEWS

_TOKEN = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|\[[^\]]*\]|`[^`]*`|\w+|[^\s\w]""")
_BOOKKEEPING = "_sqlite_migrations"
"""The table in which sqlite-utils notes which migrations a file has had."""
_BOOKKEEPING_TABLE = re.compile(
    rf"CREATE TABLE {_BOOKKEEPING} \( (?:(?:\w+|PRIMARY KEY \( [\w ,]+ \))"
    r"(?: (?:INTEGER|TEXT|PRIMARY KEY|NOT NULL))*(?: , | \)))+"
)
_BOOKKEEPING_INDEX = re.compile(rf"CREATE (?:UNIQUE )?INDEX \w+ ON {_BOOKKEEPING} \( [\w ,]+ \)")
_STATISTICS = re.compile(r"CREATE TABLE sqlite_stat[14] \( [\w ,]+ \)")
"""What ANALYZE leaves behind."""


def foreign_part(connection: sqlite3.Connection, *, current: bool) -> str | None:
    """Name the first thing in a file that no arena has made; None if there is none.

    Of a file of an older version the statements may differ, but not what they make.
    """
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema"):
        known = _is_ours if current else _may_be_ours
        if not known(kind, name, sql):
            return f"{kind} {name}"
    if not current:
        return _computed_column(connection)
    return None


def _is_ours(kind: object, name: object, sql: object) -> bool:
    """Tell whether a statement is one that this arena makes."""
    if not isinstance(name, str) or _is_auxiliary(kind, name, sql):
        return isinstance(name, str)
    if kind == "table" and name in TABLES:
        return isinstance(sql, str) and _parts(sql) == _parts(TABLES[name])
    if kind == "view" and name in VIEWS:
        return isinstance(sql, str) and _tokens(sql) == _tokens(VIEWS[name])
    return False


def _may_be_ours(kind: object, name: object, sql: object) -> bool:
    """Tell whether an older arena may have made it."""
    if not isinstance(name, str) or _is_auxiliary(kind, name, sql):
        return isinstance(name, str)
    if not isinstance(sql, str):
        return False
    if kind == "table":
        return name in TABLES and _tokens(sql)[:2] == ["CREATE", "TABLE"]
    # Views are made anew with every migration, and until then they are not looked at.
    return kind == "view" and name in VIEWS


def _is_auxiliary(kind: object, name: str, sql: object) -> bool:
    """Tell whether it is one of those that SQLite and sqlite-utils make for themselves."""
    if kind == "index" and sql is None:
        # That of a UNIQUE or PRIMARY KEY: SQLite itself checks that there is one.
        return name.startswith("sqlite_autoindex_")
    if not isinstance(sql, str):
        return False
    written = " ".join(_tokens(sql))
    if kind == "table":
        pattern = _BOOKKEEPING_TABLE if name == _BOOKKEEPING else _STATISTICS
        return pattern.fullmatch(written) is not None
    return kind == "index" and _BOOKKEEPING_INDEX.fullmatch(written) is not None


def _computed_column(connection: sqlite3.Connection) -> str | None:
    for table in TABLES:
        for _, name, *_, hidden in connection.execute(f"PRAGMA table_xinfo({table})"):
            if hidden:
                return f"column {table}.{name}"
    return None


def _tokens(sql: str) -> list[str]:
    """Cut a statement into words and signs; how it is spaced and quoted does not matter."""
    return [_unquoted(token) for token in _TOKEN.findall(sql)]


def _unquoted(token: str) -> str:
    inner = token[1:-1]
    return inner if token[0] in '"[`' and inner.isidentifier() else token


def _parts(sql: str) -> tuple[list[str], list[str], list[str]]:
    """Cut the statement of a table into what precedes its columns, these, and what follows.

    Columns and constraints come in any order: a migration adds a column after the last one.
    """
    tokens = _tokens(sql)
    start = tokens.index("(") if "(" in tokens else len(tokens)
    columns: list[list[str]] = [[]]
    depth = 0
    for at, token in enumerate(tokens[start:], start):
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return tokens[:start], sorted(map(" ".join, columns)), tokens[at + 1 :]
        if depth == 1 and token == ",":
            columns.append([])
        elif at > start:
            columns[-1].append(token)
    return tokens, [], []
