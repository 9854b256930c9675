"""The strengths of a league are stored with the end of an event, and follow from complete deals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from arena.errors import BadLeague
from arena.tournament.verification.ratings import first_difference
from leaderboard.bots import retire
from leaderboard.events import Event, end_event, resume_event
from leaderboard.ledger import Ledger
from leaderboard.queries.leaderboards import all_ratings, leaderboard
from leaderboard.result import MatchResult
from leaderboard.store import Store, Writer
from leaderboard.strength.league import (
    LIVE_MATCHES,
    playing_versions,
    prepare_all,
    prepare_strengths,
    store_prepared,
    variant_sums,
)
from leaderboard.strength.strengths import strengths_of
from leaderboard.strength.sums import LeagueSums, SeatPlace, deal_results
from tests.builders.made_up import NOW, make_plan, make_results, new_event, new_league
from tests.indices import versions

VARIANT = 1
PAIRINGS = 6


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Write to a league without events."""
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        yield writer


def results_of(writer: Writer, event: Event, seed: int = 1) -> list[MatchResult]:
    """Make up the results of an event of six pairings."""
    return make_results(writer, event, pairings=PAIRINGS, seed=seed)


def play(writer: Writer, name: str, *, seed: int = 1, matches: int = 24) -> Event:
    """Store some matches of an event, and leave it running."""
    event = new_event(writer, make_plan(name), pairings=PAIRINGS)
    Ledger(writer, event.id).finish(results_of(writer, event, seed)[:matches], now=NOW)
    return event


def strength_rows(writer: Writer) -> list[tuple[object, ...]]:
    """Return what is stored."""
    return list(writer.rows("SELECT * FROM strengths ORDER BY version"))


def test_the_end_of_an_event_stores_the_strengths_of_its_results(writer: Writer) -> None:
    event = play(writer, "spring")
    assert strength_rows(writer) == []
    end_event(writer, event.id, finished=True, now=NOW)
    deals: dict[int, list[list[SeatPlace]]] = {}
    for result in results_of(writer, event):
        seats = [SeatPlace(each.version, at, each.place) for at, each in enumerate(result.seats)]
        deals.setdefault(result.pairing, []).extend([seats] if result.rated else [])
    expected = strengths_of(LeagueSums.of(map(deal_results, deals.values())))
    stored = [row[1:6] for row in strength_rows(writer)]
    assert stored == [
        (version, expected.strength(version), *expected.interval(version), degrees)
        for version, degrees in zip(expected.versions, expected.degrees, strict=True)
    ]
    assert first_difference(writer) is None


def test_the_order_of_events_and_interruptions_change_no_bit(tmp_path: Path) -> None:
    found = []
    for number, seeds in enumerate([(1, 2, 3), (3, 1, 2)]):
        with new_league(tmp_path / f"{number}.db") as store, store.writing() as writer:
            for seed in seeds:
                event = play(writer, f"event {seed}", seed=seed, matches=10 * number + 4)
                end_event(writer, event.id, finished=False, now=NOW)
                assert first_difference(writer) is None
                resume_event(writer, event.id)
                Ledger(writer, event.id).finish(results_of(writer, event, seed), now=NOW)
                end_event(writer, event.id, finished=True, now=NOW)
            sums = list(writer.rows("SELECT * FROM deal_sums ORDER BY pairs"))
            found.append((sums, strength_rows(writer)))
            assert first_difference(writer) is None
    assert found[0] == found[1]


def test_a_deal_counts_when_all_its_matches_are_stored(writer: Writer) -> None:
    event = play(writer, "spring", matches=10)
    end_event(writer, event.id, finished=False, now=NOW)
    assert writer.row("SELECT summed_up_to FROM summed_events") == (8,)
    assert first_difference(writer) is None
    assert {row.strength_behind for row in leaderboard(writer)} == {2}


def test_a_reader_sees_the_new_deals_of_a_running_event(writer: Writer) -> None:
    play(writer, "spring")
    rows = leaderboard(writer)
    expected = strengths_of(variant_sums(writer, VARIANT))
    assert [row.strength for row in rows] == [expected.strength(row.version_id) for row in rows]
    assert {row.strength_behind for row in rows} == {0}
    assert strength_rows(writer) == []
    assert {row.version_id: row.strength for row in all_ratings(writer)} == {
        row.version_id: row.strength for row in rows
    }


def test_a_reader_does_not_add_up_many_matches(writer: Writer) -> None:
    event = play(writer, "spring")
    end_event(writer, event.id, finished=True, now=NOW)
    before = leaderboard(writer)
    with writer.transaction():
        writer.write("UPDATE events SET rated_up_to = rated_up_to + ?", [LIVE_MATCHES + 1])
    after = leaderboard(writer)
    assert [row.strength_behind for row in after] == [LIVE_MATCHES + 1] * len(after)
    assert [row._replace(strength_behind=0) for row in after] == before


