"""Leaderboards, head-to-head results and faults agree with the matches."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from arena.errors import BadLeague
from arena.indices import VersionId
from leaderboard.ledger import Ledger
from leaderboard.queries.faults import faults_by_bot, faults_of_event
from leaderboard.queries.leaderboards import SAMPLES, HeadToHeadRow, head_to_head, leaderboard
from leaderboard.queries.rating_histories import rating_histories
from leaderboard.result import FORFEIT, PLAYED, HeadToHead, MatchResult
from leaderboard.store import Reader, Writer
from tests.builders.made_up import BOTS, NOW, make_plan, make_results, new_event, new_league

PAIRINGS = 10
VARIANTS = {"meow": "expert", "trio": "simple-teams"}


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Write to a league."""
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        yield writer


def play(writer: Writer, name: str = "spring", game: str = "meow") -> list[MatchResult]:
    """Store an event whose matches are all rated."""
    event = new_event(writer, make_plan(name, game=game, variant=VARIANTS[game]), pairings=PAIRINGS)
    results = [
        result._replace(rated=True) for result in make_results(writer, event, pairings=PAIRINGS)
    ]
    Ledger(writer, event.id).finish(results, now=NOW)
    return results


def test_a_leaderboard_sums_up_the_matches(writer: Writer) -> None:
    results = play(writer)
    board = leaderboard(writer)
    assert [line.rank for line in board] == [1, 2, 3, 4]
    assert [line.strength_rank for line in board] == [1, 2, 3, 4]
    scores = [line.score for line in leaderboard(writer, by_rating=True)]
    assert scores == sorted(scores, reverse=True)
    for line in board:
        assert (line.game, line.variant, line.version) == ("meow", "expert", 1)
        assert line.score == line.mu - 3 * line.sigma
        version = BOTS.index(line.bot) + 1
        seats = [seat for result in results for seat in result.seats if seat.version == version]
        assert line.matches == len(seats)
        assert line.wins == sum(
            seat.place == 1 and [each.place for each in result.seats].count(1) == 1
            for result in results
            for seat in result.seats
            if seat.version == version
        )
        assert line.mean_place == sum(seat.place for seat in seats) / len(seats)
        assert line.faults == sum(seat.ending != PLAYED for seat in seats)
        assert line.changed == "2026-05-17 12:30:00"


def test_a_history_is_sampled_evenly_and_ends_with_the_current_rating(writer: Writer) -> None:
    results = play(writer)
    stored = "SELECT mu - 3 * sigma FROM rating_history WHERE version = ? ORDER BY number"
    for line in leaderboard(writer):
        scores = [score for (score,) in writer.rows(stored, [BOTS.index(line.bot) + 1])]
        assert len(scores) == len(results)
        assert line.history[-1] == line.score == scores[-1]
        numbers = [scores.index(score) for score in line.history]
        steps = {after - before for before, after in pairwise(numbers)}
        assert len(numbers) == SAMPLES
        assert max(steps) - min(steps) <= 1


@pytest.mark.parametrize("count", [1, SAMPLES - 1, SAMPLES, SAMPLES + 1])
def test_a_short_history_is_shown_in_full(writer: Writer, count: int) -> None:
    event = new_event(writer, make_plan(), pairings=PAIRINGS)
    results = [
        result._replace(rated=True) for result in make_results(writer, event, pairings=PAIRINGS)
    ]
    Ledger(writer, event.id).finish(results[:count], now=NOW)
    for line in leaderboard(writer):
        assert len(line.history) == min(count, SAMPLES)
        assert len(set(line.history)) == len(line.history)


def test_a_long_history_is_not_scanned_for_a_few_samples(writer: Writer, tmp_path: Path) -> None:
    play(writer)
    few = sqlite_steps(tmp_path / "arena.db")
    for version in (1, 2, 3, 4):
        with writer.transaction():
            writer.write_many(
                "INSERT INTO rating_history VALUES (1, ?, ?, 1, 25, 8)",
                [(version, number) for number in range(41, 1041)],
            )
            writer.write("UPDATE ratings SET matches = 1040 WHERE version = ?", [version])
    assert sqlite_steps(tmp_path / "arena.db") < 2 * few


def test_a_rating_with_a_gap_in_its_history_is_reported(writer: Writer) -> None:
    play(writer)
    with writer.transaction():
        writer.write("DELETE FROM rating_history WHERE version = 1")
    with pytest.raises(BadLeague, match="lacks part of its history"):
        leaderboard(writer)


def sqlite_steps(path: Path) -> int:
    """Count the steps that SQLite takes to sample all histories."""
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    with closing(sqlite3.connect(path)) as connection:
        connection.set_progress_handler(count, 10)
        assert len(rating_histories(Reader(path, connection), SAMPLES)) == 4
    return steps


