"""How are many matches played at once between the same bots?

Every bot has a desk. What waits for it there (matches that begin, decisions that are wanted,
matches that ended) is handed over all at once whenever the bot owes no answer, so a bot at many
tables gets large messages and a bot at one table gets small ones, by the same code.

A bot that breaks (crashes, hangs up, overruns, talks nonsense) while one match waits for it has
faulted in that match. If several wait, nobody can tell which one it was: they are voided and
played again one at a time, from the same seeds, and the fault shows itself where it belongs.
Matches that merely have the bot at their table lose its memory of them, so they are voided too.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.errors import ArenaError
from arena.games.randomness import Seed, derive
from arena.games.registry import AnyGame
from arena.records import Entrant, Fault, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.table import Answer, Finished, Request, Table, table

STALL_S = 0.25
"""When the referee itself was held up for longer than this, no bot is blamed for being late."""
TRIES = 5
"""So often a match is played again for the platform's sake before the referee gives up."""


STARTS = 3
"""So often a bot may fail to start before all its matches are forfeit."""


class PlatformError(ArenaError):
    """The referee cannot play a match on this machine, through no fault of a bot."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match that is to be played."""

    number: int
    game: AnyGame
    parameters: Any
    seed: Seed
    seating: tuple[int, ...]
    """For each seat the place of its player in the floor's list; nobody sits in two seats."""


@dataclass(slots=True, eq=False)
class Match:
    """A match in play."""

    fixture: Fixture
    tag: int
    """The number by which bots know this playing of it."""
    table: Table
    time_left_s: list[float]
    told: list[int]
    """For each seat how many events it has been told."""
    events: list[bytes] = field(default_factory=list)
    """The public events as they travel, as far as they were needed."""

    def bot_seed(self, seat: int) -> Seed:
        """Return the seed for the random choices of the bot in a seat."""
        return derive(self.fixture.seed, f"bot {seat}")


@dataclass(slots=True, eq=False)
class Pending:
    """A decision that is wanted of a bot."""

    match: Match
    request: Request
    sent: bytes = b""
    """The request as it travelled."""

    @property
    def time_left_s(self) -> float:
        """What the seat's clock shows."""
        return self.match.time_left_s[self.request.seat]


@dataclass(frozen=True, slots=True)
class Breakage:
    """A bot that cannot go on, and why."""

    ending: SeatEnding
    sentence: str
    blamed: Pending | None = None
    """The decision in which it broke, where that is known."""
    reply: bytes = b""
    stderr: bytes = b""
    platform: bool = False
    """Whether the machine is to blame, not the bot."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a bot is told when a match is over for it."""

    match: Match
    seat: int
    ending: SeatEnding | None
    """None if the match was void."""
    sentence: str
    finished: Finished | None = None
    """The match's end, unless the bot did not live to see it."""


class Desk:
    """What waits for one bot, and the way for its answers to get back to the floor."""

    def __init__(self, floor: Floor) -> None:
        """Set up an empty desk."""
        self.floor = floor
        self._something = asyncio.Event()
        self.was_greeted = False
        """Whether the bot that now works at the desk has said hello."""
        self.clear()

    def clear(self) -> None:
        """Take everything away."""
        self.starts: list[tuple[Match, int]] = []
        """Matches that begin, with the bot's seat."""
        self.requests: list[Pending] = []
        """Decisions that are wanted and not handed over yet."""
        self.ends: list[Ended] = []
        self.owed: dict[int, Pending] = {}
        """By match tag, the decisions that were handed over and are not answered yet."""
        self.live: dict[int, Match] = {}
        """By tag, the matches that the bot plays and that are not over for it."""

    def wake(self) -> None:
        """Let the bot know that something waits."""
        self._something.set()

    async def wait(self) -> None:
        """Wait until something is on the desk."""
        await self._something.wait()
        self._something.clear()

    def hand_over(self) -> tuple[list[tuple[Match, int]], list[Pending], list[Ended]]:
        """Take everything that waits; the bot owes an answer to each decision from now on."""
        taken = self.starts, self.requests, self.ends
        self.starts, self.requests, self.ends = [], [], []
        for pending in taken[1]:
            self.owed[pending.match.tag] = pending
        return taken

    def answer(self, pending: Pending, answer: Answer | Fault) -> None:
        """Bring an answer back to the floor."""
        del self.owed[pending.match.tag]
        self.floor.answered(pending, answer)


