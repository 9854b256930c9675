"""A referee gives the same results at any number of tables, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from arena.errors import PlatformError
from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.indices import PlayerIndex
from arena.records import Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage
from arena.referee.players.local import Chooser, LocalPlayer, random_chooser
from arena.referee.players.player import Player
from arena.referee.players.remote import RemotePlayer
from arena.referee.referee import MAX_FAILED_STARTS, Referee
from arena.referee.table import DecisionRequest
from arena.replays.format import write_replay
from arena.sandbox.bot_process import Process
from arena.sandbox.limits.watchdog import WatchedProcess
from arena.submission.manifest import Manifest
from tests.builders.bots import ROGUES
from tests.builders.matches import (
    ShortWallClock,
    child_processes,
    make_fixtures,
    play_fixtures,
    random_player,
    rogue,
    without_times,
)
from tests.cages import launcher

CLOCK = Clock(30.0, 5.0)


def replays_of(records: list[Record]) -> list[bytes]:
    """Return the replays, without thinking times."""
    return [write_replay(without_times(record)) for record in records]


@pytest.mark.parametrize("game_id", ["trio", "meow"])
def test_the_same_seeds_give_the_same_bytes_at_any_number_of_tables(game_id: str) -> None:
    matches = make_fixtures(3, 3, game_id)
    runs = []
    for tables in (1, 3):
        players: list[Player] = [
            rogue("a", "honest.py"),
            rogue("b", "honest.py"),
            random_player("c"),
        ]
        runs.append(replays_of(play_fixtures(players, matches, tables=tables, clock=CLOCK)))
    assert runs[0] == runs[1]


class BreaksOnce(Player):
    """Breaks at its first request, and plays at random afterwards."""

    def __init__(self) -> None:
        self.entrant = Entrant("breaks-once")
        self._has_broken = False

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Break, or answer."""
        if self._has_broken:
            return await random_player("breaks-once").play(mailbox)
        self._has_broken = True
        mailbox.is_ready = True
        await mailbox.wait()
        mailbox.take_all()
        return Breakage(SeatEnding.CRASHED, "it broke")


class EndsEarly(Player):
    """Sends Hello and ends, every time."""

    def __init__(self) -> None:
        self.entrant = Entrant("ends-early")
        self.starts = 0

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Break before any match has started."""
        self.starts += 1
        mailbox.is_ready = True
        return Breakage(SeatEnding.CRASHED, "it broke")


def test_a_bot_that_always_ends_early_forfeits_all_its_matches() -> None:
    async def play() -> tuple[int, list[Record]]:
        ends_early = EndsEarly()
        referee = Referee([random_player("a"), ends_early], CLOCK)
        async with asyncio.timeout(60):
            records = [record async for _, record in referee.play(make_fixtures(4, 2), tables=2)]
        return ends_early.starts, records

    starts, records = asyncio.run(play())
    assert starts == MAX_FAILED_STARTS
    assert [record.ending_of(1) for record in records] == [SeatEnding.CRASHED] * 4


class Listener(LocalPlayer):
    """Plays at random and records the starts and ends of its matches."""

    def __init__(self) -> None:
        super().__init__(Entrant("listener"), random_chooser)
        self.started: list[int] = []
        self.ended: list[int] = []

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Record what is sent, then answer it."""
        take_all = mailbox.take_all

        def take_and_record() -> Any:
            taken = take_all()
            self.started += [match.numbers[seat] for match, seat in taken[0]]
            self.ended += [ended.match.numbers[ended.seat] for ended in taken[2]]
            return taken

        mailbox.take_all = take_and_record  # type: ignore[method-assign]
        return await super().play(mailbox)


def test_no_end_is_sent_for_a_match_whose_start_was_cancelled() -> None:
    async def play() -> tuple[Listener, list[Record]]:
        listener = Listener()
        referee = Referee([BreaksOnce(), listener], CLOCK)
        return listener, [record async for _, record in referee.play(make_fixtures(6, 2), tables=3)]

    listener, records = asyncio.run(play())
    assert [record.faults for record in records] == [()] * 6, (
        "three matches were played a second time"
    )
    assert set(listener.ended) <= set(listener.started)
    assert len(listener.started) == 6


