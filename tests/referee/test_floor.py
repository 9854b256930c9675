"""Does a floor give the same matches however many it plays at once, and leave nothing behind?"""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import PlatformError
from arena.games.registry import GAME_IDS
from arena.records import Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.desk import Breakage, Desk, Player
from arena.referee.floor import STARTS, Floor
from arena.referee.players.local import Choose, LocalPlayer, at_random
from arena.referee.players.remote import RemotePlayer
from arena.replays.format import write_replay
from arena.sandbox.process import Process
from tests.referee.matches import (
    Impatient,
    anybody,
    bot,
    children,
    fixtures,
    played,
    without_times,
)

CLOCK = Clock(30.0, 5.0)


def written(records: list[Record]) -> list[bytes]:
    """Write the replays, thinking times aside."""
    return [write_replay(without_times(record)) for record in records]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_same_seeds_give_the_same_bytes_at_1_8_and_64_tables(game_id: str) -> None:
    matches = fixtures(12, 3, game_id)
    runs = []
    for tables in (1, 8, 64):
        players: list[Player] = [bot("a", "honest.py"), bot("b", "honest.py"), anybody("c")]
        runs.append(written(played(players, matches, tables=tables, clock=CLOCK)))
    assert runs[0] == runs[1] == runs[2]


def test_results_come_as_matches_end_and_every_match_comes_once() -> None:
    async def numbers() -> list[int]:
        floor = Floor([anybody("a"), anybody("b")], CLOCK)
        return [f.number async for f, _ in floor.play(fixtures(30, 2), tables=7)]

    assert sorted(asyncio.run(numbers())) == list(range(30))


class Brittle(Player):
    """Breaks the first time that it is asked, and plays at random after that."""

    def __init__(self) -> None:
        self.entrant = Entrant("brittle")
        self._has_broken = False

    async def play(self, desk: Desk) -> Breakage:
        """Break, or answer."""
        if self._has_broken:
            return await anybody("brittle").play(desk)
        self._has_broken = True
        desk.was_greeted = True
        await desk.wait()
        desk.hand_over()
        return Breakage(SeatEnding.CRASHED, "it broke")


class Fickle(Player):
    """Says hello and is gone, every time."""

    def __init__(self) -> None:
        self.entrant = Entrant("fickle")
        self.starts = 0

    async def play(self, desk: Desk) -> Breakage:
        """Break without having heard of any match."""
        self.starts += 1
        desk.was_greeted = True
        return Breakage(SeatEnding.CRASHED, "it broke")


def test_a_bot_that_never_stays_forfeits_all_its_matches() -> None:
    async def play() -> tuple[int, list[Record]]:
        fickle = Fickle()
        floor = Floor([anybody("a"), fickle], CLOCK)
        async with asyncio.timeout(30):
            records = [record async for _, record in floor.play(fixtures(4, 2), tables=2)]
        return fickle.starts, records

    starts, records = asyncio.run(play())
    assert starts == STARTS
    assert [record.ending_of(1) for record in records] == [SeatEnding.CRASHED] * 4


class Listener(LocalPlayer):
    """Plays at random and notes of which matches it hears."""

    def __init__(self) -> None:
        super().__init__(Entrant("listener"), at_random)
        self.started: list[int] = []
        self.ended: list[int] = []

    async def play(self, desk: Desk) -> Breakage:
        """Note what is handed over, then answer it."""
        hand_over = desk.hand_over

        def noted() -> Any:
            taken = hand_over()
            self.started += [match.numbers[seat] for match, seat in taken[0]]
            self.ended += [ended.match.numbers[ended.seat] for ended in taken[2]]
            return taken

        desk.hand_over = noted  # type: ignore[method-assign]
        return await super().play(desk)


def test_nobody_hears_of_the_end_of_a_match_whose_start_was_called_off() -> None:
    async def play() -> tuple[Listener, list[Record]]:
        listener = Listener()
        floor = Floor([Brittle(), listener], CLOCK)
        return listener, [record async for _, record in floor.play(fixtures(6, 2), tables=3)]

    listener, records = asyncio.run(play())
    assert [record.faults for record in records] == [()] * 6, "three matches were played again"
    assert set(listener.ended) <= set(listener.started)
    assert len(listener.started) == 6


def test_the_numbers_of_matches_count_those_of_the_process_alone() -> None:
    async def play() -> list[int]:
        listener = Listener()
        floor = Floor([anybody("one"), anybody("two"), listener], CLOCK)
        matches = [
            replace(fixture, seating=(0, 1) if fixture.number % 3 else (0, 2))
            for fixture in fixtures(12, 2)
        ]
        async for _ in floor.play(matches, tables=5):
            pass
        return listener.started

    assert asyncio.run(play()) == [1, 2, 3, 4]