class Player(ABC):
    """Somebody who can sit at many tables at once."""

    entrant: Entrant

    @abstractmethod
    async def play(self, desk: Desk) -> Breakage:
        """Answer what comes to the desk, until cancelled or broken; then leave nothing behind.

        After a breakage `play` is called again when there is more to do.
        """


class Floor:
    """Where the tables stand. One floor plays one list of fixtures."""

    def __init__(self, players: Sequence[Player], clock: Clock) -> None:
        """Seat nobody yet; the fixtures say who plays whom."""
        self._players = players
        self.clock = clock
        self._desks = [Desk(self) for _ in players]
        self._live: dict[int, Match] = {}
        self._tags = 0
        self._again: deque[Fixture] = deque()
        self._tries: dict[int, int] = {}
        self._unable: dict[int, Breakage] = {}
        self._doomed: dict[tuple[int, int], Breakage] = {}
        self._done: deque[tuple[Fixture, Record]] = deque()
        self._changed = asyncio.Event()
        self._failure: BaseException | None = None
        self.stalled_s = 0.0
        """For how long the referee itself has been held up so far, in all."""

    async def play(
        self, fixtures: Iterable[Fixture], *, tables: int
    ) -> AsyncIterator[tuple[Fixture, Record]]:
        """Play all fixtures, at most so many at once; yield each with its record as it ends."""
        queue = iter(fixtures)
        coming = next(queue, None)
        tasks = [asyncio.create_task(self._serve(place)) for place in range(len(self._players))]
        tasks.append(asyncio.create_task(self._watch()))
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
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _open(self, fixture: Fixture) -> None:
        entrants = [self._players[place].entrant for place in fixture.seating]
        self._tags += 1
        match = Match(
            fixture,
            self._tags,
            table(
                fixture.game,
                fixture.seed,
                fixture.parameters,
                entrants,
                clock=str(self.clock),
            ),
            [self.clock.bank_s] * len(entrants),
            [0] * len(entrants),
        )
        self._live[match.tag] = match
        for seat, place in enumerate(fixture.seating):
            desk = self._desks[place]
            desk.live[match.tag] = match
            desk.starts.append((match, seat))
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
        if desk.live.pop(match.tag, None):
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
            desk.starts = [start for start in desk.starts if start[0] is not match]
            if desk.live.pop(match.tag, None):
                desk.ends.append(Ended(match, seat, None, "void; it is played again"))
                desk.wake()
        self._again.append(match.fixture)
        self._changed.set()

    async def _serve(self, place: int) -> None:
        desk = self._desks[place]
        starts_failed = 0
        try:
            while True:
                await desk.wait()
                if not desk.requests:
                    # Nothing to decide is no reason to start a bot.
                    desk.ends.clear()
                    continue
                desk.wake()
                desk.was_greeted = False
                breakage = await self._players[place].play(desk)
                starts_failed = 0 if desk.was_greeted else starts_failed + 1
                if desk.was_greeted or breakage.platform:
                    self._broke(place, breakage)
                elif starts_failed == STARTS or breakage.ending is SeatEnding.WRONG_VERSION:
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
        live = list(desk.live.values())
        owed = [pending for pending in desk.owed.values() if pending.match.tag in self._live]
        blamed = breakage.blamed
        if blamed is None and len(owed) == 1:
            blamed = owed[0]
        unheard = {start[0].tag for start in desk.starts}
        if breakage.platform:
            blamed = None
            for match in live:
                self._count_try(match.fixture)
        elif blamed is None and not owed and len(live) == 1 and live[0].tag not in unheard:
            # It broke between two decisions of its only match: the next one will not be answered.
            match = live[0]
            waiting = [pending for pending in desk.requests if pending.match is match]
            desk.clear()
            if waiting:
                self._blame(waiting[0], breakage)
            else:
                self._doomed[match.tag, place] = breakage
            return
        kept = [] if owed or breakage.platform else [m for m in live if m.tag in unheard]
        requests = [pending for pending in desk.requests if pending.match in kept]
        starts = [start for start in desk.starts if start[0] in kept]
        desk.clear()
        for match in live:
            if match in kept:
                desk.live[match.tag] = match
            elif blamed is None or match is not blamed.match:
                self._void(match)
        desk.requests, desk.starts = requests, starts
        if requests:
            desk.wake()
        if blamed is not None:
            self._blame(blamed, breakage)

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
