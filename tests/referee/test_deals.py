"""No process is shown a deal twice, whatever the schedule and whichever bot breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.randomness import Seed, derive, seed_from
from arena.games.registry import game_named
from arena.indices import PlayerIndex
from arena.records import Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage, Fixture, MatchInPlay
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
        self._breaks = set(breaks)
        self._rng = rng
        self._messages = 0
        self._blames_machine = rng.random() < 0.5

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Answer after a random delay, or break."""
        mailbox.is_ready = True
        memory: list[Seed] = []
        self.shown.append(memory)
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


async def play_in_blocks(
    players: Sequence[Player], matches: Sequence[Fixture], tables: int, blocks: int
) -> dict[int, Record]:
    """Play matches in several blocks, one after the other, with the same players."""
    referee = Referee(players, CLOCK)
    size = -(-len(matches) // blocks)
    records = {}
    try:
        for first in range(0, len(matches), size):
            block = matches[first : first + size]
            async for fixture, record in referee.play_more(
                block, tables=tables, return_unplayed=True
            ):
                records[fixture.number] = record
    finally:
        await referee.remove_players(*range(len(players)))
    return records


@settings(max_examples=25, deadline=None)
@given(
    schedules(),
    st.lists(st.lists(st.integers(1, 30), max_size=4), min_size=4, max_size=4),
    st.integers(1, 12),
    st.integers(1, 3),
    st.integers(0, 99),
)
def test_no_process_is_shown_a_deal_twice(
    matches: list[Fixture], breaks: list[list[int]], tables: int, blocks: int, pace: int
) -> None:
    rng = Random(pace)
    players = [Rememberer(f"bot-{n}", breaks[n], rng) for n in range(4)]
    records = asyncio.run(play_in_blocks(players, matches, tables, blocks))
    assert sorted(records) == [match.number for match in matches]
    for player in players:
        for shown in player.shown:
            assert len(shown) == len(set(shown))


@settings(max_examples=10, deadline=None)
@given(schedules(), st.integers(2, 12), st.integers(0, 99))
def test_results_do_not_depend_on_which_process_plays(
    matches: list[Fixture], tables: int, pace: int
) -> None:
    def records(tables: int) -> dict[int, Record]:
        players = [Rememberer(f"bot-{n}", (), Random(pace)) for n in range(4)]
        found = asyncio.run(play_in_blocks(players, matches, tables, 1))
        return {number: without_times_or_sentences(record) for number, record in found.items()}

    assert records(tables) == records(1)


def test_matches_ordered_by_rotation_need_one_process_per_rotation() -> None:
    matches = [
        Fixture(
            rotation * 10 + deal,
            GAME,
            GAME.default_parameters,
            derive(seed_from(1), f"deal {deal}"),
            tuple(PlayerIndex((seat + rotation) % 4) for seat in range(4)),
            bytes([rotation, deal]),
        )
        for rotation in range(4)
        for deal in range(10)
    ]
    players = [Rememberer(f"bot-{n}", (), Random(1)) for n in range(4)]
    asyncio.run(play_in_blocks(players, matches, tables=10, blocks=1))
    for player in players:
        assert [len(shown) for shown in player.shown] == [10] * 4


def test_a_mailbox_refuses_a_match_whose_deal_its_process_has_seen() -> None:
    async def seat_twice() -> None:
        mailbox = Mailbox(Referee([], CLOCK).conditions)
        fixture = Fixture(
            7, GAME, GAME.default_parameters, seed_from(1), (PlayerIndex(0), PlayerIndex(1))
        )
        for tag in (1, 2):
            # The table is never used.
            mailbox.add_match(MatchInPlay(fixture, tag, None, [1.0], [1.0], [0]), 0)  # type: ignore[arg-type]

    with pytest.raises(AssertionError, match="match 7: a process sees its deal twice"):
        asyncio.run(seat_twice())
