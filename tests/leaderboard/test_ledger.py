"""Ratings follow the schedule, in any order of matches, batches and interruptions."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.tournament.verification.ratings import first_difference
from leaderboard.events import find_event
from leaderboard.ledger import Ledger
from leaderboard.matches import results_of
from leaderboard.queries.leaderboards import leaderboard
from leaderboard.result import FORFEIT, MatchResult
from tests.builders.made_up import (
    NOW,
    contents,
    make_plan,
    make_results,
    new_event,
    new_league,
    stored_numbers,
)

PAIRINGS = 3
MATCHES = 4 * PAIRINGS


@cache
def contents_after_playing_in_order() -> dict[str, list[tuple[object, ...]]]:
    """Return the contents of a league whose matches were stored one by one, in order."""
    with TemporaryDirectory() as folder, new_league(Path(folder) / "arena.db") as store:
        with store.writing() as writer:
            event = new_event(writer, make_plan(), pairings=PAIRINGS)
            ledger = Ledger(writer, event.id)
            for result in make_results(writer, event, pairings=PAIRINGS):
                ledger.finish([result], now=NOW)
        return contents(store)


@given(
    order=st.permutations(range(MATCHES)),
    sizes=st.lists(st.integers(0, 5), max_size=6),
    fresh=st.lists(st.booleans(), min_size=8, max_size=8),
)
def test_order_batches_and_restarts_change_nothing(
    order: list[int], sizes: list[int], fresh: list[bool]
) -> None:
    with TemporaryDirectory() as folder, new_league(Path(folder) / "arena.db") as store:
        with store.writing() as writer:
            event = new_event(writer, make_plan(), pairings=PAIRINGS)
            results = make_results(writer, event, pairings=PAIRINGS)
            ledger = Ledger(writer, event.id)
            left = [results[number] for number in order]
            for size, is_fresh in zip([*sizes, MATCHES], fresh, strict=False):
                if is_fresh:
                    ledger = Ledger(writer, event.id)
                batch, left = left[:size], left[size:]
                assert ledger.finish(batch, now=NOW) == len(batch)
            assert first_difference(writer) is None
        assert contents(store) == contents_after_playing_in_order()


def test_stored_matches_are_read_back_unchanged(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store:
        with store.writing() as writer:
            event = new_event(writer, make_plan())
            results = make_results(writer, event)
            Ledger(writer, event.id).finish(results[::-1], now=NOW)
        assert list(results_of(store, event.id)) == results
        assert stored_numbers(store, event.id) == set(range(len(results)))
        assert find_event(store, "spring").rated_up_to == len(results)


def test_a_match_is_never_stored_twice(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, make_plan())
        results = make_results(writer, event)
        ledger = Ledger(writer, event.id)
        assert ledger.finish([results[0], results[5]], now=NOW) == 2
        before = contents(store)
        assert ledger.finish([results[5], results[0], results[5]], now=NOW) == 0
        assert Ledger(writer, event.id).finish([results[0], results[5]], now=NOW) == 0
        assert contents(store) == before
        assert ledger.finish([results[1], results[1]], now=NOW) == 1


def test_a_match_is_rated_only_after_those_before_it(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, make_plan())
        results = [result._replace(rated=True) for result in make_results(writer, event)]
        ledger = Ledger(writer, event.id)
        ledger.finish(results[1:3], now=NOW)
        assert leaderboard(store) == []
        ledger.finish(results[:1], now=NOW)
        assert {line.matches for line in leaderboard(store)} == {3}


def test_a_forfeit_is_stored_and_changes_no_rating(tmp_path: Path) -> None:
    def as_forfeit(result: MatchResult) -> MatchResult:
        seats = tuple(seat._replace(ending=FORFEIT) for seat in result.seats)
        return result._replace(ending=FORFEIT, seats=seats, replay=b"", rated=False)

    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, make_plan())
        results = [result._replace(rated=True) for result in make_results(writer, event)]
        results[1] = as_forfeit(results[1])
        Ledger(writer, event.id).finish(results, now=NOW)
        assert {line.matches for line in leaderboard(store)} == {len(results) - 1}
        assert list(results_of(store, event.id)) == results
        assert store.row("SELECT count(*) FROM replays") == (len(results) - 1,)


def test_two_ledgers_of_one_event_see_each_others_matches(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, make_plan())
        results = make_results(writer, event)
        one, other = Ledger(writer, event.id), Ledger(writer, event.id)
        one.finish(results[:1], now=NOW)
        assert other.finish(results[2:4], now=NOW) == 2
        assert one.finish(results[1:4], now=NOW) == 1
        assert find_event(store, "spring").rated_up_to == 4


def test_matches_of_two_events_may_alternate(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        events = [new_event(writer, make_plan(name)) for name in ("spring", "summer")]
        ledgers = [Ledger(writer, event.id) for event in events]
        results = [make_results(writer, event, seed=event.id) for event in events]
        for number in range(len(results[0])):
            for ledger, of_event in zip(ledgers, results, strict=True):
                ledger.finish([of_event[number]], now=NOW)
        assert first_difference(store) is None
        rated = sum(result.rated for of_event in results for result in of_event)
        assert {line.matches for line in leaderboard(store)} == {rated}


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda result: result._replace(pairing=99), id="an unknown pairing"),
        pytest.param(lambda result: result._replace(time_ms="soon"), id="a wrong type"),
        pytest.param(
            lambda result: result._replace(seats=result.seats[:1] * 4), id="a bot four times"
        ),
    ],
)
def test_a_batch_that_fails_leaves_nothing_behind(
    tmp_path: Path, spoil: Callable[[MatchResult], MatchResult]
) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, make_plan())
        results = make_results(writer, event)
        ledger = Ledger(writer, event.id)
        ledger.finish(results[:2], now=NOW)
        before = contents(store)
        with pytest.raises((BadInput, sqlite3.IntegrityError)):
            ledger.finish([results[2], spoil(results[3])], now=NOW)
        assert contents(store) == before
        assert ledger.finish(results, now=NOW) == len(results) - 2
        assert first_difference(store) is None


def test_partners_are_not_counted_as_opponents(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, make_plan(game="trio", variant="simple-teams"))
        results = make_results(writer, event)
        Ledger(writer, event.id).finish(results, now=NOW)
        pairs = set(store.rows("SELECT version, opponent FROM meetings"))
        assert pairs == {(1, 2), (1, 4), (2, 3), (3, 4)}
        assert first_difference(store) is None
