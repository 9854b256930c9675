"""The bots of a large field stay running from round to round, as far as memory allows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from arena.records import Entrant
from arena.referee.clock import CORES
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage
from arena.referee.players.local import LocalPlayer, random_chooser
from arena.referee.players.player import Player
from arena.sandbox.tempdir import TempDir
from arena.tournament.runner import EventRunner
from arena.tournament.spec import Kind, Spec
from arena.workers.block import Block, MatchTerms, PackedBot, Report, split_results
from arena.workers.worker import BotPool
from leaderboard.events import find_event
from tests.builders.leagues import NOON, enter, open_league

BOTS = 12
JOBS = 2
ROUNDS = 4
PLENTY = 10_000


class Tally:
    """Counts the processes of bots."""

    def __init__(self, max_processes: int) -> None:
        self.max_processes = max_processes
        self.started = 0
        self.running = 0
        self.most = 0

    def room_for(self) -> int:
        """Return how many more have room."""
        return max(0, self.max_processes - self.running)


class CountedPlayer(LocalPlayer):
    """A bot whose processes are tasks, which are counted."""

    def __init__(self, entrant: Entrant, tally: Tally) -> None:
        super().__init__(entrant, random_chooser)
        self._tally = tally

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Run until cancelled."""
        tally = self._tally
        tally.started += 1
        tally.running += 1
        tally.most = max(tally.most, tally.running)
        try:
            return await super().play(mailbox)
        finally:
            tally.running -= 1


class CountedBots(BotPool):
    """A bot pool without cages."""

    def __init__(self, terms: MatchTerms, tally: Tally) -> None:
        # One core for each of two workers, whatever this machine has.
        super().__init__(terms, max(1, CORES // JOBS), processes_that_fit=tally.room_for)
        self._tally = tally

    def _make_player(self, bot: PackedBot, home: TempDir) -> Player:
        return CountedPlayer(Entrant(bot.name, str(bot.number)), self._tally)


class CountedWorkers:
    """Workers that share one process, and take turns."""

    def __init__(self, runner: asyncio.Runner, tally: Tally) -> None:
        self._runner = runner
        self._tally = tally
        self._turns = cycle(range(JOBS))
        self._workers: dict[int, CountedBots] = {}

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Play a block to its end."""

        async def play() -> None:
            turn = next(self._turns)
            if turn not in self._workers:
                self._workers[turn] = CountedBots(block.terms, self._tally)
            played = [each async for each in self._workers[turn].play(block)]
            report(Report(block, *split_results(played), is_over=True))

        self._runner.run(play())

    is_turn_over = False

    def end_bots(self) -> None:
        """End the processes of all bots."""
        for worker in self._workers.values():
            self._runner.run(worker.end_processes())

    def close(self) -> None:
        """End all bots."""
        for worker in self._workers.values():
            self._runner.run(worker.close())


@contextmanager
def counted_workers(tally: Tally) -> Iterator[CountedWorkers]:
    """Provide workers whose bots end with them."""
    with asyncio.Runner() as runner:
        workers = CountedWorkers(runner, tally)
        try:
            yield workers
        finally:
            workers.close()


def play_swiss(folder: Path, tally: Tally) -> int:
    """Play a Swiss event at tables of four; return the number of matches."""
    names = [f"bot-{number}" for number in range(BOTS)]
    with open_league(folder, names) as writer, counted_workers(tally) as workers:
        bots = tuple(names)
        spec = Spec(
            Kind.SWISS, "meow", name="cup", bots=bots, seats=4, deals=4, rounds=ROUNDS, seed=0
        )
        enter(writer, spec)
        run = EventRunner(writer, find_event(writer, "cup"), now=lambda: NOON)
        assert run.play(
            workers,
            jobs=JOBS,
            tables=64,
            on_progress=lambda progress: None,
            should_stop=lambda: False,
            max_processes=tally.max_processes,
        )
        return run.course.counted


def test_a_large_field_starts_at_most_one_process_of_each_bot_in_a_worker(tmp_path: Path) -> None:
    tally = Tally(PLENTY)
    matches = play_swiss(tmp_path, tally)
    assert matches == BOTS // 4 * 16 * ROUNDS
    assert tally.started == tally.most <= JOBS * BOTS
    assert tally.running == 0


def test_a_large_field_plays_on_a_machine_with_little_memory(tmp_path: Path) -> None:
    tally = Tally(18)
    matches = play_swiss(tmp_path, tally)
    assert matches == BOTS // 4 * 16 * ROUNDS
    # Bots made room for others.
    assert tally.most <= 18 < tally.started