def test_a_retired_version_keeps_its_strength_and_loses_its_rank(writer: Writer) -> None:
    event = play(writer, "spring")
    end_event(writer, event.id, finished=True, now=NOW)
    before = {row.bot: row for row in all_ratings(writer)}
    best = min(before.values(), key=lambda row: row.strength_rank or 0)
    retire(writer, best.bot, now=NOW)
    after = {row.bot: row for row in all_ratings(writer)}
    assert after[best.bot].strength == best.strength
    assert after[best.bot].strength_rank is None
    ranks = [row.strength_rank for row in after.values() if row.bot != best.bot]
    assert sorted(rank or 0 for rank in ranks) == [1, 2, 3]
    assert max(row.worst_rank or 0 for row in after.values()) <= 3
    assert first_difference(writer) is None


def test_strengths_that_were_prepared_before_a_change_are_worked_out_again(writer: Writer) -> None:
    event = play(writer, "spring", matches=12)
    prepared = prepare_strengths(writer, VARIANT, playing_versions(writer))
    Ledger(writer, event.id).finish(results_of(writer, event)[12:], now=NOW)
    end_event(writer, event.id, finished=True, now=NOW)
    retire(writer, "bee", now=NOW)
    stored = strength_rows(writer)
    with writer.transaction():
        store_prepared(writer, prepared)
    assert strength_rows(writer) == stored
    assert first_difference(writer) is None


def test_others_can_write_while_strengths_are_worked_out(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with new_league(path) as store, Store.open(path) as other, store.writing() as writer:
        event = play(writer, "spring")
        end_event(writer, event.id, finished=True, now=NOW)
        with other.writing_bots() as beside:
            prepared = prepare_all(beside, playing_versions(beside), with_new=False)
            play(writer, "autumn", seed=2)
            with beside.transaction():
                store_prepared(beside, prepared[0])
        assert first_difference(writer) is None


def test_partners_have_equal_strengths_if_they_are_always_partners(writer: Writer) -> None:
    event = new_event(writer, make_plan(game="trio", variant="simple-teams"), pairings=PAIRINGS)
    results = [each._replace(rated=True) for each in results_of(writer, event)]
    Ledger(writer, event.id).finish(results, now=NOW)
    end_event(writer, event.id, finished=True, now=NOW)
    one, two, three, four = (row[2] for row in strength_rows(writer))
    assert one == pytest.approx(three)
    assert two == pytest.approx(four)
    assert one != pytest.approx(two)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE deal_sums SET pairs = 'cat' || pairs",
        "UPDATE deal_sums SET scores = '1 2'",
        "UPDATE deal_sums SET products = ''",
        "UPDATE deal_sums SET deals = 0",
        "UPDATE deal_sums SET products = replace(products, ' ', ' -1000000')",
    ],
)
def test_damaged_sums_are_refused(writer: Writer, change: str) -> None:
    event = play(writer, "spring", matches=8)
    end_event(writer, event.id, finished=False, now=NOW)
    with writer.transaction():
        writer.write(change)
    resume_event(writer, event.id)
    Ledger(writer, event.id).finish(results_of(writer, event), now=NOW)
    with pytest.raises(BadLeague, match="damaged"):
        leaderboard(writer)


def test_a_deal_is_a_table_s_whatever_a_file_says(writer: Writer) -> None:
    """A file with one deal for thousands of tables must not need sums of all pairs at once."""
    event = new_event(writer, make_plan(), versions(1, 2, 3, 4, 5), pairings=1)
    results = results_of(writer, new_event(writer, make_plan("other"), pairings=PAIRINGS))
    rng = Random(1)
    mixed = []
    for number, result in enumerate(results):
        chosen = versions(*rng.sample(range(1, 6), 4))
        seats = tuple(
            seat._replace(version=version)
            for seat, version in zip(result.seats, chosen, strict=True)
        )
        mixed.append(result._replace(number=number, pairing=0, seats=seats, rated=True))
    Ledger(writer, event.id).finish(mixed, now=NOW)
    end_event(writer, event.id, finished=True, now=NOW)
    for (pairs,) in writer.rows("SELECT pairs FROM deal_sums"):
        assert len(pairs.split()) == 6


def test_a_match_with_an_impossible_number_of_seats_is_refused(writer: Writer) -> None:
    event = play(writer, "spring")
    with writer.transaction():
        writer.write("DELETE FROM seats WHERE match = 3 AND seat > 0")
    with pytest.raises(BadLeague, match="a match of meow has 1 seats"):
        end_event(writer, event.id, finished=True, now=NOW)
