"""How are many matches played at once between the same bots?

The floor opens as many matches as it may and lets each bot work at its desk: whenever a bot owes no
answer it is handed all that waits there. What answers and breakages come to is settled by the
tables, see `tables`.

No process meets a deal twice. A bot has one process after the other for that: whenever all that it
has know the deal of a match, one more is started. So each rotation of a deal, and a void match that
is played again, is played by processes that cannot know it. They stay: if the matches come ordered
by rotation, each process has as much to do at once as a single one would have.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import aclosing
from itertools import count

from arena.games.randomness import Seed
from arena.records import Fault, Record, SeatEnding
from arena.referee.clock import CORES, Clock
from arena.referee.desk import STALL_S, Desk, Fixture, Pending, Player
from arena.referee.table import Answer
from arena.referee.tables import Tables
from arena.referee.turns import Turns

STARTS = 3
"""How often a bot may fail to start before all its matches are forfeited."""
OVERRUNS = 3
"""In how many matches a bot may let its time run out before the others are handed back."""


class _Lot:
    """Fixtures that somebody has asked for together."""

    def __init__(self, coming: Iterator[Fixture], tables: int, hands_back: bool) -> None:
        self._coming = coming
        self.tables = tables
        self._hands_back = hands_back
        self._is_handed_out = False
        self._under_way = 0
        self.done: deque[tuple[Fixture, Record]] = deque()
        self.changed = asyncio.Event()
        self.overruns: Counter[int] = Counter()
        """By place, how often its bot has kept a match waiting until its time was up."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return self._is_handed_out and not self._under_way

    def next(self) -> Fixture | None:
        """Give the next fixture."""
        fixture = next(self._coming, None)
        if fixture is None:
            self._is_handed_out = True
        else:
            self._under_way += 1
        return fixture

    def end(self, fixture: Fixture, record: Record | None = None) -> None:
        """Take the record of a match that is over, or none of one that is left out."""
        self._under_way -= 1
        if record:
            self.done.append((fixture, record))
        self.changed.set()

    def leaves_out(self, fixture: Fixture) -> bool:
        """Tell whether a match is handed back rather than played."""
        late = self.overruns
        return self._hands_back and any(late[place] >= OVERRUNS for place in fixture.seating)


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
        self._places = count()
        self._players: dict[int, Player] = {}
        """By place, as all that follows."""
        self._desks: dict[int, list[Desk]] = {}
        """One for each process of the player."""
        self._serving: dict[Desk, asyncio.Task[None]] = {}
        """Those who let a process work at its desk."""
        self._failure: Exception | None = None
        self._tables = Tables(clock, cage, self._settle_soon, self._overran)
        self._lots: list[_Lot] = []
        """In the order in which they came."""
        self._lot_of: dict[int, _Lot] = {}
        """By the number of a match that is not over."""
        self._watch: asyncio.Task[None] | None = None
        self._is_settling_soon = False
        self.clock = clock
        self.freezes = freeze
        self.turns = Turns(cores)
        self.stalled_s = 0.0
        for player in players:
            self.let_in(player)

    def let_in(self, player: Player) -> int:
        """Let somebody in, and return their place for fixtures to come."""
        place = next(self._places)
        self._players[place] = player
        self._desks[place] = []
        return place

    async def let_out(self, *places: int) -> None:
        """Let some go who are at no table, and keep nothing of them."""
        desks = [desk for place in places for desk in self._desks[place]]
        tasks = [self._serving.pop(desk) for desk in desks if desk in self._serving]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for place in places:
            del self._players[place], self._desks[place]

    async def play(
        self, fixtures: Iterable[Fixture], *, tables: int
    ) -> AsyncGenerator[tuple[Fixture, Record], None]:
        """Play all fixtures, at most so many at once; yield each with its record as it ends.

        At the end everybody goes.
        """
        try:
            async with aclosing(self.play_on(fixtures, tables=tables)) as results:
                async for result in results:
                    yield result
        finally:
            await self.let_out(*self._players)

    async def play_on(
        self, fixtures: Iterable[Fixture], *, tables: int, hands_back: bool = False
    ) -> AsyncGenerator[tuple[Fixture, Record], None]:
        """Do what `play` does, but let bots stay for more fixtures until they are let out.

        Several calls may be under way at once: tables that one leaves empty are filled by the next.
        With `hands_back`, fixtures of a bot that lets its time run out again and again are left
        out: whoever asked for them can then decide whether that bot goes on.
        """
        lot = _Lot(iter(fixtures), tables, hands_back)
        self._lots.append(lot)
        if self._watch is None:
            self._watch = asyncio.create_task(self._watch_over_time())
        try:
            self._settle_soon()
            while True:
                while lot.done:
                    yield lot.done.popleft()
                if self._failure:
                    raise self._failure
                if lot.is_over:
                    return
                await lot.changed.wait()
                lot.changed.clear()
        finally:
            self._lots.remove(lot)
            if not self._lots:
                watch, self._watch = self._watch, None
                watch.cancel()
                await asyncio.gather(watch, return_exceptions=True)

    def _settle_soon(self) -> None:
        """Settle when whoever has changed something is done with it."""
        if not self._is_settling_soon:
            self._is_settling_soon = True
            asyncio.get_running_loop().call_soon(self._settle)

    def _settle(self) -> None:
        """Deal out the matches that are over, and fill the tables."""
        self._is_settling_soon = False
        try:
            self._deal_out()
            self._fill()
        except Exception as error:
            self._fail(error)

    def _deal_out(self) -> None:
        in_play = self._tables
        while in_play.done:
            fixture, record = in_play.done.popleft()
            self._lot_of.pop(fixture.number).end(fixture, record)

    def _fill(self) -> None:
        in_play = self._tables
        while in_play.again and not in_play.live:
            self._open(in_play.again.popleft())
        for lot in list(self._lots):
            while not in_play.again and len(in_play.live) < lot.tables and (coming := lot.next()):
                self._lot_of[coming.number] = lot
                self._open(coming)
            if lot.is_over:
                lot.changed.set()

    def processes(self, place: int) -> int:
        """Count the processes that a player has, or has had."""
        return len(self._desks[place])

    def _open(self, fixture: Fixture) -> None:
        if self._lot_of[fixture.number].leaves_out(fixture):
            self._tables.leave_out(fixture)
            self._lot_of.pop(fixture.number).end(fixture)
            return
        desks = [self._desk_for(place, fixture.seed) for place in fixture.seating]
        for desk in desks:
            if desk not in self._serving:
                self._serving[desk] = asyncio.create_task(self._serve(desk))
        entrants = [self._players[place].entrant for place in fixture.seating]
        self._tables.open(fixture, entrants, desks)

    def _desk_for(self, place: int, deal: Seed) -> Desk:
        """Find the first process of a player that has not met a deal, or add one."""
        desks = self._desks[place]
        for desk in desks:
            if not desk.has_met(deal):
                return desk
        desks.append(Desk(self, place))
        return desks[-1]

    def answered(self, pending: Pending, answer: Answer | Fault) -> None:
        """Take an answer."""
        self._tables.answered(pending, answer)

    async def _serve(self, desk: Desk) -> None:
        """Let a bot work at a desk whenever there is something to play."""
        place = desk.place
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
                    self._tables.broke(desk, breakage)
                    continue
                # It broke before it was told of any match: that is not the fault of one.
                starts_failed += 1
                if starts_failed == STARTS or breakage.ending is SeatEnding.WRONG_VERSION:
                    self._tables.give_up_on(place, breakage, self._desks[place])
                else:
                    desk.wake()
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = error
        for lot in self._lots:
            lot.changed.set()

    def _overran(self, fixture: Fixture, place: int) -> None:
        self._lot_of[fixture.number].overruns[place] += 1

    async def _watch_over_time(self) -> None:
        """Notice when this process was stopped or starved."""
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(STALL_S / 2)
            late = loop.time() - before - STALL_S / 2
            if late > STALL_S:
                self.stalled_s += late
