"""Does a frozen bot do nothing between its turns, and play and end as any other?"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import aclosing
from typing import Any

import pytest

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.records import Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.floor import Floor
from arena.referee.players.local import Choose, LocalPlayer, at_random
from arena.referee.players.remote import RemotePlayer
from arena.referee.table import Request
from arena.wire.v1.match_pb2 import FromReferee
from tests.referee.accounts import spending, started_by
from tests.referee.actors import Actor, good_answer
from tests.referee.matches import anybody, bot, children, fixtures, played, timeless

CLOCK = Clock(30.0, 5.0)


class Noting(Actor):
    """Notes what is done to it and what it does; it answers requests one by one."""

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []

    def freeze(self) -> None:
        """Note it."""
        self.notes.append("freeze")

    def thaw(self) -> None:
        """Note it."""
        self.notes.append("thaw")

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Note each answer, and the goodbye."""
        for request in message.requests:
            self.notes.append("answer")
            await call.write(good_answer(request).SerializeToString())
        if message.HasField("goodbye"):
            self.notes.append("goodbye")


def notes(*, tables: int, freeze: bool) -> list[str]:
    """Let a bot note what happens in four matches."""
    actor = Noting()
    player = RemotePlayer(Entrant("noting"), actor.launch)
    played([player, anybody("a")], fixtures(4, 2), tables=tables, clock=CLOCK, freeze=freeze)
    return actor.notes


@pytest.mark.parametrize("tables", [1, 4])
def test_a_bot_is_frozen_whenever_it_owes_nothing(tables: int) -> None:
    noted = notes(tables=tables, freeze=True)
    assert noted.count("answer") > 40
    # It is frozen after its hello and after all its answers, and never once it is taken leave of.
    turns = r"freeze( thaw( answer)+ freeze)+ thaw( goodbye| thaw)+"
    assert re.fullmatch(turns, " ".join(noted))
    assert noted.count("goodbye") == 1


def test_a_bot_is_not_touched_unless_the_floor_freezes() -> None:
    assert not {"freeze", "thaw"} & set(notes(tables=4, freeze=False))


def slowly(game: AnyGame, seed: Seed) -> Choose:
    """Decide at random, and take one's time."""
    choose = at_random(game, seed)

    def choose_slowly(request: Request) -> int:
        time.sleep(0.05)
        return choose(request)

    return choose_slowly


def test_a_frozen_bot_uses_no_processor_time_between_its_turns() -> None:
    def between_turns_s(*, freeze: bool) -> float:
        opponent = LocalPlayer(Entrant("slow"), slowly, is_slow=True)
        clock = Clock(600, counts_cpu=True)
        _, accounts = spending("ponder", 0, opponent, clock=clock, freeze=freeze)
        first, last = accounts[0], accounts[-1]
        return (last.used_s - first.used_s) - (last.charged_s - first.charged_s)

    assert between_turns_s(freeze=True) < between_turns_s(freeze=False) / 4


@pytest.mark.parametrize("sin", ["crash", "hang up"])
def test_results_are_the_same_with_and_without_freezing(sin: str) -> None:
    def records(*, freeze: bool) -> list[Record]:
        players = [bot("honest", "honest.py"), bot("rogue", "rogue.py", sin)]
        matches = fixtures(6, 2, seed=3)
        return played(players, matches, tables=6, clock=CLOCK, freeze=freeze)

    before = children()
    frozen = records(freeze=True)
    assert list(map(timeless, frozen)) == list(map(timeless, records(freeze=False)))
    assert 0 < sum(bool(record.faults) for record in frozen) < 6
    assert children() == before, "a process was left behind"


def test_a_bot_that_stays_frozen_is_ended_all_the_same() -> None:
    async def play() -> None:
        honest = bot("honest", "honest.py")
        processes = started_by(honest)
        floor = Floor([honest, anybody("a")], CLOCK, freeze=True)
        async with aclosing(floor.play(fixtures(2, 2), tables=1)) as matches:
            async for _ in matches:
                processes[0].thaw = lambda: None  # type: ignore[method-assign]
                break

    before = children()
    asyncio.run(play())
    assert children() == before, "a process was left behind"


class Mortal(Noting):
    """Hangs up as it is frozen for the fifth time, and ends when it can: frozen, or thawed."""

    def __init__(self, *, when: str) -> None:
        super().__init__()
        self._when = when

    def freeze(self) -> None:
        """Sleep, or die."""
        super().freeze()
        if self.notes.count("freeze") == 5:
            self.kill()
            self._die("frozen")

    def thaw(self) -> None:
        """Wake up, or die."""
        super().thaw()
        if self.notes.count("freeze") == 5:
            self._die("thawed")

    def _die(self, when: str) -> None:
        if when == self._when:
            self.on_exit()

    def how_it_ended(self) -> str:
        """Say so."""
        return "was ended by SIGKILL"


@pytest.mark.parametrize("when", ["frozen", "thawed"])
def test_a_bot_that_dies_in_its_sleep_is_found_gone(when: str) -> None:
    player = RemotePlayer(Entrant("mortal"), Mortal(when=when).launch)
    # One who takes their time, so that the referee hears of it before it has more to ask.
    other = LocalPlayer(Entrant("slow"), slowly, is_slow=True)
    (record,) = played([player, other], fixtures(1, 2), tables=1, clock=CLOCK, freeze=True)
    (fault,) = record.faults
    assert (fault.seat, fault.ending) == (0, SeatEnding.CRASHED)
    assert fault.sentence.startswith("it was ended by SIGKILL")
