"""Does a bot that misbehaves lose its own match, and nothing else?"""

from __future__ import annotations

import re

import pytest

from arena.games.randomness import derive
from arena.records import Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.desk import Fixture
from tests.referee.matches import anybody, bot, children, fixtures, played, timeless

CLOCK = Clock(2.0, 0.5)
SEATS = 3
SINS = {
    "illegal": (SeatEnding.ILLEGAL_ACTION, r"seat 1 may not play 1000000: there is no such card"),
    "no action": (SeatEnding.NONSENSE, r"has no action of that game"),
    "wrong game": (SeatEnding.NONSENSE, r"has no action of that game"),
    "overrun": (SeatEnding.OVERRUN, r"it had \d\.\d{3} s left and did not answer in that time"),
    "crash": (SeatEnding.CRASHED, r"it ended with exit code 3 "),
    "crash by signal": (SeatEnding.CRASHED, r"it was ended by SIGSEGV "),
    "hang up": (SeatEnding.HUNG_UP, r"it closed the conversation instead of answering"),
    "fade away": (SeatEnding.HUNG_UP, r"it closed the conversation instead of answering"),
    "unparsable": (SeatEnding.NONSENSE, r"it sent 4 bytes that are not a message"),
    "empty message": (SeatEnding.NONSENSE, r"it said nothing"),
    "empty answer": (SeatEnding.NONSENSE, r"it sent an empty answer"),
    "hello again": (SeatEnding.NONSENSE, r"it said hello again"),
    "wrong match": (SeatEnding.NONSENSE, r"it answered a match that had not asked it"),
    "wrong number": (SeatEnding.NONSENSE, r"it answered decision 3, not 2"),
    "twice": (SeatEnding.NONSENSE, r"it answered a match twice"),
    "unasked": (SeatEnding.NONSENSE, r"it answered a match that had not asked it|not \d+"),
    "too big": (SeatEnding.NONSENSE, r"it sent \d{7} bytes at once; at most 1048576 are allowed"),
    "flood": (SeatEnding.NONSENSE, r"it answered a match that had not asked it|not \d+"),
}
BY_CHANCE = ("overrun", "unasked", "flood")
"""What is said of these depends on what came first, or on the clock."""
BEFORE = {
    "never starts": (SeatEnding.CRASHED, r"it ended with exit code 7 before it said hello"),
    "no hello": (SeatEnding.NO_HELLO, r"it did not say hello within 0\.3 s"),
    "wrong version": (SeatEnding.WRONG_VERSION, r"it speaks protocol 2; this referee speaks 1"),
    "no hello but an answer": (SeatEnding.NONSENSE, r"its first message is not a hello"),
}


def is_doomed(fixture: Fixture) -> bool:
    """Tell whether the rogue in seat 1 sins in this match."""
    return derive(fixture.seed, "bot 1")[0] % 4 == 0


def against_honest(sin: str, matches: list[Fixture], tables: int) -> list[Record]:
    """Play a rogue in seat 1 against an honest bot and somebody at random."""
    limit = 0.3 if sin == "no hello" else 20.0
    players = [
        bot("honest", "honest.py"),
        bot("rogue", "rogue.py", sin, start_limit_s=limit),
        anybody("random"),
    ]
    return played(players, matches, tables=tables, clock=CLOCK)


def sentences(records: list[Record]) -> list[str]:
    """List what is said of faults."""
    return [fault.sentence for record in records for fault in record.faults]


@pytest.mark.parametrize("sin", SINS)
def test_a_sin_costs_exactly_the_matches_in_which_it_is_committed(sin: str) -> None:
    ending, sentence = SINS[sin]
    before = children()
    few = fixtures(4 if sin == "overrun" else 8, SEATS)
    assert any(map(is_doomed, few))
    assert not all(map(is_doomed, few))
    records = against_honest(sin, few, tables=1)
    for fixture, record in zip(few, records, strict=True):
        if not is_doomed(fixture):
            assert record.faults == ()
            continue
        (fault,) = record.faults
        assert (fault.seat, fault.ending) == (1, ending)
        assert re.search(sentence, fault.sentence), fault.sentence
        assert record.places[1] == SEATS
        assert len(fault.request) > 0
        assert fault.time_left_s is not None
        if sin == "crash":
            assert b"I cannot go on" in fault.stderr
    assert children() == before, "a process was left behind"


@pytest.mark.parametrize("sin", SINS)
def test_at_32_tables_every_result_is_the_same_as_at_one(sin: str) -> None:
    before = children()
    many = fixtures(12 if sin == "overrun" else 32, SEATS)
    at_once = against_honest(sin, many, tables=32)
    alone = against_honest(sin, many[:8], tables=1)
    assert [timeless(record) for record in at_once[:8]] == [timeless(r) for r in alone]
    if sin not in BY_CHANCE:
        assert sentences(at_once[:8]) == sentences(alone)
    for fixture, record in zip(many, at_once, strict=True):
        faults = [(fault.seat, fault.ending) for fault in record.faults]
        assert faults == ([(1, SINS[sin][0])] if is_doomed(fixture) else [])
    assert children() == before, "a process was left behind"


@pytest.mark.parametrize("sin", BEFORE)
@pytest.mark.parametrize("tables", [1, 32])
def test_a_bot_that_does_not_begin_forfeits_and_the_others_play(sin: str, tables: int) -> None:
    ending, sentence = BEFORE[sin]
    before = children()
    records = against_honest(sin, fixtures(tables, SEATS), tables=tables)
    for record in records:
        (fault,) = record.faults
        assert (fault.seat, fault.ending) == (1, ending)
        assert re.search(sentence, fault.sentence), fault.sentence
        assert record.places[1] == SEATS
        assert sum(decision.how.value == "chosen" for decision in record.decisions) > 20
    assert children() == before, "a process was left behind"
