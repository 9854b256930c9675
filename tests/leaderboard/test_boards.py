"""Do leaderboards and the like say what the matches say?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from arena.errors import BadLeague
from leaderboard.boards import (
    SAMPLES,
    HeadToHead,
    faults_by_bot,
    faults_of_event,
    head_to_head,
    leaderboard,
)
from leaderboard.bots import retire
from leaderboard.ledger import Ledger
from leaderboard.report import rating_courses
from leaderboard.results import FORFEIT, PLAYED, Result
from leaderboard.store import Reader, Writer
from tests.leaderboard.league import BOTS, NOW, new_event, new_league, plan, results

PAIRINGS = 10
VARIANTS = {"meow": "expert", "trio": "simple-teams"}


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Write to a league."""
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        yield writer


def play(writer: Writer, name: str = "spring", game: str = "meow") -> list[Result]:
    """Hold an event whose matches all count."""
    event = new_event(writer, plan(name, game=game, variant=VARIANTS[game]), pairings=PAIRINGS)
    made = [result._replace(rated=True) for result in results(writer, event, pairings=PAIRINGS)]
    Ledger(writer, event.id).finish(made, now=NOW)
    return made


def test_a_leaderboard_sums_up_the_matches(writer: Writer) -> None:
    made = play(writer)
    board = leaderboard(writer)
    assert [line.rank for line in board] == [1, 2, 3, 4]
    assert [line.score for line in board] == sorted((line.score for line in board), reverse=True)
    for line in board:
        assert (line.game, line.variant, line.version) == ("meow", "expert", 1)
        assert line.score == line.mu - 3 * line.sigma
        version = BOTS.index(line.bot) + 1
        seats = [seat for result in made for seat in result.seats if seat.version == version]
        assert line.matches == len(seats)
        assert line.wins == sum(seat.place == 1 for seat in seats)
        assert line.mean_place == sum(seat.place for seat in seats) / len(seats)
        assert line.faults == sum(seat.ending != PLAYED for seat in seats)
        assert line.changed == "2026-05-17 12:30:00"


def test_a_history_is_evenly_spaced_and_ends_with_the_present(writer: Writer) -> None:
    made = play(writer)
    stored = "SELECT mu - 3 * sigma FROM rating_history WHERE version = ? ORDER BY number"
    for line in leaderboard(writer):
        scores = [score for (score,) in writer.rows(stored, [BOTS.index(line.bot) + 1])]
        assert len(scores) == len(made)
        assert line.history[-1] == line.score == scores[-1]
        numbers = [scores.index(score) for score in line.history]
        steps = {after - before for before, after in pairwise(numbers)}
        assert len(numbers) == SAMPLES
        assert max(steps) - min(steps) <= 1


@pytest.mark.parametrize("count", [1, SAMPLES - 1, SAMPLES, SAMPLES + 1])
def test_a_short_history_is_shown_whole(writer: Writer, count: int) -> None:
    event = new_event(writer, plan(), pairings=PAIRINGS)
    made = [result._replace(rated=True) for result in results(writer, event, pairings=PAIRINGS)]
    Ledger(writer, event.id).finish(made[:count], now=NOW)
    for line in leaderboard(writer):
        assert len(line.history) == min(count, SAMPLES)
        assert len(set(line.history)) == len(line.history)


def test_a_long_history_is_not_gone_through_for_a_few_samples(
    writer: Writer, tmp_path: Path
) -> None:
    play(writer)
    few = effort(tmp_path / "arena.db")
    for version in (1, 2, 3, 4):
        with writer.transaction():
            writer.write_many(
                "INSERT INTO rating_history VALUES (1, ?, ?, 1, 25, 8)",
                [(version, number) for number in range(41, 1041)],
            )
            writer.write("UPDATE ratings SET matches = 1040 WHERE version = ?", [version])
    assert effort(tmp_path / "arena.db") < 2 * few


def test_a_rating_that_somebody_has_robbed_of_its_history_is_told(writer: Writer) -> None:
    play(writer)
    with writer.transaction():
        writer.write("DELETE FROM rating_history WHERE version = 1")
    with pytest.raises(BadLeague, match="lacks some of its history"):
        leaderboard(writer)


def effort(path: Path) -> int:
    """Count the steps that SQLite takes to sample all ratings."""
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    with closing(sqlite3.connect(path)) as connection:
        connection.set_progress_handler(count, 10)
        assert len(rating_courses(Reader(path, connection), SAMPLES)) == 4
    return steps


