"""A frozen bot does nothing between its turns, and plays and ends like any other."""

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
from arena.referee.players.local import Chooser, LocalPlayer, random_chooser
from arena.referee.players.remote import RemotePlayer
from arena.referee.referee import Referee
from arena.referee.table import DecisionRequest
from arena.wire.v1.match_pb2 import FromReferee
from tests.builders.matches import (
    child_processes,
    make_fixtures,
    play_fixtures,
    random_player,
    rogue,
    without_times_or_sentences,
)
from tests.referee.fake_bots import FakeBot, good_answer
from tests.referee.time_accounts import record_processes

CLOCK = Clock(30.0, 5.0)


class RecordingBot(FakeBot):
    """Records calls and answers; it answers requests one by one."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def freeze(self) -> None:
        """Record it."""
        self.calls.append("freeze")

    def thaw(self) -> None:
        """Record it."""
        self.calls.append("thaw")

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Record each answer, and Goodbye."""
        for request in message.requests:
            self.calls.append("answer")
            await call.write(good_answer(request).SerializeToString())
        if message.HasField("goodbye"):
            self.calls.append("goodbye")


def recorded_calls(*, tables: int, freeze: bool) -> list[str]:
    """Return what a bot recorded in four matches."""
    fake = RecordingBot()
    player = RemotePlayer(Entrant("noting"), fake.launch)
    play_fixtures(
        [player, random_player("a")], make_fixtures(4, 2), tables=tables, clock=CLOCK, freeze=freeze
    )
    return fake.calls


@pytest.mark.parametrize("tables", [1, 4])
def test_a_bot_is_frozen_whenever_no_answer_is_expected(tables: int) -> None:
    recorded = recorded_calls(tables=tables, freeze=True)
    assert recorded.count("answer") > 40
    # It is frozen after Hello and after its last answer of a message, and never after Goodbye.
    turns = r"freeze( thaw( answer)+ freeze)+ thaw( goodbye| thaw)+"
    assert re.fullmatch(turns, " ".join(recorded))
    assert recorded.count("goodbye") == 1


def test_a_bot_is_not_frozen_unless_the_referee_freezes() -> None:
    assert not {"freeze", "thaw"} & set(recorded_calls(tables=4, freeze=False))


def slow_chooser(game: AnyGame, seed: Seed) -> Chooser:
    """Decide at random, slowly."""
    choose = random_chooser(game, seed)

    def choose_slowly(request: DecisionRequest) -> int:
        time.sleep(0.05)
        return choose(request)

    return choose_slowly


@pytest.mark.usefixtures("short_crash_window")
@pytest.mark.parametrize("misdeed", ["hang up", pytest.param("crash", marks=pytest.mark.slow)])
def test_results_are_the_same_with_and_without_freezing(misdeed: str) -> None:
    def records(*, freeze: bool) -> list[Record]:
        players = [rogue("honest", "honest.py"), rogue("rogue", "rogue.py", misdeed)]
        matches = make_fixtures(6, 2, seed=3)
        return play_fixtures(players, matches, tables=6, clock=CLOCK, freeze=freeze)

    before = child_processes()
    frozen = records(freeze=True)
    assert list(map(without_times_or_sentences, frozen)) == list(
        map(without_times_or_sentences, records(freeze=False))
    )
    assert 0 < sum(bool(record.faults) for record in frozen) < 6
    assert child_processes() <= before, "a process was left behind"


def test_a_bot_that_stays_frozen_is_still_ended() -> None:
    async def play() -> None:
        honest = rogue("honest", "honest.py")
        processes = record_processes(honest)
        referee = Referee([honest, random_player("a")], CLOCK, freeze=True)
        async with aclosing(referee.play(make_fixtures(2, 2), tables=1)) as matches:
            async for _ in matches:
                processes[0].thaw = lambda: None  # type: ignore[method-assign]
                break

    before = child_processes()
    asyncio.run(play())
    assert child_processes() <= before, "a process was left behind"


class Mortal(RecordingBot):
    """Closes the call when it is frozen for the fifth time; ends while frozen or when thawed."""

    def __init__(self, *, when: str) -> None:
        super().__init__()
        self._when = when

    def freeze(self) -> None:
        """Record it, or end."""
        super().freeze()
        if self.calls.count("freeze") == 5:
            self.kill()
            self._die("frozen")

    def thaw(self) -> None:
        """Record it, or end."""
        super().thaw()
        if self.calls.count("freeze") == 5:
            self._die("thawed")

    def _die(self, when: str) -> None:
        if when == self._when:
            self.on_exit()

    def describe_exit(self) -> str:
        """Return how it ended."""
        return "was ended by SIGKILL"


@pytest.mark.parametrize("when", ["frozen", "thawed"])
def test_a_bot_that_ends_while_frozen_is_noticed(when: str) -> None:
    player = RemotePlayer(Entrant("mortal"), Mortal(when=when).launch)
    # A slow opponent, so that the referee notices before it has more requests.
    other = LocalPlayer(Entrant("slow"), slow_chooser, is_slow=True)
    (record,) = play_fixtures(
        [player, other], make_fixtures(1, 2), tables=1, clock=CLOCK, freeze=True
    )
    (fault,) = record.faults
    assert (fault.seat, fault.ending) == (0, SeatEnding.CRASHED)
    assert fault.sentence.startswith("it was ended by SIGKILL")
