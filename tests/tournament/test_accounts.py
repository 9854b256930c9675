"""What bots used is stored with every seat, and added up for bots and events."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.indices import EntrantIndex
from arena.records import How, SeatEnding, Usage
from arena.replays.format import read_replay
from arena.scheduling.pairing import PlannedMatch
from arena.tournament.accounts import account_rows
from arena.workers.block import result_of
from leaderboard.matches import replays_of
from leaderboard.queries.accounts import (
    accounts_of,
    last_seats,
)
from leaderboard.store import Store
from tests.builders.leagues import NAMES, league_with_stopped_event
from tests.builders.records import recorded_match, setting_of
from tests.cli.runner import arena_on
from tests.indices import versions

COLUMNS = "answers, time_s, slowest_s, cpu_s, memory_mib, clock_share"


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league; these tests only read it."""
    return league_with_stopped_event(tmp_path_factory.mktemp("league"))


def test_a_result_adds_up_the_decisions_of_each_seat() -> None:
    played = recorded_match(setting_of("meow", 3), 5, {1: (2, SeatEnding.CRASHED)})
    record = replace(played, usage=(Usage(10, 20), Usage(30, None), Usage()))
    seating = tuple(EntrantIndex(seat) for seat in range(3))
    planned = PlannedMatch(
        number=0, pairing=0, deal=0, rotation=0, seating=seating, seed=b"", salt=b""
    )
    seats = result_of(planned, record, versions(1, 2, 3)).seats
    for number, seat in enumerate(seats):
        times = [
            decision.time_us
            for decision in record.decisions
            if decision.seat == number and decision.how is How.CHOSEN
        ]
        assert (seat.answers, seat.time_us) == (len(times), sum(times))
        assert seat.slowest_us == max(times)
    assert seats[1].answers == 2
    assert [(seat.cpu_us, seat.memory_kib) for seat in seats] == [
        (10, 20),
        (30, None),
        (None, None),
    ]


def test_what_was_used_is_not_part_of_a_replay() -> None:
    record = recorded_match(setting_of("meow", 2), 1)
    assert replace(record, usage=(Usage(1, 2), Usage(3, 4))) == record


def test_a_match_that_was_not_played_used_nothing(db: Path) -> None:
    with Store.open(db) as store:
        sql = f"SELECT DISTINCT {COLUMNS} FROM seat_results WHERE match_ending = 'forfeit'"
        assert list(store.rows(sql)) == [(None,) * 6]


def test_accounts_add_up_the_replays(db: Path) -> None:
    with Store.open(db) as store:
        ids = dict(store.rows("SELECT id, event FROM matches"))
        times: dict[tuple[int, str], list[int]] = {}
        for match, content in replays_of(store, list(ids)):
            record = read_replay(content)
            for decision in record.decisions:
                if decision.how is How.CHOSEN:
                    bot = record.entrants[decision.seat].name
                    times.setdefault((ids[match], bot), []).append(decision.time_us)
        for event in (1, 2):
            rows = account_rows(store, accounts_of(store, event=event), event=event)
            assert [row["bot"] for row in rows] == list(NAMES)
            for row in rows:
                own = sorted(times[event, row["bot"]])
                assert row["answers"] == len(own)
                assert row["time_s"] == pytest.approx(sum(own) / 1e6)
                assert row["mean_ms"] == pytest.approx(sum(own) / len(own) / 1000)
                assert row["slowest_ms"] == pytest.approx(own[-1] / 1000)
                assert row["median_ms"] == own[(len(own) - 1) // 2] / 1000
                assert own[0] / 1000 <= row["median_ms"] <= row["p95_ms"] <= own[-1] / 1000
                assert row["memory_mib"] == pytest.approx(30, rel=0.1)
                assert 0 < row["clock_share"] <= row["max_clock_share"] < 1


def test_times_per_decision_come_from_the_last_matches(db: Path) -> None:
    with Store.open(db) as store:
        account = accounts_of(store, bot="ann")[0]
        whole = last_seats(store, account, most=1000)
        assert list(whole) == sorted(whole, reverse=True)
        assert list(last_seats(store, account, most=2).items()) == list(whole.items())[:2]


def test_in_a_large_table_the_last_match_of_each_bot_must_do(db: Path) -> None:
    with Store.open(db) as store:
        account = accounts_of(store, bot="ann")[0]
        ((match, seat),) = last_seats(store, account, most=1).items()
        ((_, content),) = replays_of(store, [match])
        times = sorted(
            decision.time_us
            for decision in read_replay(content).decisions
            if decision.seat == seat and decision.how is How.CHOSEN
        )
        row, *_ = account_rows(store, [account] * 2001)
        assert row["median_ms"] == times[(len(times) - 1) // 2] / 1000


def test_the_view_has_the_same_accounts(db: Path) -> None:
    with Store.open(db) as store:
        view = store.rows("SELECT bot, variant_id, answers, mean_ms, clock_share FROM accounts")
        assert sorted(view) == sorted(
            (each.bot, each.variant_id, each.answers, each.mean_ms, each.clock_share)
            for each in accounts_of(store)
        )
        assert accounts_of(store, bot="ann") == [
            each for each in accounts_of(store) if each.bot == "ann"
        ]


def test_a_share_of_the_clock_counts_its_increments(db: Path) -> None:
    with Store.open(db) as store:
        clocks = {clock for (clock,) in store.rows("SELECT clock FROM events")}
        assert clocks == {"cpu:10+0.1"}
        sql = "SELECT answers, time_s, clock_share FROM seat_results WHERE answers > 0"
        for answers, time_s, share in store.rows(sql):
            assert share == pytest.approx(time_s / (10 + 0.1 * answers))


def test_bots_and_events_show_what_was_used(db: Path) -> None:
    for words, more in ((("bots", "show", "ann"), ()), (("event", "show", "cup"), ("--all",))):
        text = arena_on(db, *words, *more).stdout
        (line,) = [line for line in text.splitlines() if "memory MiB" in line]
        assert "slowest" in line
        document = json.loads(arena_on(db, *words, "--json").stdout)
        document = document[0] if isinstance(document, list) else document
        assert {row["bot"] for row in document["accounts"]} >= {"ann"}