def test_every_game_and_variant_has_a_leaderboard_of_its_own(writer: Writer) -> None:
    play(writer, "one", "meow")
    play(writer, "two", "trio")
    assert [(line.game, line.rank) for line in leaderboard(writer)][::4] == [
        ("meow", 1),
        ("trio", 1),
    ]
    assert {line.game for line in leaderboard(writer, "trio")} == {"trio"}
    assert leaderboard(writer, "jackal") == []


def test_a_retired_bot_is_not_on_the_leaderboard(writer: Writer) -> None:
    play(writer)
    retire(writer, "bee", now=NOW)
    assert sorted(line.bot for line in leaderboard(writer)) == ["ant", "cat", "dog"]
    assert [line.rank for line in leaderboard(writer)] == [1, 2, 3]


def test_a_variant_without_a_name_is_named_by_what_is_set(writer: Writer) -> None:
    parameters = plan().parameters.replace("vases=pairs", "vases=once")
    event = new_event(writer, plan()._replace(parameters=parameters))
    assert event.variant == "vases=once"


def test_head_to_head_is_the_same_from_both_sides(writer: Writer) -> None:
    made = play(writer)
    lines = {(line.bot, line.opponent): line for line in head_to_head(writer, "meow")}
    assert len(lines) == 4 * 3
    for (bot, opponent), line in lines.items():
        other = lines[opponent, bot]
        assert (line.ahead, line.tied, line.behind) == (other.behind, other.tied, other.ahead)
        assert line.share + other.share == 1
        assert line == expected_meeting(made, bot, opponent)
    assert head_to_head(writer, "trio") == []


def expected_meeting(made: list[Result], bot: str, opponent: str) -> HeadToHead:
    """Count how two bots did in all of these matches."""
    ids = BOTS.index(bot) + 1, BOTS.index(opponent) + 1
    places = [{seat.version: seat.place for seat in result.seats} for result in made]
    leads = [place[ids[1]] - place[ids[0]] for place in places]
    ahead = sum(lead > 0 for lead in leads)
    tied = leads.count(0)
    share = (ahead + tied / 2) / len(leads)
    behind = len(leads) - ahead - tied
    return HeadToHead("meow", "expert", bot, 1, opponent, 1, len(leads), ahead, tied, behind, share)


def test_faults_are_counted_and_the_last_is_told(writer: Writer) -> None:
    made = play(writer)
    faults = [
        (result.number, seat) for result in made for seat in result.seats if seat.ending != PLAYED
    ]
    listed = faults_of_event(writer, 1)
    assert [(fault.match, fault.bot) for fault in listed] == [
        (number, BOTS[seat.version - 1]) for number, seat in faults
    ]
    assert {(fault.sentence, fault.printed) for fault in listed} == {("it crashed", "last words")}
    counts = faults_by_bot(writer)
    assert sum(line.faults for line in counts) == len(faults)
    for line in counts:
        own = [number for number, seat in faults if BOTS[seat.version - 1] == line.bot]
        assert (line.ending, line.last_event, line.last_match) == ("crashed", "spring", own[-1])
        assert faults_by_bot(writer, line.bot) == [line]


def test_a_forfeit_is_no_fault(writer: Writer) -> None:
    event = new_event(writer, plan())
    forfeits = [
        result._replace(
            ending=FORFEIT,
            rated=False,
            seats=tuple(
                seat._replace(ending=FORFEIT, sentence="suspended", printed="")
                for seat in result.seats
            ),
        )
        for result in results(writer, event)
    ]
    Ledger(writer, event.id).finish(forfeits, now=NOW)
    assert not faults_of_event(writer, event.id)
    assert not faults_by_bot(writer)
    assert set(writer.rows("SELECT faults FROM event_standings")) == {(0,)}


def test_standings_of_an_event_are_there_for_datasette(writer: Writer) -> None:
    made = play(writer)
    rows = list(writer.rows("SELECT event, bot, points, matches, byes FROM event_standings"))
    assert [points for _, _, points, _, _ in rows] == sorted(
        (points for _, _, points, _, _ in rows), reverse=True
    )
    for event, bot, points, matches, byes in rows:
        version = BOTS.index(bot) + 1
        own = [seat.points for result in made for seat in result.seats if seat.version == version]
        assert (event, matches, byes) == ("spring", len(made), 0)
        assert points == pytest.approx(sum(own))
