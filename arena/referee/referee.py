"""The referee: play many matches at once between the same bots.

The referee opens as many matches as allowed, and serves the mailbox of each process: whenever no
answer is outstanding, everything that waits in the mailbox is sent. The consequences of answers and
breakages are handled in `in_play`.

A sealed referee plays no deal twice with the same processes: the caller gives it at most one match
of each deal before it calls `end_processes`, and gets void matches back instead of having them
repeated at once. What it knows of breakages stays until those matches are played again.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import aclosing
from itertools import count
from math import inf

from arena.errors import PlatformError
from arena.indices import PlayerIndex, Seat
from arena.records import Record, SeatEnding
from arena.referee.clock import CORES, Clock
from arena.referee.in_play import MatchesInPlay
from arena.referee.mailbox import STALL_S, Mailbox
from arena.referee.model import Conditions, Fixture
from arena.referee.players.player import Player
from arena.referee.turns import Starts, Turns

MAX_FAILED_STARTS = 3
"""Failed starts after which all matches of a bot are forfeited."""
MAX_OVERRUNS = 3
"""Matches in which a bot may overrun its clock before the rest are left unplayed."""


class _FixtureQueue:
    """The fixtures of one call of `play_more`, and their results."""

    def __init__(self, fixtures: Iterator[Fixture], tables: int, return_unplayed: bool) -> None:
        self._fixtures = fixtures
        self.tables = tables
        self._return_unplayed = return_unplayed
        self._is_exhausted = False
        self._unfinished = 0
        self.done: deque[tuple[Fixture, Record | None]] = deque()
        self.changed = asyncio.Event()
        self.overruns: Counter[PlayerIndex] = Counter()
        """Matches that each player held up until its time was up."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return self._is_exhausted and not self._unfinished

    def next(self) -> Fixture | None:
        """Return the next fixture; None if there are no more."""
        fixture = next(self._fixtures, None)
        if fixture is None:
            self._is_exhausted = True
        else:
            self._unfinished += 1
        return fixture

    def end(self, fixture: Fixture, record: Record | None) -> None:
        """Count a match as done; a void one has no record."""
        self.done.append((fixture, record))
        self.skip()

    def skip(self) -> None:
        """Leave a match unplayed."""
        self._unfinished -= 1
        self.changed.set()

    def should_skip(self, fixture: Fixture) -> bool:
        """Return whether a match is left unplayed."""
        overruns = self.overruns
        return self._return_unplayed and any(
            overruns[player] >= MAX_OVERRUNS for player in fixture.seating
        )


