"""`arena verify` names a change anywhere in a league's file: every table, every column."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.errors import ArenaError, BadLeague
from arena.games.randomness import seed_from
from arena.records import ServiceUse
from arena.secret import Secret
from arena.tournament.spec import Kind, Spec
from arena.tournament.verification.league import check_league
from leaderboard.authors import add_author, find_author, invite, take_ownership
from leaderboard.bots import retire
from leaderboard.file.journal import COVERAGE
from leaderboard.file.schema import MIGRATIONS_TABLE, TABLES
from leaderboard.result import Machine
from leaderboard.seasons import open_season
from leaderboard.store import Store
from leaderboard.uploads import add_upload
from tests.builders.leagues import (
    NAMES,
    NOON,
    FakeWorkers,
    cat_crashes,
    enter,
    open_league,
    play_event,
)

Key = tuple[Any, ...]
COLUMNS = [
    (table, column)
    for table, coverage in COVERAGE.items()
    for column in (*coverage.columns, *coverage.digested, *coverage.computed)
]
"""All columns; `test_coverage.py` demands that none is missing."""
USUAL = {
    (table, columns[0])
    for table, coverage in COVERAGE.items()
    for columns in (coverage.columns, coverage.digested, coverage.computed)
    if columns
}
"""One column of each table for each way in which columns are covered."""
RANKS = ("rank", "best_rank", "worst_rank", "chance_first", "chance_next")
NUMBERS = [
    ("events", "seed"),
    ("invitations", "author"),
    ("uploads", "version"),
    ("matches", "rating_order"),
    *(("strengths", column) for column in RANKS),
    *(("seats", column) for column in ("answers", "time_us", "slowest_us", "cpu_us", "memory_kib")),
]
NULLABLE = [
    *NUMBERS,
    ("versions", "retired"),
    ("events", "secret"),
    ("events", "ended"),
    ("entrants", "suspended"),
]
"""Columns that may be NULL."""
EMPTY = [*NULLABLE, ("events", "stopped"), ("seats", "team")]


def columns(names: list[tuple[str, str]], usual: set[tuple[str, str]]) -> pytest.MarkDecorator:
    """Run a test for these columns; unusual ones are slow."""
    every = [
        pytest.param(*name, marks=[] if name in usual else pytest.mark.slow, id=".".join(name))
        for name in names
    ]
    return pytest.mark.parametrize(("table", "column"), every)


A_FEW = {*NULLABLE[-4:], ("matches", "rating_order"), ("strengths", "rank"), ("seats", "cpu_us")}


MODELS = ((0, ServiceUse(31, 2, 1, 41_000, 900, 136_500)),)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Play a league in which every table has rows."""
    folder = tmp_path_factory.mktemp("league")
    swiss = Spec(Kind.SWISS, "meow", bots=NAMES, seats=2, rounds=1)
    with open_league(folder, NAMES) as writer:
        cup = Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=NAMES, seats=3, matches=15)
        enter(writer, cup, secret=Secret(seed_from(1)))
        play_event(writer, "cup", FakeWorkers(cat_crashes))
        enter(writer, replace(swiss, name="open"), secret=Secret(seed_from(2)))
        play_event(writer, "open", FakeWorkers(machine=Machine("alpha", 30.5), models=MODELS))
        enter(writer, replace(swiss, name="late", seed=1))
        play_event(writer, "late", FakeWorkers(), stop_after=1)
        enter(writer, replace(swiss, name="next", seed=2))
        retire(writer, "eve", now=NOON)
        add_author(writer, "ada", now=NOON)
        ada = find_author(writer, "ada")
        take_ownership(writer, "zed", ada)
        invite(writer, now=NOON, days=1)
        add_upload(writer, ada, "zed", "00", b"zip", now=NOON)
        open_season(writer, "autumn", now=NOON)
    path = folder / "arena.db"
    with Store.open(path) as store:
        assert check_league(store).wrong == []
        for table in COVERAGE:
            assert store.row(f"SELECT 1 FROM {table}"), table
    return path.read_bytes()


