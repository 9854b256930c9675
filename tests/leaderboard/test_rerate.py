"""A league keeps the tie rates that it was rated with, until it is rated again."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ArenaError, BadLeague
from arena.games.registry import game_named
from arena.tournament.verification.ratings import first_difference
from leaderboard.events import find_event
from leaderboard.ledger import Ledger
from leaderboard.ratings.rerate import rerate
from leaderboard.ratings.tie_rates import tie_rates_of, variants_with_old_rates
from leaderboard.store import Reader, Writer
from tests.builders.made_up import NOW, make_plan, make_results, new_event, new_league

OLD_RATE = 0.9
"""Far from what any game knows."""


def play(writer: Writer, rate: float | None = None, *, last: int = 12) -> None:
    """Store an event of Trio, rated with this tie rate or with the game's."""
    event = new_event(writer, make_plan(game="trio", variant="simple"))
    if rate is not None:
        with writer.transaction():
            writer.write("UPDATE tie_rates SET rate = ?", [rate])
    Ledger(writer, event.id).finish(make_results(writer, event)[:last], now=NOW)


def derived(reader: Reader) -> dict[str, list[tuple[Any, ...]]]:
    """Return the tables that follow from the matches."""
    names = ("ratings", "rating_history", "meetings", "tie_rates")
    return {name: list(reader.rows(f"SELECT * FROM {name}")) for name in names}


def test_an_event_is_rated_with_the_rates_of_its_game_and_they_are_stored(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        play(writer)
        trio = game_named("trio")
        simple = trio.variants["simple"]
        assert tie_rates_of(store, 1) == {n: trio.tie_rate(n, simple) for n in (3, 4, 5, 6)}
        assert variants_with_old_rates(store) == []


def test_a_league_rated_anew_equals_one_that_always_had_these_rates(tmp_path: Path) -> None:
    with new_league(tmp_path / "one.db") as store, store.writing() as writer:
        play(writer)
        expected = derived(writer)
    with new_league(tmp_path / "other.db") as store, store.writing() as writer:
        play(writer, OLD_RATE)
        assert first_difference(writer) is None
        assert variants_with_old_rates(writer) == ["trio simple"]
        before = derived(writer)
        assert before["ratings"] != expected["ratings"]
        assert before["meetings"] == expected["meetings"]
        done = rerate(writer, now=NOW)
        assert (done.changed, done.matches) == (["trio simple"], 10)
        assert derived(writer) == expected
        assert first_difference(writer) is None
        again = rerate(writer, now=NOW)
        assert (again.changed, derived(writer)) == ([], expected)


def test_an_event_continues_with_the_rates_in_the_file(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        play(writer, OLD_RATE, last=5)
        event = find_event(writer, "spring")
        results = make_results(writer, event)
        Ledger(writer, event.id).finish(results[:8], now=NOW)
        assert set(tie_rates_of(writer, 1).values()) == {OLD_RATE}
        assert first_difference(writer) is None
        rerate(writer, now=NOW)
        Ledger(writer, event.id).finish(results, now=NOW)
        assert first_difference(writer) is None
        assert variants_with_old_rates(writer) == []


def test_a_league_that_cannot_be_rated_anew_stays_as_it_is(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        play(writer, OLD_RATE)
        with writer.transaction():
            writer.write("UPDATE variants SET parameters = 'nonsense'")
        before = derived(writer)
        with pytest.raises(ArenaError):
            rerate(writer, now=NOW)
        assert derived(writer) == before


def test_a_rate_that_is_no_probability_is_refused(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        play(writer)
        with writer.transaction():
            writer.write("PRAGMA ignore_check_constraints = ON")
            writer.write("UPDATE tie_rates SET rate = 1.5 WHERE seats = 4")
        with pytest.raises(BadLeague, match=r"has the tie rate 1\.5 at 4 seats"):
            tie_rates_of(writer, 1)
        with writer.transaction():
            writer.write("PRAGMA ignore_check_constraints = OFF")
        with pytest.raises(sqlite3.IntegrityError), writer.transaction():
            writer.write("UPDATE tie_rates SET rate = 0")