def test_every_game_and_variant_has_its_own_leaderboard(writer: Writer) -> None:
    play(writer, "one", "meow")
    play(writer, "two", "trio")
    assert [(line.game, line.rank) for line in leaderboard(writer)][::4] == [
        ("meow", 1),
        ("trio", 1),
    ]
    assert {line.game for line in leaderboard(writer, "trio")} == {"trio"}
    assert leaderboard(writer, "jackal") == []


def test_a_variant_without_a_name_is_named_after_a_similar_one_and_what_differs(
    writer: Writer,
) -> None:
    parameters = make_plan().parameters.replace("vases=pairs", "vases=once")
    event = new_event(writer, replace(make_plan(), parameters=parameters))
    assert event.variant == "standard vases=once"


def test_head_to_head_is_the_same_from_both_sides(writer: Writer) -> None:
    results = play(writer)
    lines = {(line.bot, line.opponent): line for line in head_to_head(writer, "meow")}
    assert len(lines) == 4 * 3
    for (bot, opponent), line in lines.items():
        other = lines[opponent, bot]
        assert line.result == tuple(reversed(other.result))
        assert line.result.share + other.result.share == 1
        assert line == expected_meeting(results, bot, opponent)
    assert head_to_head(writer, "trio") == []


def expected_meeting(results: list[MatchResult], bot: str, opponent: str) -> HeadToHeadRow:
    """Calculate the head-to-head result of two bots from matches."""
    ids = VersionId(BOTS.index(bot) + 1), VersionId(BOTS.index(opponent) + 1)
    places = [{seat.version: seat.place for seat in result.seats} for result in results]
    leads = [place[ids[1]] - place[ids[0]] for place in places]
    ahead = sum(lead > 0 for lead in leads)
    tied = leads.count(0)
    result = HeadToHead(ahead, tied, len(leads) - ahead - tied)
    assert result.matches == len(leads)
    assert result.share == (ahead + Fraction(tied, 2)) / len(leads)
    return HeadToHeadRow("meow", "expert", bot, 1, opponent, 1, result, 1, *ids)


def test_faults_are_counted_and_the_last_is_shown(writer: Writer) -> None:
    results = play(writer)
    faults = [
        (result.number, seat)
        for result in results
        for seat in result.seats
        if seat.ending != PLAYED
    ]
    listed = faults_of_event(writer, 1)
    assert [(fault.match, fault.bot) for fault in listed] == [
        (number, BOTS[seat.version - 1]) for number, seat in faults
    ]
    assert {(fault.sentence, fault.printed) for fault in listed} == {("it crashed", "last words")}
    counts = faults_by_bot(writer)
    assert sum(line.faults for line in counts) == len(faults)
    for line in counts:
        of_bot = [number for number, seat in faults if BOTS[seat.version - 1] == line.bot]
        assert (line.ending, line.last_event, line.last_match) == ("crashed", "spring", of_bot[-1])
        assert faults_by_bot(writer, line.bot) == [line]


def test_a_forfeit_is_not_a_fault(writer: Writer) -> None:
    event = new_event(writer, make_plan())
    forfeits = [
        result._replace(
            ending=FORFEIT,
            rated=False,
            seats=tuple(
                seat._replace(ending=FORFEIT, sentence="suspended", printed="")
                for seat in result.seats
            ),
        )
        for result in make_results(writer, event)
    ]
    Ledger(writer, event.id).finish(forfeits, now=NOW)
    assert not faults_of_event(writer, event.id)
    assert not faults_by_bot(writer)
    assert set(writer.rows("SELECT faults FROM event_standings")) == {(0,)}


def test_a_shared_first_place_is_no_win_even_if_all_have_crashed(
    writer: Writer,
) -> None:
    event = new_event(writer, make_plan(), pairings=1)
    made_up = make_results(writer, event, pairings=1)
    places = [(1, 1, 1, 1), (1, 1, 3, 4), (2, 1, 4, 3)]
    results = [
        result._replace(
            rated=True,
            seats=tuple(
                seat._replace(place=place, ending="crashed" if max(of_match) == 1 else PLAYED)
                for seat, place in zip(result.seats, of_match, strict=True)
            ),
        )
        for result, of_match in zip(made_up, places, strict=False)
    ]
    Ledger(writer, event.id).finish(results, now=NOW)
    seated = [seat.version for seat in results[2].seats]
    won = {BOTS[v - 1]: int(p == 1) for v, p in zip(seated, places[2], strict=True)}
    assert {line.bot: line.wins for line in leaderboard(writer)} == won
    assert dict(writer.rows("SELECT bot, wins FROM event_standings")) == won
    assert dict(writer.rows("SELECT bot, sum(is_win) FROM seat_results GROUP BY bot")) == won