class Changed:
    """A copy of a league that is changed with plain SQL."""

    def __init__(self, path: Path, league: bytes, rng: Random) -> None:
        path.write_bytes(league)
        self.path = path
        self._rng = rng

    def row(self, table: str, *, where: str = "true") -> Key:
        """Return the key of a random row."""
        columns = ", ".join(COVERAGE[table].key)
        keys = self.run(f"SELECT {columns} FROM {table} WHERE {where} ORDER BY {columns}")
        return self._rng.choice(keys)

    def change(self, table: str, column: str, key: Key, *, null: bool = False) -> bool:
        """Change one value; return False if the table does not allow it."""
        sql = f"SELECT {column} FROM {table} WHERE {where(table)}"
        ((old,),) = self.run(sql, key)
        for _ in range(20):
            new = None if null else changed(old, (table, column), self._rng)
            if new == old:
                return False
            try:
                self.run(f"UPDATE {table} SET {column} = ? WHERE {where(table)}", (new, *key))
            except sqlite3.IntegrityError:
                continue
            return True
        return False

    def run(self, sql: str, values: Key = ()) -> list[tuple[Any, ...]]:
        """Execute a statement as any other program could."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            return list(connection.execute(sql, values))

    def differences(self) -> list[str]:
        """Return what `arena verify` reports."""
        try:
            with Store.open(self.path) as store:
                return check_league(store).wrong
        except BadLeague as error:
            return [str(error)]  # without its migrations it is not opened


def where(table: str) -> str:
    """Return the condition that selects a row by its key."""
    return " AND ".join(f"{name} = ?" for name in COVERAGE[table].key)


def changed(value: Any, column: tuple[str, str], rng: Random) -> Any:
    """Return a value with one bit flipped, or one in place of nothing."""
    if value is None or value == "":
        return 999 if column in (*NUMBERS, ("seats", "team")) else "x"
    if isinstance(value, float) and column[0] == "strengths":
        # The arithmetic of another machine may change the last digits.
        return value * (1 + 1e-6) + 1e-6
    if isinstance(value, float):
        return math.nextafter(value, rng.choice((-math.inf, math.inf)))
    if isinstance(value, int):
        return value ^ 1 << rng.randrange(8)
    data = bytearray(value if isinstance(value, bytes) else value.encode())
    # Not the highest bit, which would make a text unreadable.
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(7)
    return bytes(data) if isinstance(value, bytes) else data.decode()


def row_name(table: str, key: Key) -> str:
    """Return the name of a row in the sentences about it."""
    return (
        f"{table}, {', '.join(f'{n} {v}' for n, v in zip(COVERAGE[table].key, key, strict=True))}"
    )


def names_row(differences: list[str], table: str, key: Key) -> bool:
    """Whether a difference names a row; seats and faults are named by their match."""
    coverage = COVERAGE[table]
    if coverage.digested:
        table, key = "matches", key[:1]
    elif table == "journal":
        # The first entry that does not fit the one before it, which may be another one.
        return any(text.startswith("journal, id ") for text in differences)
    elif not coverage.is_journalled or table == MIGRATIONS_TABLE:
        return bool(differences)
    return any(text.startswith(f"{row_name(table, key)}: ") for text in differences)


def names_column(differences: list[str], table: str, column: str, key: Key) -> bool:
    """Whether a difference names the row, and the column if it is not part of a digest."""
    coverage = COVERAGE[table]
    if table == MIGRATIONS_TABLE:
        return bool(differences)
    if column in coverage.computed and table != "journal":
        found = (f"{column} is ", f"a row of {table} is orphaned", "the sums of the table")
        return any(words in text for text in differences for words in found)
    if column in coverage.columns[len(coverage.key) :]:
        start = f"{row_name(table, key)}: {column} is "
        return any(text.startswith(start) for text in differences)
    return names_row(differences, table, key)


@columns(COLUMNS, USUAL)
def test_a_flipped_bit_is_named(league: bytes, tmp_path: Path, table: str, column: str) -> None:
    copy = Changed(tmp_path / "arena.db", league, Random(f"{table}.{column}"))
    key = copy.row(table)
    assert copy.change(table, column, key)
    differences = copy.differences()
    assert names_column(differences, table, column, key), differences


@columns(NULLABLE, A_FEW)
def test_a_value_that_is_removed_is_named(
    league: bytes, tmp_path: Path, table: str, column: str
) -> None:
    copy = Changed(tmp_path / "arena.db", league, Random(0))
    key = copy.row(table, where=f"{column} IS NOT NULL")
    assert copy.change(table, column, key, null=True)
    assert names_column(copy.differences(), table, column, key)


@columns(EMPTY, {*A_FEW, ("events", "stopped"), ("seats", "team")})
def test_a_value_in_place_of_none_is_named(
    league: bytes, tmp_path: Path, table: str, column: str
) -> None:
    copy = Changed(tmp_path / "arena.db", league, Random(0))
    key = copy.row(table, where=f"{column} IS NULL")
    assert copy.change(table, column, key)
    assert names_column(copy.differences(), table, column, key)


@pytest.mark.parametrize("table", COVERAGE)
def test_a_removed_row_is_named(league: bytes, tmp_path: Path, table: str) -> None:
    copy = Changed(tmp_path / "arena.db", league, Random(table))
    key = copy.row(table)
    copy.run(f"DELETE FROM {table} WHERE {where(table)}", key)
    differences = copy.differences()
    assert names_row(differences, table, key), differences


ADDED = {
    "model_use": "1, 1, 1, 0, 0, 9, 9, 9",
    "bots": "99, 'zoe'",
    "versions": """99, bot, 99, 'x', games, manifest, lock, files, size, submitted, retired, package
        FROM versions WHERE id = 1""",
    "variants": "99, game, name, 'x' FROM variants WHERE id = 1",
    "tie_rates": "1, 99, 0.5",
    "events": """99, 'x', kind, variant, seats, deals, rounds, clock, seed, commitment, secret,
        open_deals, cage, spec, status, started, ended, NULL, 0 FROM events WHERE id = 1""",
    "secrets": "id, secret FROM events WHERE id = 1",
    "entrants": "1, 5, 99, NULL",
    "rounds": "1, 99, paired FROM rounds WHERE event = 1",
    "pairings": "1, 99, 1",
    "pairing_seats": "1, 0, 3, 1",
    "byes": "1, 1, 1",
    "matches": """99, event, 99, pairing, deal, rotation, seed, ending, decisions, time_ms, cage,
        rated, NULL FROM matches WHERE id = 1""",
    "seats": """match, 3, version, place, score, points, ending, breaks, team, answers, time_us,
        slowest_us, cpu_us, memory_kib FROM seats WHERE match = 1""",
    "faults": "match, seat, 'it slept', '' FROM seats WHERE match = 1 AND seat = 0",
    "replays": "99, content FROM replays WHERE match = 1",
    "ratings": "1, 99, mu, sigma, matches, wins, place_sum, faults, changed FROM ratings",
    "rating_history": "1, 1, 99, 1, 25, 8",
    "meetings": "1, 1, 99, 0, 0, 1",
    "deal_sums": "1, '1-99:1', deals, scores, products FROM deal_sums",
    "summed_events": "99, 1",
    "strengths": "1, 99, 25, 24, 26, 9, 1, 5, 5, 5, 0, NULL",
    "machines": "99, 'beta', 31.5",
    "match_machines": "99, 1",
    "authors": "99, 'bob', 'author', 'x', NULL",
    "tokens": "99, author, hash, made, expires, revoked FROM tokens",
    "invitations": "99, hash, made, expires, author FROM invitations",
    "owners": "99, author FROM owners",
    "uploads": """99, author, bot, hash, received, status, ended, sentence, steps, cpu_ms, version,
        package FROM uploads""",
    "seasons": "99, 'winter', opened, next, closed, board FROM seasons",
    "journal": "max(id) + 1, content, hash FROM journal",
    MIGRATIONS_TABLE: "99, 'other', 'x', applied_at FROM _sqlite_migrations",
}
"""Rows that nobody wrote: by table, what to select."""
KEYS: dict[str, Key] = {
    "tie_rates": (1, 99),
    "entrants": (1, 5),
    "rounds": (1, 99),
    "pairings": (1, 99),
    "pairing_seats": (1, 0, 3),
    "byes": (1, 1, 1),
    "seats": (1, 3),
    "faults": (1, 0),
    "ratings": (1, 99),
    "model_use": (1, 1),
}
"""The keys of these rows; otherwise 99."""


@pytest.mark.parametrize("table", COVERAGE)
def test_an_added_row_is_named(league: bytes, tmp_path: Path, table: str) -> None:
    copy = Changed(tmp_path / "arena.db", league, Random(table))
    entries = len(copy.run("SELECT id FROM journal"))
    copy.run(f"INSERT INTO {table} SELECT {ADDED[table]} LIMIT 1")
    key = (entries + 1,) if table == "journal" else KEYS.get(table, (99,))
    differences = copy.differences()
    assert names_row(differences, table, key), differences


SWAPPED = {
    "replays, match 2": "UPDATE replays SET match = CASE match WHEN 2 THEN -3 ELSE -2 END "
    "WHERE match IN (2, 3); UPDATE replays SET match = -match WHERE match < 0",
    "matches, id 2": "UPDATE seats SET match = CASE match WHEN 2 THEN -3 ELSE -2 END "
    "WHERE match IN (2, 3); UPDATE seats SET match = -match WHERE match < 0",
    "matches, id 3": "UPDATE seats SET seat = 10 + seat WHERE match = 3; "
    "UPDATE seats SET seat = 12 - seat WHERE match = 3",
    "bots, id 4": "UPDATE bots SET name = name || 'x'; UPDATE bots SET name = CASE id WHEN 4 THEN "
    "'ann' WHEN 1 THEN 'dan' ELSE trim(name, 'x') END",
    "versions, id 1": "UPDATE versions SET package = (SELECT package FROM versions WHERE id = 2) "
    "WHERE id = 1",
    "rounds, event 1, number 1": "UPDATE rounds SET paired = '2026-01-02 12:00:01' WHERE event = 1",
    "journal, id 5": "UPDATE journal SET id = -id WHERE id IN (5, 6); "
    "UPDATE journal SET id = 11 + id WHERE id < 0",
}
"""Statements that exchange rows, each by the first row that it changes."""


@pytest.mark.parametrize("name", SWAPPED)
def test_exchanged_rows_are_named(league: bytes, tmp_path: Path, name: str) -> None:
    copy = Changed(tmp_path / "arena.db", league, Random(0))
    for statement in SWAPPED[name].split("; "):
        copy.run(statement)
    differences = copy.differences()
    assert any(text.startswith(f"{name}: ") for text in differences), differences


def test_a_journal_that_ends_too_early_is_noticed(league: bytes, tmp_path: Path) -> None:
    copy = Changed(tmp_path / "arena.db", league, Random(0))
    copy.run("DELETE FROM journal WHERE id > (SELECT max(id) / 2 FROM journal)")
    differences = copy.differences()
    assert any("its row is not in the journal" in text for text in differences)
    assert not any(text.startswith("journal, ") for text in differences)


def logical_content(path: Path) -> list[list[tuple[Any, ...]]]:
    """Return all rows of a league, table by table; strengths without their last digits."""
    with Store.open(path) as store:
        content = {t: list(store.rows(f"SELECT * FROM {t} ORDER BY 1, 2")) for t in TABLES}
    content["strengths"] = [
        tuple(f"{value:.6g}" if isinstance(value, float) else value for value in row)
        for row in content["strengths"]
    ]
    return list(content.values())


def check_flipped_bytes(league: bytes, path: Path, rng: Random, count: int) -> int:
    """Flip bits anywhere in the file; return how many of them changed a row."""
    path.write_bytes(league)
    before, noticed = logical_content(path), 0
    for _ in range(count):
        data = bytearray(league)
        at, bit = rng.randrange(len(data)), rng.randrange(8)
        data[at] ^= 1 << bit
        path.write_bytes(data)
        try:
            with Store.open(path) as store:
                differences = check_league(store).wrong
            if differences:
                noticed += 1
            else:
                assert logical_content(path) == before, (at, bit)
        except ArenaError:
            noticed += 1
    return noticed


def test_a_flipped_bit_anywhere_in_the_file_is_noticed(league: bytes, tmp_path: Path) -> None:
    assert check_flipped_bytes(league, tmp_path / "arena.db", Random(1), 15) > 2


@pytest.mark.slow
@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=map(".".join, COLUMNS))
def test_a_flipped_bit_of_any_row_is_named(
    league: bytes, tmp_path: Path, table: str, column: str
) -> None:
    rng = Random(f"any {table}.{column}")
    for _ in range(10):
        copy = Changed(tmp_path / "arena.db", league, rng)
        key = copy.row(table)
        assert copy.change(table, column, key)
        differences = copy.differences()
        assert names_column(differences, table, column, key), differences
