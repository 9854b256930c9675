"""Who is blamed when a bot breaks at one of its many tables?"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.records import Break, Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.desk import Breakage, Desk, Player
from arena.referee.floor import STARTS
from arena.referee.players.local import Choose, at_random
from arena.referee.table import Answer
from tests.referee.matches import fixtures, played, timeless

CLOCK = Clock(5.0, 1.0)
MATCHES = 12


class Dislikes(NamedTuple):
    """By number, the matches in which a bot crashes, and at which of its decisions there."""

    decisions: dict[int, int]
    ends: frozenset[int] = frozenset()
    """The matches of whose end it does not like to hear, however they end."""


class Moody(Player):
    """Decides about all that it is told before it answers, as the bots of the SDK do."""

    def __init__(self, name: str, dislikes: Dislikes, pace: Random) -> None:
        self.entrant = Entrant(name)
        self._dislikes = dislikes
        self._pace = pace

    async def play(self, desk: Desk) -> Breakage:
        """Answer, more or less quickly, or crash."""
        desk.was_greeted = True
        choosers: dict[int, Choose] = {}
        decided: dict[int, int] = {}
        while True:
            await desk.wait()
            starts, requests, ends = desk.hand_over()
            await self._think()
            for match, seat in starts:
                choosers[match.tag] = at_random(match.fixture.game, match.bot_seed(seat))
                decided[match.tag] = 0
            actions = []
            for pending in requests:
                match = pending.match
                decided[match.tag] += 1
                if self._dislikes.decisions.get(match.fixture.number) == decided[match.tag]:
                    return Breakage(SeatEnding.CRASHED, "it crashed")
                actions.append(choosers[match.tag](pending.request))
            for pending, action in zip(requests, actions, strict=True):
                desk.answer(pending, Answer(action))
            if any(ended.match.fixture.number in self._dislikes.ends for ended in ends):
                return Breakage(SeatEnding.CRASHED, "it crashed")

    async def _think(self) -> None:
        for _ in range(self._pace.randrange(4)):
            await asyncio.sleep(0)


def records_of(bots: list[Dislikes], tables: int, pace: int) -> list[Record]:
    """Let some bots play each other, at so many tables at once."""
    rng = Random(pace)
    players = [Moody(f"bot {place}", dislikes, rng) for place, dislikes in enumerate(bots)]
    records = played(players, fixtures(MATCHES, len(bots)), tables=tables, clock=CLOCK)
    return [replace(timeless(record), breaks=()) for record in records]


numbers = st.integers(0, MATCHES - 1)
moods = st.builds(
    Dislikes, st.dictionaries(numbers, st.integers(1, 5), max_size=6), st.frozensets(numbers)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(moods, min_size=2, max_size=4), st.integers(2, 20), st.integers(0, 99))
def test_who_crashes_in_which_match_does_not_depend_on_what_else_is_played(
    bots: list[Dislikes], tables: int, pace: int
) -> None:
    assert records_of(bots, tables, pace) == records_of(bots, 1, 0)


@pytest.mark.parametrize("tables", [1, 4, MATCHES])
def test_a_crash_is_blamed_on_the_match_that_it_happened_in_and_on_no_other(tables: int) -> None:
    bots = [Dislikes({3: 1, 4: 2, 7: 2, 8: 5}), Dislikes({4: 1, 5: 3}), Dislikes({})]
    records = records_of(bots, tables, pace=tables)
    crashed = [
        {n for n, record in enumerate(records) if record.ending_of(seat) is SeatEnding.CRASHED}
        for seat in range(3)
    ]
    assert crashed[0] - {8} == {3, 4, 7}, "it may be that the match is over before the fifth"
    assert crashed[1:] == [{4, 5}, set()]


@pytest.mark.parametrize("tables", [1, 4, MATCHES])
def test_a_bot_that_crashes_when_a_match_is_over_has_lost_nothing(tables: int) -> None:
    bots = [Dislikes({}, frozenset(range(MATCHES))), Dislikes({})]
    assert [record.faults for record in records_of(bots, tables, pace=1)] == [()] * MATCHES


class Crowded(Player):
    """Crashes when it is asked for several decisions at once, and at no other time."""

    entrant = Entrant("crowded")

    def __init__(self, crashes: int) -> None:
        """Say how often."""
        self._crashes = crashes

    async def play(self, desk: Desk) -> Breakage:
        """Answer, or crash."""
        while True:
            await desk.wait()
            _, requests, _ = desk.hand_over()
            if len(requests) > 1 and self._crashes:
                self._crashes -= 1
                return Breakage(SeatEnding.CRASHED, "it crashed in the crowd")
            for pending in requests:
                actions = pending.match.fixture.game.legal_actions(pending.request.view)
                desk.answer(pending, Answer(actions[0]))


@pytest.mark.parametrize("crashes", [1, 2, 3])
def test_a_breakage_that_no_match_explains_is_entered_all_the_same(crashes: int) -> None:
    others = [Moody(name, Dislikes({}), Random(1)) for name in ("a", "b")]
    players = [others[0], Crowded(crashes), others[1]]
    records = played(players, fixtures(MATCHES, 3), tables=4, clock=CLOCK)
    assert [record.faults for record in records] == [()] * MATCHES
    breaks = [each for record in records for each in record.breaks]
    assert breaks == [Break(1, SeatEnding.CRASHED, "it crashed in the crowd")] * crashes


@pytest.mark.parametrize("tables", [1, 4, MATCHES])
def test_a_breakage_that_a_fault_explains_is_entered_as_that_fault_alone(tables: int) -> None:
    bots = [Dislikes({3: 1, 4: 2, 7: 2}), Dislikes({5: 3})]
    players = [Moody(f"bot {place}", mood, Random(2)) for place, mood in enumerate(bots)]
    records = played(players, fixtures(MATCHES, 2), tables=tables, clock=CLOCK)
    assert sum(len(record.faults) for record in records) == 4
    assert [record.breaks for record in records] == [()] * MATCHES


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.dictionaries(numbers, st.integers(1, 5), max_size=6).map(Dislikes),
        min_size=2,
        max_size=4,
    ),
    st.integers(2, 20),
    st.integers(0, 99),
)
def test_a_bot_that_crashes_only_where_a_fault_shows_it_has_no_breakages_besides(
    bots: list[Dislikes], tables: int, pace: int
) -> None:
    rng = Random(pace)
    players = [Moody(f"bot {place}", mood, rng) for place, mood in enumerate(bots)]
    records = played(players, fixtures(MATCHES, len(bots)), tables=tables, clock=CLOCK)
    assert [record.breaks for record in records] == [()] * MATCHES


class Shy(Player):
    """Never says hello."""

    entrant = Entrant("shy")
    starts = 0

    async def play(self, desk: Desk) -> Breakage:
        """Break before anything is said."""
        self.starts += 1
        return Breakage(SeatEnding.NO_HELLO, "it did not say hello")


@pytest.mark.parametrize("tables", [1, 4, MATCHES])
def test_a_bot_that_never_starts_is_not_tried_again_while_others_crash(tables: int) -> None:
    shy = Shy()
    others = [Moody(name, Dislikes({2: 2, 3: 1, 6: 2}), Random(tables)) for name in ("a", "b")]
    records = played([*others, shy], fixtures(MATCHES, 3), tables=tables, clock=CLOCK)
    assert {record.ending_of(2) for record in records} == {SeatEnding.NO_HELLO}
    assert shy.starts == STARTS


class Guesser(Player):
    """Breaks once over a match of which it has not heard, and answers whatever it is asked then."""

    entrant = Entrant("guesser")
    has_guessed = False

    async def play(self, desk: Desk) -> Breakage:
        """Wait for matches to guess, or answer."""
        while True:
            await desk.wait()
            _, requests, _ = desk.hand_over()
            if requests and not self.has_guessed:
                self.has_guessed = True
                while len(desk.starts) < 2 or not desk.requests:
                    await asyncio.sleep(0)
                guess = desk.requests[0].number
                return Breakage(SeatEnding.NONSENSE, "it guessed", guess)
            for pending in requests:
                actions = pending.match.fixture.game.legal_actions(pending.request.view)
                desk.answer(pending, Answer(actions[0]))


def test_a_bot_that_guesses_at_a_match_that_it_does_not_know_can_do_nothing_there() -> None:
    guesser, slow, third = 0, 1, 2
    # While the guesser owes its first answer, the others finish, and more of its matches begin.
    seatings = [(guesser, third), (slow, third), (slow, third), (guesser, slow), (guesser, slow)]
    matches = [
        replace(fixture, seating=seating)
        for fixture, seating in zip(fixtures(5, 2), seatings, strict=True)
    ]
    others = [Moody(name, Dislikes({}), Random(1)) for name in ("slow", "third")]
    records = played([Guesser(), *others], matches, tables=3, clock=CLOCK)
    faults = [[(fault.seat, fault.ending) for fault in record.faults] for record in records]
    assert faults == [[(0, SeatEnding.NONSENSE)], [], [], [], []]