class Referee:
    """Plays matches between its players."""

    def __init__(
        self,
        players: Sequence[Player],
        clock: Clock,
        *,
        cores: int = CORES,
        freeze: bool = False,
        sealed: bool = False,
        begins_with_few: bool = False,
        cage: str = "",
    ) -> None:
        """Add players; the fixtures say who plays whom.

        At most `cores` bots think at the same time, each with a core to itself while its clock
        runs. Requests for the others accumulate meanwhile, which makes their messages larger. With
        `freeze`, a bot is frozen except while an answer is expected from it. A `sealed` referee
        returns void matches unplayed. One that `begins_with_few` opens no more tables than matches
        have ended, but one: a slow bot serves all its tables in turn, and they would all end late.
        `cage` is the name of the cage for the records.
        """
        self._player_indices = map(PlayerIndex, count())
        self._players: dict[PlayerIndex, Player] = {}
        self._mailboxes: dict[PlayerIndex, Mailbox] = {}
        self._is_sealed = sealed
        self._begins_with_few = begins_with_few
        self._ended = 0
        self._serving: dict[Mailbox, asyncio.Task[None]] = {}
        """The tasks that serve mailboxes."""
        self._failure: Exception | None = None
        self._in_play = MatchesInPlay(clock, cage, self._schedule_update, self._count_overrun)
        self._queues: list[_FixtureQueue] = []
        """In the order of the calls."""
        self._queue_of: dict[int, _FixtureQueue] = {}
        """By the number of a match that is not done."""
        self._watch: asyncio.Task[None] | None = None
        self._is_update_scheduled = False
        self.conditions = Conditions(
            clock, Turns(cores), Starts(cores), self._in_play.take_answer, freezes=freeze
        )
        for player in players:
            self.add_player(player)

    def add_player(self, player: Player) -> PlayerIndex:
        """Add a player; return its index, for use in fixtures."""
        index = next(self._player_indices)
        self._players[index] = player
        self._mailboxes[index] = Mailbox(self.conditions, index)
        return index

    async def remove_players(self, *players: PlayerIndex) -> None:
        """Remove players that are at no table, and end their processes."""
        await self._stop_serving([self._mailboxes.pop(player) for player in players])
        for player in players:
            del self._players[player]

    async def end_processes(self) -> None:
        """End all processes at once, without Goodbye; matches that follow start others.

        Nothing may be in play. Players and what is known of their breakages stay.
        """
        ended = list(self._mailboxes.values())
        self._mailboxes = {player: Mailbox(self.conditions, player) for player in self._players}
        self._in_play.forget_ends()
        for mailbox in ended:
            mailbox.is_ready = False
        await self._stop_serving(ended)
        if self._failure:
            raise self._failure

    async def _stop_serving(self, mailboxes: Sequence[Mailbox]) -> None:
        tasks = [self._serving.pop(mailbox) for mailbox in mailboxes if mailbox in self._serving]
        for task in tasks:
            task.cancel()
        for error in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(error, Exception):
                self._fail(error)

    async def play(
        self, fixtures: Iterable[Fixture], *, tables: int
    ) -> AsyncGenerator[tuple[Fixture, Record], None]:
        """Play all fixtures, at most `tables` at once; yield each with its record as it ends.

        Afterwards all players are removed.
        """
        try:
            async with aclosing(self.play_more(fixtures, tables=tables)) as results:
                async for fixture, record in results:
                    assert record, "only a sealed referee returns void matches"
                    yield fixture, record
        finally:
            await self.remove_players(*self._players)

    async def play_more(
        self, fixtures: Iterable[Fixture], *, tables: int, return_unplayed: bool = False
    ) -> AsyncGenerator[tuple[Fixture, Record | None], None]:
        """Play fixtures like `play`, but keep the players for more fixtures.

        Several calls may run at the same time: tables that one leaves empty are filled by the next.
        With `return_unplayed`, fixtures of a bot that overruns its clock repeatedly are skipped, so
        that the caller can decide whether this bot continues. A sealed referee yields void matches
        without a record.
        """
        queue = _FixtureQueue(iter(fixtures), tables, return_unplayed)
        self._queues.append(queue)
        if self._watch is None:
            self._watch = asyncio.create_task(self._measure_stalls())
        try:
            self._schedule_update()
            while True:
                while queue.done:
                    yield queue.done.popleft()
                if self._failure:
                    raise self._failure
                if queue.is_over:
                    return
                await queue.changed.wait()
                queue.changed.clear()
        finally:
            self._queues.remove(queue)
            if not self._queues:
                watch, self._watch = self._watch, None
                watch.cancel()
                await asyncio.gather(watch, return_exceptions=True)

    def _schedule_update(self) -> None:
        """Run `_update` once the current callback is done."""
        if not self._is_update_scheduled:
            self._is_update_scheduled = True
            asyncio.get_running_loop().call_soon(self._update)

    def _update(self) -> None:
        """Deliver finished matches and fill the tables."""
        self._is_update_scheduled = False
        try:
            self._deliver_results()
            self._fill_tables()
        except Exception as error:
            self._fail(error)

    def _deliver_results(self) -> None:
        in_play = self._in_play
        while in_play.done:
            fixture, record = in_play.done.popleft()
            self._queue_of.pop(fixture.number).end(fixture, record)
            self._ended += 1
        while self._is_sealed and in_play.void:
            fixture = in_play.void.pop()
            self._queue_of.pop(fixture.number).end(fixture, None)

    def _fill_tables(self) -> None:
        in_play = self._in_play
        # Void matches first, by bots that have no other matches at that time.
        while in_play.void and not in_play.live:
            self._open(in_play.void.popleft())
        most = max(1, self._ended) if self._begins_with_few else inf
        for queue in list(self._queues):
            tables = min(queue.tables, most)
            while not in_play.void and len(in_play.live) < tables and (fixture := queue.next()):
                self._queue_of[fixture.number] = queue
                self._open(fixture)
            if queue.is_over:
                queue.changed.set()

    def work(self) -> tuple[int, int]:
        """Return how many decisions players have made, and how many matches are in play."""
        return self._in_play.answers, len(self._in_play.live)

    def process_count(self) -> int:
        """Return how many processes are running."""
        return sum(mailbox.has_process for mailbox in self._mailboxes.values())

    def _open(self, fixture: Fixture) -> None:
        if self._queue_of[fixture.number].should_skip(fixture):
            self._in_play.skip(fixture)
            self._queue_of.pop(fixture.number).skip()
            return
        mailboxes = [self._mailboxes[player] for player in fixture.seating]
        for mailbox in mailboxes:
            if mailbox not in self._serving:
                self._serving[mailbox] = asyncio.create_task(self._serve(mailbox))
        players = [self._players[player] for player in fixture.seating]
        observers = {
            Seat(seat): player.observer for seat, player in enumerate(players) if player.observer
        }
        entrants = [player.entrant for player in players]
        self._in_play.open(fixture, entrants, mailboxes, observers)

    async def _serve(self, mailbox: Mailbox) -> None:
        """Run a process for a mailbox whenever there is something to play."""
        player = self._players[mailbox.player]
        failed_starts = 0
        try:
            while True:
                await mailbox.wait()
                if not mailbox.live:
                    # Do not start a bot that has nothing to play.
                    mailbox.ends.clear()
                    continue
                if mailbox.requests:
                    mailbox.wake()
                mailbox.is_ready = False
                mailbox.has_process = True
                breakage = await player.play(mailbox)
                mailbox.has_process = False
                if mailbox.last_message_tags:
                    failed_starts = 0
                    self._in_play.handle_breakage(mailbox, breakage)
                    continue
                # It broke before it got any match, so no match is to blame.
                failed_starts += 1
                if breakage.is_machine_fault:
                    if failed_starts > MAX_FAILED_STARTS:
                        raise PlatformError(f"{failed_starts} times, {breakage.sentence}")
                    mailbox.wake()
                elif (
                    failed_starts == MAX_FAILED_STARTS
                    or breakage.ending is SeatEnding.WRONG_VERSION
                ):
                    self._in_play.give_up_on(mailbox, breakage)
                else:
                    mailbox.wake()
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = error
        for queue in self._queues:
            queue.changed.set()

    def _count_overrun(self, fixture: Fixture, player: PlayerIndex) -> None:
        self._queue_of[fixture.number].overruns[player] += 1

    async def _measure_stalls(self) -> None:
        """Add up the time for which this process was stopped or starved."""
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(STALL_S / 2)
            late = loop.time() - before - STALL_S / 2
            if late > STALL_S:
                self.conditions.stalled_s += late
