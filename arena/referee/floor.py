"""How are many matches played at once between the same bots?

Whenever a bot owes no answer it is handed all that waits on its desk. A bot that breaks (crashes,
hangs up, overruns, talks nonsense) after a message that was about one match alone has faulted in
that match. If the message was about several, be some of them over, nobody can tell which one it
was: they are voided and played again one at a time, from the same seeds, and the fault shows itself
where it belongs. Matches that merely have the bot at their table lose its memory of them, so they
are voided too.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing

from arena.errors import ArenaError
from arena.records import Fault, Record, SeatEnding
from arena.referee.clock import CORES, Clock
from arena.referee.desk import STALL_S, Breakage, Desk, Ended, Fixture, Match, Pending, Player
from arena.referee.table import Answer, Finished, Request, table

TRIES = 5
"""So often a match is played again for the platform's sake before the referee gives up."""
STARTS = 3
"""So often a bot may fail to start before all its matches are forfeit."""


class PlatformError(ArenaError):
    """The referee cannot play a match on this machine, through no fault of a bot."""


class Floor:
    """Where the tables stand."""

    def __init__(
        self,
        players: Sequence[Player],
        clock: Clock,
        *,
        cores: int = CORES,
        freeze: bool = False,
        cage: str = "",
    ) -> None:
        """Let players in and seat nobody yet; the fixtures say who plays whom.

        No more bots think at once than there are cores: each has one to itself while its clock
        runs, and what comes in for the others meanwhile makes their messages larger. With `freeze`
        a bot runs while it owes an answer, and not otherwise. `cage` is what records say of it.
        """
        self._players: list[Player] = []
        self._desks: list[Desk] = []
        self._serving: dict[int, asyncio.Task[None]] = {}
        self.clock = clock
        self.freezes = freeze
        self._cage = cage
        self._live: dict[int, Match] = {}
        self._tags = 0
        self._again: deque[Fixture] = deque()
        self._tries: dict[int, int] = {}
        self._unable: dict[int, Breakage] = {}
        self._doomed: dict[tuple[int, int], Breakage] = {}
        self._done: deque[tuple[Fixture, Record]] = deque()
        self._changed = asyncio.Event()
        self._failure: BaseException | None = None
        self.thinking = asyncio.Semaphore(cores)
        self.stalled_s = 0.0
        """For how long the referee itself has been held up so far, in all."""
        for player in players:
            self.let_in(player)

    def let_in(self, player: Player) -> int:
        """Let somebody in, and return their place for fixtures to come."""
        self._players.append(player)
        self._desks.append(Desk(self))
        return len(self._players) - 1

    async def dismiss(self, *places: int) -> None:
        """Let some go who are at no table; they come back if a fixture names them."""
        tasks = [self._serving.pop(place) for place in places if place in self._serving]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for place in places:
            self._desks[place].clear()
            self._desks[place].is_occupied = False

    async def play(
        self, fixtures: Iterable[Fixture], *, tables: int
    ) -> AsyncGenerator[tuple[Fixture, Record], None]:
        """Play all fixtures, at most so many at once; yield each with its record as it ends."""
        try:
            async with aclosing(self.play_on(fixtures, tables=tables)) as results:
                async for result in results:
                    yield result
        finally:
            await self.dismiss(*self._serving)

    async def play_on(
        self, fixtures: Iterable[Fixture], *, tables: int
    ) -> AsyncGenerator[tuple[Fixture, Record], None]:
        """Do what `play` does, but let bots stay for more fixtures until they are dismissed."""
        queue = iter(fixtures)
        coming = next(queue, None)
        watch = asyncio.create_task(self._watch())
        try:
            while True:
                while self._again and not self._live:
                    self._open(self._again.popleft())
                while coming and not self._again and len(self._live) < tables:
                    self._open(coming)
                    coming = next(queue, None)
                while self._done:
                    yield self._done.popleft()
                if self._failure:
                    raise self._failure
                if not (coming or self._again or self._live):
                    return
                await self._changed.wait()
                self._changed.clear()
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)

    def _open(self, fixture: Fixture) -> None:
        entrants = [self._players[place].entrant for place in fixture.seating]
        self._tags += 1
        wall_left_s = [self.clock.wall.bank_s] * len(entrants)
        match = Match(
            fixture,
            self._tags,
            table(
                fixture.game,
                fixture.seed,
                fixture.parameters,
                entrants,
                clock=str(self.clock),
                cage=self._cage,
            ),
            [self.clock.bank_s] * len(entrants) if self.clock.counts_cpu else wall_left_s,
            wall_left_s,
            [0] * len(entrants),
        )
        self._live[match.tag] = match
        for seat, place in enumerate(fixture.seating):
            if place in self._unable:
                continue
            desk = self._desks[place]
            if place not in self._serving:
                self._serving[place] = asyncio.create_task(self._serve(place))
            desk.live[match.tag] = match
            desk.starts.append((match, seat))
            if not desk.is_occupied:
                # All bots start together, not each when it is first asked.
                desk.wake()
        self._advance(match, None)

    def _advance(self, match: Match, answer: Answer | Fault | None) -> None:
        try:
            item = match.table.send(answer)
            while isinstance(item, Fault):
                self._put_out(match, item)
                item = match.table.send(None)
        except StopIteration as end:
            self._finish(match, end.value)
            return
        self._ask(match, item)

    def _ask(self, match: Match, request: Request) -> None:
        place = match.fixture.seating[request.seat]
        pending = Pending(match, request)
        breakage = self._unable.get(place) or self._doomed.pop((match.tag, place), None)
        if breakage:
            self._blame(pending, breakage)
            return
        desk = self._desks[place]
        desk.requests.append(pending)
        desk.wake()

    def answered(self, pending: Pending, answer: Answer | Fault) -> None:
        """Take an answer; one to a match that was voided meanwhile is of no interest."""
        match = pending.match
        if match.tag not in self._live:
            return
        if isinstance(answer, Fault):
            self._put_out(match, answer)
        self._advance(match, answer)

    def _blame(self, pending: Pending, breakage: Breakage) -> None:
        fault = Fault(
            pending.request.seat,
            breakage.ending,
            breakage.sentence,
            pending.sent,
            breakage.reply,
            pending.time_left_s,
            breakage.stderr,
        )
        self.answered(pending, fault)

    def _put_out(self, match: Match, fault: Fault) -> None:
        """Tell a bot that a match is over for it."""
        desk = self._desks[match.fixture.seating[fault.seat]]
        if desk.live.pop(match.tag, None) and not desk.calls_off(match):
            desk.ends.append(Ended(match, fault.seat, fault.ending, fault.sentence))
            desk.wake()

    def _finish(self, match: Match, finished: Finished) -> None:
        del self._live[match.tag]
        for seat, place in enumerate(match.fixture.seating):
            desk = self._desks[place]
            if desk.live.pop(match.tag, None):
                ended = Ended(match, seat, SeatEnding.PLAYED, "played to the end", finished)
                desk.ends.append(ended)
                desk.wake()
        for desk in self._desks:
            desk.tell_voids()
        self._done.append((match.fixture, finished.record))
        self._changed.set()

    def _void(self, match: Match) -> None:
        """Break a match off; it is played again, alone."""
        if self._live.pop(match.tag, None) is None:
            return
        match.table.close()
        for seat, place in enumerate(match.fixture.seating):
            desk = self._desks[place]
            desk.requests = [pending for pending in desk.requests if pending.match is not match]
            if desk.live.pop(match.tag, None) and not desk.calls_off(match):
                desk.voids.append(Ended(match, seat, None, "void; it is played again"))
        # Those that broke at it now play it first, when they know of nothing else.
        self._again.appendleft(match.fixture)
        self._changed.set()

    async def _serve(self, place: int) -> None:
        desk = self._desks[place]
        starts_failed = 0
        try:
            while True:
                await desk.wait()
                if not desk.live:
                    # Nothing to play is no reason to start a bot.
                    desk.ends.clear()
                    continue
                if desk.requests:
                    desk.wake()
                desk.was_greeted = False
                desk.is_occupied = True
                breakage = await self._players[place].play(desk)
                desk.is_occupied = False
                if desk.concerned:
                    starts_failed = 0
                    self._broke(place, breakage)
                    continue
                # It broke before it was told of any match: that is not the fault of one.
                starts_failed += 1
                if starts_failed == STARTS or breakage.ending is SeatEnding.WRONG_VERSION:
                    self._give_up_on(place, breakage)
                else:
                    desk.wake()
        except Exception as error:
            self._failure = error
            self._changed.set()

    def _give_up_on(self, place: int, breakage: Breakage) -> None:
        """Forfeit every match of a bot that does not start."""
        self._unable[place] = breakage
        desk = self._desks[place]
        waiting = desk.requests
        desk.clear()
        for pending in waiting:
            self._blame(pending, breakage)

    def _broke(self, place: int, breakage: Breakage) -> None:
        """Find out which match a broken bot has lost, and save the others."""
        desk = self._desks[place]
        heard = desk.heard()
        unheard = [match for match, _ in desk.starts]
        guilty = None if breakage.platform else _guilty(desk, breakage)
        waiting = {pending.match: pending for pending in (*desk.owed.values(), *desk.requests)}
        starts = desk.starts
        desk.clear()
        # Matches that the bot has not heard of begin when it is back.
        desk.starts = starts
        desk.live = {match.tag: match for match in unheard}
        desk.requests = [waiting[match] for match in unheard if match in waiting]
        if desk.requests:
            desk.wake()
        for match in heard:
            if breakage.platform:
                self._count_try(match.fixture)
            if match is not guilty:
                self._void(match)
        if guilty in waiting:
            self._blame(waiting[guilty], breakage)
        elif guilty:
            # It broke between two decisions: its next one there will not be answered.
            self._doomed[guilty.tag, place] = breakage

    def _count_try(self, fixture: Fixture) -> None:
        self._tries[fixture.number] = self._tries.get(fixture.number, 0) + 1
        if self._tries[fixture.number] > TRIES:
            raise PlatformError(
                f"match {fixture.number} was broken off {TRIES} times because the referee itself "
                "was held up: the machine is too busy"
            )

    async def _watch(self) -> None:
        """Notice when this process was stopped or starved."""
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(STALL_S / 2)
            late = loop.time() - before - STALL_S / 2
            if late > STALL_S:
                self.stalled_s += late


def _guilty(desk: Desk, breakage: Breakage) -> Match | None:
    """Find the match in which a bot broke, as far as that can be known."""
    if breakage.named in desk.live:
        return desk.live[breakage.named]
    # What it was told last may have been about matches that are over or void by now.
    suspects = [match for match in desk.heard() if desk.concerned == {match.tag}]
    return suspects[0] if suspects else None
