"""Do ratings follow the schedule, whatever order, batches and accidents the matches come in?"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadInput
from leaderboard.boards import leaderboard
from leaderboard.events import event_named
from leaderboard.ledger import Ledger
from leaderboard.matches import results_of
from leaderboard.results import FORFEIT, Result
from leaderboard.verify import first_difference
from tests.leaderboard.league import (
    NOW,
    contents,
    new_event,
    new_league,
    plan,
    results,
    stored_numbers,
)

PAIRINGS = 3
MATCHES = 4 * PAIRINGS


@cache
def played_in_order() -> dict[str, list[tuple[object, ...]]]:
    """Return the contents of a league whose event went as planned, one match after the other."""
    with TemporaryDirectory() as folder, new_league(Path(folder) / "arena.db") as store:
        with store.writing() as writer:
            event = new_event(writer, plan(), pairings=PAIRINGS)
            ledger = Ledger(writer, event.id)
            for result in results(writer, event, pairings=PAIRINGS):
                ledger.finish([result], now=NOW)
        return contents(store)


@settings(max_examples=25)
@given(
    order=st.permutations(range(MATCHES)),
    sizes=st.lists(st.integers(0, 5), max_size=6),
    fresh=st.lists(st.booleans(), min_size=8, max_size=8),
)
def test_neither_order_nor_batches_nor_restarts_change_anything(
    order: list[int], sizes: list[int], fresh: list[bool]
) -> None:
    with TemporaryDirectory() as folder, new_league(Path(folder) / "arena.db") as store:
        with store.writing() as writer:
            event = new_event(writer, plan(), pairings=PAIRINGS)
            made = results(writer, event, pairings=PAIRINGS)
            ledger = Ledger(writer, event.id)
            left = [made[number] for number in order]
            for size, is_fresh in zip([*sizes, MATCHES], fresh, strict=False):
                if is_fresh:
                    ledger = Ledger(writer, event.id)
                batch, left = left[:size], left[size:]
                assert ledger.finish(batch, now=NOW) == len(batch)
            assert first_difference(writer) is None
        assert contents(store) == played_in_order()


def test_what_is_stored_comes_back_as_it_went_in(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store:
        with store.writing() as writer:
            event = new_event(writer, plan())
            made = results(writer, event)
            Ledger(writer, event.id).finish(made[::-1], now=NOW)
        assert list(results_of(store, event.id)) == made
        assert stored_numbers(store, event.id) == set(range(len(made)))
        assert event_named(store, "spring").rated_up_to == len(made)


def test_a_match_is_never_stored_twice(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, plan())
        made = results(writer, event)
        ledger = Ledger(writer, event.id)
        assert ledger.finish([made[0], made[5]], now=NOW) == 2
        before = contents(store)
        assert ledger.finish([made[5], made[0], made[5]], now=NOW) == 0
        assert Ledger(writer, event.id).finish([made[0], made[5]], now=NOW) == 0
        assert contents(store) == before
        assert ledger.finish([made[1], made[1]], now=NOW) == 1


def test_a_match_waits_for_those_before_it(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, plan())
        made = [result._replace(rated=True) for result in results(writer, event)]
        ledger = Ledger(writer, event.id)
        ledger.finish(made[1:3], now=NOW)
        assert leaderboard(store) == []
        ledger.finish(made[:1], now=NOW)
        assert {line.matches for line in leaderboard(store)} == {3}


def test_a_forfeit_is_stored_and_moves_nobody(tmp_path: Path) -> None:
    def forfeited(result: Result) -> Result:
        seats = tuple(seat._replace(ending=FORFEIT) for seat in result.seats)
        return result._replace(ending=FORFEIT, seats=seats, replay=b"", rated=False)

    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, plan())
        made = [result._replace(rated=True) for result in results(writer, event)]
        made[1] = forfeited(made[1])
        Ledger(writer, event.id).finish(made, now=NOW)
        assert {line.matches for line in leaderboard(store)} == {len(made) - 1}
        assert list(results_of(store, event.id)) == made
        assert store.row("SELECT count(*) FROM replays") == (len(made) - 1,)


def test_two_ledgers_of_one_event_know_of_each_other(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, plan())
        made = results(writer, event)
        one, other = Ledger(writer, event.id), Ledger(writer, event.id)
        one.finish(made[:1], now=NOW)
        assert other.finish(made[2:4], now=NOW) == 2
        assert one.finish(made[1:4], now=NOW) == 1
        assert event_named(store, "spring").rated_up_to == 4


def test_two_events_may_take_turns(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        events = [new_event(writer, plan(name)) for name in ("spring", "summer")]
        ledgers = [Ledger(writer, event.id) for event in events]
        made = [results(writer, event, seed=event.id) for event in events]
        for number in range(len(made[0])):
            for ledger, of_event in zip(ledgers, made, strict=True):
                ledger.finish([of_event[number]], now=NOW)
        assert first_difference(store) is None
        rated = sum(result.rated for of_event in made for result in of_event)
        assert {line.matches for line in leaderboard(store)} == {rated}


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda made: made._replace(pairing=99), id="an unknown pairing"),
        pytest.param(lambda made: made._replace(time_ms="soon"), id="a wrong type"),
        pytest.param(lambda made: made._replace(seats=made.seats[:1] * 4), id="a bot four times"),
    ],
)
def test_a_batch_that_fails_leaves_nothing_behind(
    tmp_path: Path, spoil: Callable[[Result], Result]
) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, plan())
        made = results(writer, event)
        ledger = Ledger(writer, event.id)
        ledger.finish(made[:2], now=NOW)
        before = contents(store)
        with pytest.raises((BadInput, sqlite3.IntegrityError)):
            ledger.finish([made[2], spoil(made[3])], now=NOW)
        assert contents(store) == before
        assert ledger.finish(made, now=NOW) == len(made) - 2
        assert first_difference(store) is None


def test_partners_do_not_meet(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        event = new_event(writer, plan(game="trio", variant="simple-teams"))
        made = results(writer, event)
        Ledger(writer, event.id).finish(made, now=NOW)
        pairs = set(store.rows("SELECT version, opponent FROM meetings"))
        assert pairs == {(1, 2), (1, 4), (2, 3), (3, 4)}
        assert first_difference(store) is None
