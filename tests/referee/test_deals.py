"""Nobody who was shown a deal is there when it is played again, whichever bot breaks."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.randomness import Seed, derive, seed_from
from arena.games.registry import game_named
from arena.indices import PlayerIndex
from arena.records import Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage, Fixture
from arena.referee.players.local import Chooser, random_chooser
from arena.referee.players.player import Player
from arena.referee.referee import Referee
from arena.referee.table import Answer
from tests.builders.matches import without_times_or_sentences

CLOCK = Clock(5.0, 1.0)
GAME = game_named("meow")
DEALS = 3


class Rememberer(Player):
    """Records the deals that each of its processes is shown, and breaks now and then."""

    def __init__(self, name: str, breaks: Sequence[int], rng: Random) -> None:
        """Break at these messages, counted over all processes."""
        self.entrant = Entrant(name)
        self.shown: list[list[Seed]] = []
        """By process."""
        self.running = 0
        self._breaks = set(breaks)
        self._rng = rng
        self._messages = 0
        self._blames_machine = rng.random() < 0.5

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Answer after a random delay, or break."""
        mailbox.is_ready = True
        memory: list[Seed] = []
        self.shown.append(memory)
        self.running += 1
        try:
            return await self._answer(mailbox, memory)
        finally:
            self.running -= 1

    async def _answer(self, mailbox: Mailbox, memory: list[Seed]) -> Breakage:
        choosers: dict[int, Chooser] = {}
        while True:
            await mailbox.wait()
            starts, requests, _ = mailbox.take_all()
            for match, seat in starts:
                memory.append(match.fixture.seed)
                choosers[match.tag] = random_chooser(match.fixture.game, match.bot_seed(seat))
            for _ in range(self._rng.randrange(3)):
                await asyncio.sleep(0)
            self._messages += 1
            if requests and self._messages in self._breaks:
                # At most once: the referee gives up if the machine voids a match too often.
                is_machine_fault, self._blames_machine = self._blames_machine, False
                return Breakage(SeatEnding.CRASHED, "it crashed", is_machine_fault=is_machine_fault)
            for pending in requests:
                mailbox.answer(pending, Answer(choosers[pending.match.tag](pending.request)))


@st.composite
def schedules(draw: st.DrawFn) -> list[Fixture]:
    """Draw matches of a few deals, between some of four players, in any order and seats."""
    matches = []
    for number in range(draw(st.integers(1, 12))):
        deal = derive(seed_from(1), f"deal {draw(st.integers(0, DEALS - 1))}")
        order = draw(st.permutations([PlayerIndex(player) for player in range(4)]))
        seating = tuple(order[: draw(st.integers(2, 4))])
        salt = bytes([number])
        matches.append(Fixture(number, GAME, GAME.default_parameters, deal, seating, salt))
    return matches


async def play_sealed(
    players: Sequence[Rememberer], matches: Sequence[Fixture], tables: int
) -> dict[int, Record]:
    """Play matches in generations, each with at most one match of a deal."""
    referee = Referee(players, CLOCK, sealed=True)
    left = deque(matches)
    records: dict[int, Record] = {}
    try:
        while left:
            generation = {match.seed: match for match in reversed(left)}
            for match in generation.values():
                left.remove(match)
            async for fixture, record in referee.play_more(generation.values(), tables=tables):
                if record:
                    records[fixture.number] = record
                else:
                    left.append(fixture)
            await referee.end_processes()
            assert not any(player.running for player in players)
    finally:
        await referee.remove_players(*map(PlayerIndex, range(len(players))))
    return records


@given(
    schedules(),
    st.lists(st.lists(st.integers(1, 30), max_size=4), min_size=4, max_size=4),
    st.integers(1, 12),
    st.integers(0, 99),
)
def test_a_void_match_is_not_repeated_while_those_who_know_its_deal_are_there(
    matches: list[Fixture], breaks: list[list[int]], tables: int, pace: int
) -> None:
    rng = Random(pace)
    players = [Rememberer(f"bot-{n}", breaks[n], rng) for n in range(4)]
    records = asyncio.run(play_sealed(players, matches, tables))
    assert sorted(records) == [match.number for match in matches]
    for player in players:
        for shown in player.shown:
            assert len(shown) == len(set(shown))


@settings(max_examples=10)
@given(schedules(), st.integers(2, 12), st.integers(0, 99))
def test_results_do_not_depend_on_which_process_plays(
    matches: list[Fixture], tables: int, pace: int
) -> None:
    def records(tables: int) -> dict[int, Record]:
        players = [Rememberer(f"bot-{n}", (), Random(pace)) for n in range(4)]
        found = asyncio.run(play_sealed(players, matches, tables))
        return {number: without_times_or_sentences(record) for number, record in found.items()}

    assert records(tables) == records(1)