def test_match_numbers_count_only_the_matches_of_the_process() -> None:
    async def play() -> list[int]:
        listener = Listener()
        referee = Referee([random_player("one"), random_player("two"), listener], CLOCK)
        one, two, third = map(PlayerIndex, range(3))
        matches = [
            replace(fixture, seating=(one, two) if fixture.number % 3 else (one, third))
            for fixture in make_fixtures(12, 2)
        ]
        async for _ in referee.play(matches, tables=5):
            pass
        return listener.started

    assert asyncio.run(play()) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "clock",
    [
        Clock(2.0, 2.0),
        pytest.param(ShortWallClock(2.0, 2.0, counts_cpu=True), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_a_referee_that_was_stopped_blames_no_bot(clock: Clock) -> None:
    """The referee is stopped for longer than the clock while a bot thinks."""

    class Stopper(Mailbox):
        """A mailbox that stops the whole process as soon as a request is sent."""

        stops = 1

        def take_all(self) -> Any:
            taken = super().take_all()
            if taken[1] and Stopper.stops:
                Stopper.stops -= 1
                asyncio.get_running_loop().call_soon(self._stop)
            return taken

        def _stop(self) -> None:
            waker = f"sleep 3; kill -CONT {os.getpid()}"
            os.posix_spawn("/bin/sh", ["sh", "-c", waker], os.environ)
            os.kill(os.getpid(), signal.SIGSTOP)

    async def records() -> list[Record]:
        referee = Referee([rogue("a", "honest.py"), random_player("b")], clock)
        referee._mailboxes[PlayerIndex(0)] = Stopper(referee.conditions)
        return [record async for _, record in referee.play(make_fixtures(1, 2), tables=1)]

    assert [record.faults for record in asyncio.run(records())] == [()]
    os.wait()


def test_an_internal_error_ends_the_run_and_leaves_no_process() -> None:
    before = child_processes()

    class Broken(Exception):
        """An error in the referee."""

    def refuse(*_: object) -> Chooser:
        raise Broken

    players = [rogue("a", "honest.py"), LocalPlayer(Entrant("b"), refuse)]
    with pytest.raises(Broken):
        play_fixtures(players, make_fixtures(2, 2), tables=2, clock=CLOCK)
    assert child_processes() <= before


def unstartable_bot(number: int) -> RemotePlayer:
    """Make a bot whose process cannot be started because of this error."""

    def launch(*_: object) -> Process:
        raise OSError(number, os.strerror(number), "/tmp/somewhere/bot")

    return RemotePlayer(Entrant("refused"), launch)


def test_a_bot_whose_program_cannot_be_run_forfeits_its_matches() -> None:
    players = [unstartable_bot(errno.ENOEXEC), random_player("b")]
    for record in play_fixtures(players, make_fixtures(3, 2), tables=2, clock=CLOCK):
        (fault,) = record.faults
        assert (fault.seat, fault.ending) == (0, SeatEnding.NO_HELLO)
        assert fault.sentence == "the system cannot start it: Exec format error"


def test_a_machine_that_cannot_start_programs_is_reported_and_no_bot_is_blamed() -> None:
    with pytest.raises(PlatformError, match="cannot start a bot: Too many open files"):
        play_fixtures(
            [unstartable_bot(errno.EMFILE), random_player("b")],
            make_fixtures(1, 2),
            tables=1,
            clock=CLOCK,
        )


class TooBusy(Player):
    """Always breaks, with the machine at fault."""

    entrant = Entrant("too-busy")

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Take a match, and break with the machine at fault."""
        await mailbox.wait()
        mailbox.take_all()
        return Breakage(SeatEnding.OVERRUN, "it was late", is_machine_fault=True)


def test_a_machine_that_is_always_too_busy_is_reported_and_no_bot_is_blamed() -> None:
    with pytest.raises(PlatformError, match=r"match 0 was cancelled 6 times .* too busy"):
        play_fixtures([TooBusy(), random_player("b")], make_fixtures(1, 2), tables=1, clock=CLOCK)


def test_bots_that_the_machine_kills_play_their_matches_again() -> None:
    honest = Manifest("a", ("meow",), ("python", "honest.py"), ROGUES)
    processes: list[WatchedProcess] = []
    kills: list[int] = []
    decisions = count(1)

    def launch(socket: Path, on_exit: Callable[[], None]) -> Process:
        process = launcher(honest)(socket, on_exit)
        if not isinstance(process, WatchedProcess):
            pytest.skip("this needs a cage")

        processes.append(process)
        return process

    def kill_now_and_then(game: AnyGame, seed: Seed) -> Chooser:
        choose_at_random = random_chooser(game, seed)

        def choose(request: DecisionRequest) -> int:
            if next(decisions) in (10, 60, 110) and (pid := processes[-1].bot_pid()):
                kills.append(pid)
                os.kill(pid, signal.SIGKILL)
            return choose_at_random(request)

        return choose

    players = [
        RemotePlayer(Entrant("a"), launch),
        LocalPlayer(Entrant("b"), kill_now_and_then),
    ]
    records = play_fixtures(players, make_fixtures(40, 2), tables=4, clock=CLOCK)
    assert len(kills) == 3
    assert [record.faults + record.breaks for record in records] == 40 * [()]


@pytest.mark.slow
def test_a_thousand_matches_leave_nothing_behind() -> None:
    def footprint() -> tuple[int, int, int]:
        files = len(list(Path("/proc/self/fd").iterdir()))
        memory_kib = int(Path("/proc/self/statm").read_text().split()[1]) * (
            resource.getpagesize() // 1024
        )
        return files, len(child_processes()), memory_kib

    def play_some(count: int) -> None:
        # Some faults: the rogue crashes in every fourth match.
        players: list[Player] = [
            rogue("a", "honest.py"),
            rogue("r", "rogue.py", "crash"),
            random_player("c"),
        ]
        records = play_fixtures(players, make_fixtures(count, 3), tables=4, clock=CLOCK)
        endings = {seat: {record.ending_of(seat) for record in records} for seat in (0, 1)}
        assert endings == {
            0: {SeatEnding.PLAYED},
            1: {SeatEnding.PLAYED, SeatEnding.CRASHED},
        }

    play_some(100)
    files, processes, memory_kib = footprint()
    for _ in range(10):
        play_some(100)
    later = footprint()
    # A call that has just ended may still be closing; a leak would show hundreds.
    assert later[0] <= files + 4
    assert later[1] == processes
    assert later[2] < memory_kib + 10 * 1024
    assert threading.active_count() < 20