@pytest.mark.parametrize("clock", [Clock(1.0, 0.5), Impatient(1.0, 0.5, counts_cpu=True)], ids=str)
def test_a_referee_that_was_stopped_blames_nobody(clock: Clock) -> None:
    """The referee is stopped for longer than the clock while a bot thinks."""

    class Stopper(Desk):
        """A desk that has the whole process stopped as soon as something is sent."""

        stops = 1

        def hand_over(self) -> Any:
            taken = super().hand_over()
            if taken[1] and Stopper.stops:
                Stopper.stops -= 1
                asyncio.get_running_loop().call_soon(self._stop)
            return taken

        def _stop(self) -> None:
            waker = f"sleep 3; kill -CONT {os.getpid()}"
            os.posix_spawn("/bin/sh", ["sh", "-c", waker], os.environ)
            os.kill(os.getpid(), signal.SIGSTOP)

    async def records() -> list[Record]:
        floor = Floor([bot("a", "honest.py"), anybody("b")], clock)
        floor._desks[0] = [Stopper(floor)]
        return [record async for _, record in floor.play(fixtures(1, 2), tables=1)]

    assert [record.faults for record in asyncio.run(records())] == [()]
    os.wait()


def test_an_error_of_our_own_ends_the_run_and_leaves_no_process() -> None:
    before = children()

    class Broken(Exception):
        """An error of the referee's."""

    def refuse(*_: object) -> Choose:
        raise Broken

    players = [bot("a", "honest.py"), LocalPlayer(Entrant("b"), refuse)]
    with pytest.raises(Broken):
        played(players, fixtures(2, 2), tables=2, clock=CLOCK)
    assert children() == before


def refused(number: int) -> RemotePlayer:
    """Make a bot whose process the system does not start, with this error."""

    def launch(*_: object) -> Process:
        raise OSError(number, os.strerror(number), "/tmp/somewhere/bot")

    return RemotePlayer(Entrant("refused"), launch)


def test_a_bot_whose_program_is_none_forfeits_its_matches() -> None:
    players = [refused(errno.ENOEXEC), anybody("b")]
    for record in played(players, fixtures(3, 2), tables=2, clock=CLOCK):
        (fault,) = record.faults
        assert (fault.seat, fault.ending) == (0, SeatEnding.NO_HELLO)
        assert fault.sentence == "the system cannot start it: Exec format error"


def test_a_machine_that_can_start_no_more_programs_blames_nobody() -> None:
    with pytest.raises(PlatformError, match="no bot can be started: Too many open files"):
        played([refused(errno.EMFILE), anybody("b")], fixtures(1, 2), tables=1, clock=CLOCK)


class HeldUp(Player):
    """Is never answered in time, because the machine is too busy."""

    entrant = Entrant("held up")

    async def play(self, desk: Desk) -> Breakage:
        """Hear of a match, and blame the machine."""
        await desk.wait()
        desk.hand_over()
        return Breakage(SeatEnding.OVERRUN, "it was late", platform=True)


def test_a_machine_that_is_always_too_busy_is_told_of_and_nobody_is_blamed() -> None:
    with pytest.raises(PlatformError, match=r"match 0 was broken off 6 times .* too busy"):
        played([HeldUp(), anybody("b")], fixtures(1, 2), tables=1, clock=CLOCK)


@pytest.mark.slow
def test_a_thousand_matches_in_a_row_leave_nothing_behind() -> None:
    def footprint() -> tuple[int, int, int]:
        files = len(list(Path("/proc/self/fd").iterdir()))
        memory_kib = int(Path("/proc/self/statm").read_text().split()[1]) * (
            resource.getpagesize() // 1024
        )
        return files, len(children()), memory_kib

    def some(count: int) -> None:
        # A fault now and then: the rogue crashes in every fourth match.
        players: list[Player] = [bot("a", "honest.py"), bot("r", "rogue.py", "crash"), anybody("c")]
        records = played(players, fixtures(count, 3), tables=4, clock=CLOCK)
        endings = {seat: {record.ending_of(seat) for record in records} for seat in (0, 1)}
        assert endings == {
            0: {SeatEnding.PLAYED},
            1: {SeatEnding.PLAYED, SeatEnding.CRASHED},
        }

    some(100)
    files, processes, memory_kib = footprint()
    for _ in range(10):
        some(100)
    later = footprint()
    # A call that has just ended may still be closing; a leak would be hundreds.
    assert later[0] <= files + 4
    assert later[1] == processes
    assert later[2] < memory_kib + 10 * 1024
    assert threading.active_count() < 20
