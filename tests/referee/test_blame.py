"""Blame when a bot breaks at one of many tables."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.indices import PlayerIndex, Seat
from arena.records import Break, Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage
from arena.referee.players.local import Chooser, random_chooser
from arena.referee.players.player import Player
from arena.referee.referee import MAX_FAILED_STARTS, Referee
from arena.referee.table import Answer
from tests.builders.matches import make_fixtures, play_fixtures, without_times_or_sentences

CLOCK = Clock(5.0, 1.0)
MATCHES = 12


class CrashPlan(NamedTuple):
    """The matches in which a bot crashes, by number, and at which of its decisions."""

    decisions: dict[int, int]
    ends: frozenset[int] = frozenset()
    """The matches after which it crashes, however they end."""


class ScriptedCrasher(Player):
    """Handles a whole message before it answers, as the bots of the SDK do."""

    def __init__(self, name: str, plan: CrashPlan, pace: Random) -> None:
        self.entrant = Entrant(name)
        self._plan = plan
        self._pace = pace

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Answer after a random delay, or crash."""
        mailbox.is_ready = True
        choosers: dict[int, Chooser] = {}
        decided: dict[int, int] = {}
        while True:
            await mailbox.wait()
            starts, requests, ends = mailbox.take_all()
            await self._think()
            for match, seat in starts:
                choosers[match.tag] = random_chooser(match.fixture.game, match.bot_seed(seat))
                decided[match.tag] = 0
            actions = []
            for pending in requests:
                match = pending.match
                decided[match.tag] += 1
                if self._plan.decisions.get(match.fixture.number) == decided[match.tag]:
                    return Breakage(SeatEnding.CRASHED, "it crashed")
                actions.append(choosers[match.tag](pending.request))
            for pending, action in zip(requests, actions, strict=True):
                mailbox.answer(pending, Answer(action))
            if any(ended.match.fixture.number in self._plan.ends for ended in ends):
                return Breakage(SeatEnding.CRASHED, "it crashed")

    async def _think(self) -> None:
        for _ in range(self._pace.randrange(4)):
            await asyncio.sleep(0)


def records_of(bots: list[CrashPlan], tables: int, pace: int) -> list[Record]:
    """Play matches between some bots, at many tables at once."""
    rng = Random(pace)
    players = [ScriptedCrasher(f"bot {index}", plan, rng) for index, plan in enumerate(bots)]
    records = play_fixtures(players, make_fixtures(MATCHES, len(bots)), tables=tables, clock=CLOCK)
    return [replace(without_times_or_sentences(record), breaks=()) for record in records]


numbers = st.integers(0, MATCHES - 1)
crash_plans = st.builds(
    CrashPlan, st.dictionaries(numbers, st.integers(1, 5), max_size=6), st.frozensets(numbers)
)


@settings(max_examples=10)
@given(st.lists(crash_plans, min_size=2, max_size=4), st.integers(2, 20), st.integers(0, 99))
def test_crashes_in_a_match_do_not_depend_on_the_other_matches(
    bots: list[CrashPlan], tables: int, pace: int
) -> None:
    assert records_of(bots, tables, pace) == records_of(bots, 1, 0)


@pytest.mark.parametrize("tables", [1, 4, MATCHES])
def test_a_crash_is_blamed_only_on_the_match_in_which_it_happened(tables: int) -> None:
    bots = [CrashPlan({3: 1, 4: 2, 7: 2, 8: 5}), CrashPlan({4: 1, 5: 3}), CrashPlan({})]
    records = records_of(bots, tables, pace=tables)
    crashed = [
        {n for n, record in enumerate(records) if record.ending_of(seat) is SeatEnding.CRASHED}
        for seat in range(3)
    ]
    assert crashed[0] - {8} == {3, 4, 7}, "match 8 may end before the fifth decision"
    assert crashed[1:] == [{4, 5}, set()]


@pytest.mark.parametrize("tables", [1, 4, MATCHES])
def test_a_crash_after_the_end_of_a_match_costs_nothing(tables: int) -> None:
    bots = [CrashPlan({}, frozenset(range(MATCHES))), CrashPlan({})]
    assert [record.faults for record in records_of(bots, tables, pace=1)] == [()] * MATCHES


