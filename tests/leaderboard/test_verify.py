"""`first_difference` finds every change to the data that ratings depend on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.tournament.verification.ratings import first_difference
from leaderboard.ledger import Ledger
from leaderboard.store import Writer
from tests.builders.made_up import NOW, make_plan, make_results, new_event, new_league


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Write to a league whose event lacks one match, so that the next is unrated."""
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, make_plan())
        results = [result._replace(rated=True) for result in make_results(writer, event)]
        results[2] = results[2]._replace(rated=False)
        Ledger(writer, event.id).finish(results[:10] + results[11:], now=NOW)
        yield writer


def difference_after(writer: Writer, change: str) -> str:
    """Change the file by SQL; return the difference that is found."""
    assert first_difference(writer) is None
    with writer.transaction():
        writer.write(change)
        assert writer.row("SELECT changes()") != (0,)
    return first_difference(writer) or ""


CHANGES = {
    "UPDATE ratings SET mu = mu + 1e-15 * mu WHERE version = 2": "meow standard, bee@1: mu is ",
    "UPDATE ratings SET wins = 99": "meow standard, ant@1: wins is 99, but should be ",
    "DELETE FROM ratings WHERE version = 3": "meow standard, cat@1: mu is None, but should be ",
    "INSERT INTO ratings VALUES (1, 5, 25, 8, 0, 0, 0, 0, '')": "meow standard, eel@1: mu is 25.0",
    "UPDATE rating_history SET mu = 1 WHERE number = 4 AND version = 4": (
        "event spring, match 4, dog@1: mu is 1.0, but should be "
    ),
    "DELETE FROM rating_history WHERE number = 3": "event spring, match 3, ",
    "INSERT INTO rating_history VALUES (1, 1, 10, 1, 25, 8)": (
        "meow standard, ant@1: length of its history is 10, but should be 9"
    ),
    "UPDATE meetings SET tied = 99": "meow standard, ant@1 against bee@1: tied is 99, but should",
    "DELETE FROM meetings": "meow standard, ant@1 against bee@1: ahead is None, but should be ",
    "UPDATE events SET rated_up_to = 5": "event spring: rated_up_to is 5, but should be 10",
    "UPDATE matches SET rating_order = NULL WHERE number = 5": (
        "event spring, match 5: rating_order is None, but should be more than 4"
    ),
    "UPDATE matches SET rating_order = 99 WHERE number = 2": (
        "event spring, match 2: rating_order is 99, but should be None"
    ),
    "UPDATE matches SET rating_order = 99 WHERE number = 11": (
        "event spring, match 11: rating_order is 99, but should be None"
    ),
    "UPDATE matches SET rated = 0 WHERE number = 3": (
        "event spring, match 3: rating_order is 3, but should be None"
    ),
    "UPDATE matches SET rating_order = 0 WHERE number = 0": (
        "event spring, match 0: rating_order is 0, but should be more than 0"
    ),
    "UPDATE seats SET place = 5 - place WHERE match = 5": "event spring, match 4, ",
    "DELETE FROM seats WHERE match = 5 AND seat > 0": "event spring, match 4: number of seats is 1",
    "DELETE FROM seats WHERE match = 5": "event spring, match 5, ",
    "UPDATE seats SET version = 5 WHERE match = 5 AND seat = 0": "event spring, match 4, eel@1: ",
    "UPDATE seats SET version = 1 WHERE match = 5": "event spring, match 4, ant@1: ",
    "UPDATE tie_rates SET rate = 0.5 WHERE seats = 4": "event spring, match 0, ",
    "DELETE FROM tie_rates WHERE seats = 4": (
        "meow standard: tie rates for seats is [2, 3, 5, 6], but should be [2, 3, 4, 5, 6]"
    ),
    "UPDATE variants SET game = 'mean'": "variant 1: parameters is expert=",
    "UPDATE variants SET parameters = 'fun'": "variant 1: parameters is fun, but should be valid: ",
    "UPDATE seats SET ending = 'crashed' WHERE seat = 0": "meow standard, ant@1: faults is ",
}


@pytest.mark.parametrize(("change", "sentence"), CHANGES.items(), ids=CHANGES)
def test_a_change_is_found_and_located(writer: Writer, change: str, sentence: str) -> None:
    assert difference_after(writer, change).startswith(sentence)


def test_a_row_with_a_broken_reference_is_found(writer: Writer) -> None:
    list(writer.rows("PRAGMA foreign_keys = OFF"))
    sentence = difference_after(writer, "DELETE FROM bots WHERE name = 'bee'")
    assert sentence.startswith("the file: a row of versions is orphaned")
