"""The journal has everything that was written, in entries that never change."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.tournament.verification.journal import journal_differences
from leaderboard.bots import retire
from leaderboard.events import end_event, resume_event, secret_of, suspend
from leaderboard.file.journal import START, entry_hash, head_of
from leaderboard.ledger import Ledger
from leaderboard.store import Reader, Writer
from tests.builders.made_up import NOW, make_plan, make_results, new_event, new_league, submit_bot
from tests.indices import entrants_in


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Write to a league with bots."""
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        yield writer


def hashes(reader: Reader) -> list[str]:
    """Return the hashes of all entries."""
    return [hash for (hash,) in reader.rows("SELECT hash FROM journal ORDER BY id")]


def test_every_way_of_writing_adds_one_entry_and_changes_none(writer: Writer) -> None:
    event = new_event(writer, make_plan())
    results = make_results(writer, event)
    (first,) = entrants_in([0])
    steps: list[Callable[[], object]] = [
        lambda: submit_bot(writer, "fox"),
        lambda: retire(writer, "fox", now=NOW),
        lambda: Ledger(writer, event.id).finish(results[5:], now=NOW),
        lambda: Ledger(writer, event.id).finish(results[:5], now=NOW),
        lambda: suspend(writer, event.id, first, reason="it crashes"),
        lambda: end_event(writer, event.id, finished=False, now=NOW),
        lambda: resume_event(writer, event.id),
        lambda: end_event(writer, event.id, finished=True, now=NOW),
    ]
    for step in steps:
        before = hashes(writer)
        step()
        assert hashes(writer)[:-1] == before
        assert journal_differences(writer) == []


def test_the_hash_of_an_entry_follows_from_the_one_before_it(writer: Writer) -> None:
    new_event(writer, make_plan())
    previous = START
    for content, stored in writer.rows("SELECT content, hash FROM journal ORDER BY id"):
        assert entry_hash(previous, content) == stored
        previous = stored
    assert head_of(writer).hash == previous
    assert head_of(writer).entries == len(hashes(writer))


def test_a_transaction_that_fails_leaves_no_entry(writer: Writer) -> None:
    before = hashes(writer)

    def fail() -> None:
        with writer.transaction():
            writer.note("bots", ("id", "name"), [(1, "zoe")])
            writer.write("INSERT INTO bots VALUES (1, 'zoe')")

    with pytest.raises(sqlite3.IntegrityError):
        fail()
    submit_bot(writer, "fox")
    assert hashes(writer)[:-1] == before
    assert journal_differences(writer) == []


def test_nothing_new_is_no_entry(writer: Writer) -> None:
    before = hashes(writer)
    submit_bot(writer, "ant")
    assert hashes(writer) == before


def test_the_journal_has_no_secret_before_the_event_is_over(writer: Writer) -> None:
    event = new_event(writer, make_plan())
    secret = secret_of(writer, event).hex()

    def text() -> str:
        return "".join(content for (content,) in writer.rows("SELECT content FROM journal"))

    assert secret not in text()
    end_event(writer, event.id, finished=True, now=NOW)
    assert secret in text()


@pytest.mark.parametrize(
    "content", ["", "[", "7", "[7]", '[{"table": "bots"}]', '[{"table": []}]', "[" * 100_000]
)
def test_an_unreadable_entry_is_named(writer: Writer, content: str) -> None:
    with writer.transaction():
        writer.write("UPDATE journal SET content = ? WHERE id = 2", [content])
    differences = journal_differences(writer)
    assert differences[0].startswith("journal, id 2: content or hash was changed")
    assert differences[1].startswith("journal, id 2: content is unreadable")


def test_a_new_chain_for_other_rows_has_another_last_hash(writer: Writer) -> None:
    published = head_of(writer)
    with writer.transaction():
        writer.write("UPDATE bots SET name = 'asp' WHERE name = 'ant'")
        previous = START
        for number, content, _ in list(writer.rows("SELECT * FROM journal ORDER BY id")):
            changed = content.replace('[1,"ant"]', '[1,"asp"]')
            previous = entry_hash(previous, changed)
            values = [changed, previous, number]
            writer.write("UPDATE journal SET content = ?, hash = ? WHERE id = ?", values)
    assert journal_differences(writer) == []
    assert head_of(writer).entries == published.entries
    assert head_of(writer).hash != published.hash


def test_an_entry_lists_tables_columns_and_rows(writer: Writer) -> None:
    submit_bot(writer, "fox")
    row = writer.row("SELECT content FROM journal ORDER BY id DESC")
    assert row
    bots, versions = json.loads(row[0])
    assert bots == {"table": "bots", "columns": ["id", "name"], "rows": [[6, "fox"]]}
    assert versions["rows"][0][-3] == "2026-05-17 12:30:00"
