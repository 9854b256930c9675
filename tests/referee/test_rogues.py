"""A bot that misbehaves loses its own match, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Any

import pytest

from arena.games.randomness import derive
from arena.records import Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.model import Fixture
from arena.referee.players.connection import DRIVER, Driver
from tests.builders.matches import (
    child_processes,
    make_fixtures,
    play_fixtures,
    random_player,
    rogue,
    without_times_or_sentences,
)

GENEROUS, SHORT = Clock(60.0, 5.0), Clock(2.0, 0.5)
SEATS = 3
MANY = make_fixtures(12, SEATS)
FEW = [MANY[number] for number in (1, 2, 4)]
"""The rogue misbehaves in the second of them."""
MISDEEDS = {
    "illegal": (SeatEnding.ILLEGAL_ACTION, r"seat 1 may not play 1000000: there is no such card"),
    "no action": (SeatEnding.NONSENSE, r"has no action of this game"),
    "wrong game": (SeatEnding.NONSENSE, r"has no action of this game"),
    "overrun": (SeatEnding.OVERRUN, r"it had \d\.\d{3} s left and did not answer in that time"),
    "crash": (SeatEnding.CRASHED, r"it ended with exit code 3 "),
    "crash by signal": (SeatEnding.CRASHED, r"it was ended by SIGSEGV "),
    "hang up": (SeatEnding.HUNG_UP, r"it closed the connection instead of answering"),
    "fade away": (SeatEnding.HUNG_UP, r"it closed the connection instead of answering"),
    "unparsable": (SeatEnding.NONSENSE, r"it sent 4 bytes that are not a valid message"),
    "empty message": (SeatEnding.NONSENSE, r"it sent a message without content"),
    "empty answer": (SeatEnding.NONSENSE, r"it sent an answer without decisions"),
    "hello again": (SeatEnding.NONSENSE, r"it sent a second Hello"),
    "wrong match": (
        SeatEnding.NONSENSE,
        r"it answered without being asked",
    ),
    "wrong number": (SeatEnding.NONSENSE, r"it answered decision 3, not 2"),
    "twice": (SeatEnding.NONSENSE, r"it answered twice in the same match"),
    "unasked": (
        SeatEnding.NONSENSE,
        r"it answered without being asked|not \d+",
    ),
    "too big": (SeatEnding.NONSENSE, r"it sent \d{7} bytes in one message; the limit is 1048576"),
    "flood": (
        SeatEnding.NONSENSE,
        r"it answered without being asked|not \d+|too many frames without a message",
    ),
}
TIMING_DEPENDENT = ("overrun", "unasked", "flood")
"""Misdeeds whose sentences depend on timing."""
HANGS_UP = ("hang up", "fade away")
USUAL = (
    "illegal",
    "no action",
    "overrun",
    "crash",
    "hang up",
    "unparsable",
    "wrong number",
    "too big",
    "flood",
)
"""One of each kind; the others are tried with the slow tests."""
FAILED_STARTS = {
    "never starts": (SeatEnding.CRASHED, r"it ended with exit code 7 before it sent Hello"),
    "no hello": (SeatEnding.NO_HELLO, r"it sent no Hello within 0\.3 s"),
    "wrong version": (SeatEnding.WRONG_VERSION, r"it uses protocol 2; this referee uses 1"),
    "no hello but an answer": (SeatEnding.NONSENSE, r"its first message is not Hello"),
}


def slow_unless(misdeeds: Iterable[str], usual: Container[str]) -> list[Any]:
    """List misdeeds as parameters; unusual ones are slow."""
    return [
        misdeed if misdeed in usual else pytest.param(misdeed, marks=pytest.mark.slow)
        for misdeed in misdeeds
    ]


@pytest.fixture(autouse=True)
def _brief_wait_for_whoever_hangs_up(request: pytest.FixtureRequest) -> None:
    if request.node.callspec.params.get("misdeed") in HANGS_UP:
        request.getfixturevalue("short_crash_window")


def is_doomed(fixture: Fixture) -> bool:
    """Return whether the rogue in seat 1 misbehaves in this match."""
    return derive(fixture.seed, "bot 1")[0] % 4 == 0


def against_honest(misdeed: str, matches: list[Fixture], tables: int) -> list[Record]:
    """Play a rogue in seat 1 against an honest bot and a random player."""
    limit = 0.3 if misdeed == "no hello" else 60.0
    clock = SHORT if misdeed == "overrun" else GENEROUS
    players = [
        rogue("honest", "honest.py"),
        rogue("rogue", "rogue.py", misdeed, start_limit_s=limit),
        random_player("random"),
    ]
    return play_fixtures(players, matches, tables=tables, clock=clock)


def sentences(records: list[Record]) -> list[str]:
    """List the sentences of faults."""
    return [fault.sentence for record in records for fault in record.faults]


@pytest.mark.usefixtures("driver")
@pytest.mark.parametrize("misdeed", slow_unless(MISDEEDS, USUAL))
def test_a_misdeed_costs_exactly_the_matches_in_which_it_is_committed(misdeed: str) -> None:
    ending, sentence = MISDEEDS[misdeed]
    before = child_processes()
    assert list(map(is_doomed, FEW)) == [False, True, False]
    records = against_honest(misdeed, FEW, tables=1)
    for fixture, record in zip(FEW, records, strict=True):
        if not is_doomed(fixture):
            assert record.faults == ()
            continue
        (fault,) = record.faults
        assert (fault.seat, fault.ending) == (1, ending)
        assert re.search(sentence, fault.sentence), fault.sentence
        assert record.places[1] == SEATS
        # A flood may break the connection while another seat is asked.
        assert fault.request or misdeed == "flood"
        assert fault.time_left_s is not None
        if misdeed == "crash":
            assert b"I cannot go on" in fault.printed
    assert child_processes() <= before, "a process was left behind"


@pytest.mark.usefixtures("driver")
@pytest.mark.parametrize("misdeed", slow_unless(MISDEEDS, ["illegal", "crash"]))
def test_results_at_many_tables_are_the_same_as_at_one(misdeed: str) -> None:
    before = child_processes()
    at_once = against_honest(misdeed, MANY, tables=len(MANY))
    one_by_one = against_honest(misdeed, FEW, tables=1)
    same = [at_once[fixture.number] for fixture in FEW]
    assert [without_times_or_sentences(record) for record in same] == [
        without_times_or_sentences(record) for record in one_by_one
    ]
    if misdeed not in TIMING_DEPENDENT:
        assert sentences(same) == sentences(one_by_one)
    for fixture, record in zip(MANY, at_once, strict=True):
        faults = [(fault.seat, fault.ending) for fault in record.faults]
        assert faults == ([(1, MISDEEDS[misdeed][0])] if is_doomed(fixture) else [])
    assert child_processes() <= before, "a process was left behind"


@pytest.mark.usefixtures("driver")
@pytest.mark.parametrize("misdeed", FAILED_STARTS)
@pytest.mark.parametrize("tables", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_a_bot_that_does_not_start_forfeits_and_the_others_play(misdeed: str, tables: int) -> None:
    ending, sentence = FAILED_STARTS[misdeed]
    before = child_processes()
    records = against_honest(misdeed, make_fixtures(tables, SEATS), tables=tables)
    for record in records:
        (fault,) = record.faults
        assert (fault.seat, fault.ending) == (1, ending)
        assert re.search(sentence, fault.sentence), fault.sentence
        assert record.places[1] == SEATS
        assert sum(decision.how.value == "chosen" for decision in record.decisions) > 20
    assert child_processes() <= before, "a process was left behind"


@pytest.mark.parametrize(
    "misdeed", slow_unless(["crash", "hang up", "unparsable", "too big", "flood"], ["flood"])
)
def test_both_drivers_of_grpc_give_the_same_records(
    misdeed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = []
    for each in Driver:
        monkeypatch.setenv(DRIVER, each.value)
        played = against_honest(misdeed, FEW, tables=len(FEW))
        records.append([without_times_or_sentences(record) for record in played])
    assert records[0] == records[1]