class CrashesInCrowd(Player):
    """Crashes only when it is asked for several decisions at once."""

    entrant = Entrant("crashes-in-crowd")

    def __init__(self, crashes: int) -> None:
        """Crash this many times."""
        self._crashes = crashes

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Answer, or crash."""
        while True:
            await mailbox.wait()
            _, requests, _ = mailbox.take_all()
            if len(requests) > 1 and self._crashes:
                self._crashes -= 1
                return Breakage(SeatEnding.CRASHED, "it crashed in the crowd")
            for pending in requests:
                actions = pending.match.fixture.game.legal_actions(pending.request.view)
                mailbox.answer(pending, Answer(actions[0]))


@pytest.mark.parametrize("crashes", [1, 2, 3])
def test_a_breakage_that_no_match_explains_is_still_recorded(crashes: int) -> None:
    others = [ScriptedCrasher(name, CrashPlan({}), Random(1)) for name in ("a", "b")]
    players = [others[0], CrashesInCrowd(crashes), others[1]]
    records = play_fixtures(players, make_fixtures(MATCHES, 3), tables=4, clock=CLOCK)
    assert [record.faults for record in records] == [()] * MATCHES
    breaks = [each for record in records for each in record.breaks]
    assert breaks == [Break(Seat(1), SeatEnding.CRASHED, "it crashed in the crowd")] * crashes


@settings(max_examples=15)
@given(
    st.lists(
        st.dictionaries(numbers, st.integers(1, 5), max_size=6).map(CrashPlan),
        min_size=2,
        max_size=4,
    ),
    st.integers(2, 20),
    st.integers(0, 99),
)
def test_crashes_that_faults_explain_are_not_also_recorded_as_breakages(
    bots: list[CrashPlan], tables: int, pace: int
) -> None:
    rng = Random(pace)
    players = [ScriptedCrasher(f"bot {index}", plan, rng) for index, plan in enumerate(bots)]
    records = play_fixtures(players, make_fixtures(MATCHES, len(bots)), tables=tables, clock=CLOCK)
    assert [record.breaks for record in records] == [()] * MATCHES


class NeverStarts(Player):
    """Never sends Hello."""

    entrant = Entrant("never-starts")
    starts = 0

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Break before any message."""
        self.starts += 1
        return Breakage(SeatEnding.NO_HELLO, "it did not say hello")


@pytest.mark.parametrize("tables", [1, 4, MATCHES])
def test_a_bot_that_never_starts_is_not_restarted_while_others_crash(tables: int) -> None:
    never_starts = NeverStarts()
    others = [
        ScriptedCrasher(name, CrashPlan({2: 2, 3: 1, 6: 2}), Random(tables)) for name in ("a", "b")
    ]
    records = play_fixtures(
        [*others, never_starts], make_fixtures(MATCHES, 3), tables=tables, clock=CLOCK
    )
    assert {record.ending_of(2) for record in records} == {SeatEnding.NO_HELLO}
    assert never_starts.starts == MAX_FAILED_STARTS


class Guesser(Player):
    """Breaks once, naming a match that it does not know; afterwards it answers all requests."""

    entrant = Entrant("guesser")
    has_guessed = False

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Wait until there are unknown matches to name, or answer."""
        while True:
            await mailbox.wait()
            _, requests, _ = mailbox.take_all()
            if requests and not self.has_guessed:
                self.has_guessed = True
                while len(mailbox.starts) < 2 or not mailbox.requests:
                    await asyncio.sleep(0)
                guess = mailbox.requests[0].number
                return Breakage(SeatEnding.NONSENSE, "it guessed", guess)
            for pending in requests:
                actions = pending.match.fixture.game.legal_actions(pending.request.view)
                mailbox.answer(pending, Answer(actions[0]))


def test_a_bot_cannot_harm_a_match_that_it_does_not_know_by_guessing_its_number() -> None:
    guesser, slow, third = map(PlayerIndex, range(3))
    # While the guesser has not answered, the others finish, and more of its matches begin.
    seatings = [(guesser, third), (slow, third), (slow, third), (guesser, slow), (guesser, slow)]
    matches = [
        replace(fixture, seating=seating)
        for fixture, seating in zip(make_fixtures(5, 2), seatings, strict=True)
    ]
    others = [ScriptedCrasher(name, CrashPlan({}), Random(1)) for name in ("slow", "third")]
    records = play_fixtures([Guesser(), *others], matches, tables=3, clock=CLOCK)
    faults = [[(fault.seat, fault.ending) for fault in record.faults] for record in records]
    assert faults == [[(0, SeatEnding.NONSENSE)], [], [], [], []]


def test_a_message_with_no_match_in_it_does_not_hide_the_ones_before() -> None:
    mailbox = Mailbox(Referee([NeverStarts()], CLOCK).conditions)
    mailbox.last_message_tags = {7}
    # What waited was voided. A process that then ends has still had a match.
    mailbox.take_all()
    assert mailbox.last_message_tags == {7}
