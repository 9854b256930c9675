"""How does a bot behind a socket sit at tables?

The bot dials in: a server of its own listens on a socket file of its own, and whoever speaks there
is that bot. The referee reads only while it is owed an answer, so a bot that sends more than it
was asked for fills its own pipe and nothing else.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from arena.errors import PlatformError
from arena.records import Entrant, Fault, SeatEnding
from arena.referee.desk import STALL_S, Breakage, Desk, Pending, Player
from arena.referee.players.gone import gone
from arena.referee.players.hearing import Nonsense, answers_in, evidence
from arena.referee.players.line import Line
from arena.referee.players.opening import greeted, started
from arena.referee.players.speech import said
from arena.referee.players.timing import stopwatch
from arena.referee.table import Answer
from arena.sandbox.places import fresh
from arena.sandbox.process import Launch, Process
from arena.wire.messages import goodbye

START_LIMIT_S = 10.0
"""How long a bot may take to start and say hello."""
_DEAF_S = 5.0
"""How long a bot may take to read news, which need no answer."""
_PARTING_S = 1.0
"""How long, at most, a bot may look back on its matches when there are no more."""


class RemotePlayer(Player):
    """A bot in processes of its own, one for each desk that it works at."""

    def __init__(
        self, entrant: Entrant, launch: Launch, *, start_limit_s: float = START_LIMIT_S
    ) -> None:
        """Say how a process of it is started; that happens when one is first needed."""
        self.entrant = entrant
        self._launch = launch
        self._start_limit_s = start_limit_s
        self._processes: set[Process] = set()

    async def play(self, desk: Desk) -> Breakage:
        """Start the bot and let it answer, until it breaks; then leave no process behind."""
        with fresh() as folder:
            ended = asyncio.Event()
            async with Line(folder / "referee.sock", desk.wake) as line:
                process = started(self._launch, line, ended.set)
                if isinstance(process, Breakage):
                    return process
                self._processes.add(process)
                try:
                    conversation = _Conversation(line, process, ended, desk)
                    breakage = await conversation.hold_politely(self._start_limit_s)
                    lost = process.lost()
                    if lost:
                        raise PlatformError(lost)
                    return replace(breakage, stderr=process.printed())
                finally:
                    self._processes.discard(process)
                    process.kill()

    def rest(self) -> None:
        """Freeze its processes, because for a while nobody watches over them."""
        for process in self._processes:
            process.freeze()

    def rise(self) -> None:
        """Let them run again."""
        for process in self._processes:
            process.thaw()


class _Conversation:
    """Everything said between the referee and one process."""

    def __init__(self, line: Line, process: Process, ended: asyncio.Event, desk: Desk) -> None:
        self._line = line
        self._process = process
        self._ended = ended
        self._desk = desk
        self._is_leaving = False
        self._watch = stopwatch(desk, process)

    async def hold_politely(self, start_limit_s: float) -> Breakage:
        """Talk until something breaks; when cancelled, take leave of a bot that owes nothing."""
        # A task of its own, because a message that is being sent must not be cut off.
        talk = asyncio.create_task(self.hold(start_limit_s))
        try:
            return await asyncio.shield(talk)
        except asyncio.CancelledError:
            desk = self._desk
            if desk.was_greeted and not desk.owed and not desk.requests:
                self._is_leaving = True
                desk.wake()
                await asyncio.wait((talk,), timeout=_PARTING_S)
            raise
        finally:
            talk.cancel()
            await asyncio.gather(talk, return_exceptions=True)

    async def hold(self, start_limit_s: float) -> Breakage:
        """Talk until something breaks, and say what."""
        hello = await greeted(self._line, self._process, self._ended, limit_s=start_limit_s)
        if isinstance(hello, Breakage):
            return hello
        self._desk.was_greeted = True
        if self._desk.floor.freezes:
            self._process.freeze()
        return await self._take_turns(wants_legal_actions=hello.wants_legal_actions)

    async def _take_turns(self, *, wants_legal_actions: bool) -> Breakage:
        desk = self._desk
        while True:
            await desk.wait()
            await desk.floor.turns.take(desk)
            try:
                breakage = await self._turn(wants_legal_actions=wants_legal_actions)
            finally:
                desk.floor.turns.end()
            if breakage:
                return breakage

    async def _turn(self, *, wants_legal_actions: bool) -> Breakage | None:
        desk = self._desk
        if self._line.is_closed:
            return await self._gone("between two decisions")
        if desk.floor.freezes and not desk.requests and not self._is_leaving:
            # News wait for the next request: to hear them it would have to run.
            return None
        starts, requests, ends = desk.hand_over()
        if starts:
            self._process.began(len(starts))
        message = said(
            starts,
            requests,
            ends,
            clock=desk.floor.clock,
            wants_legal_actions=wants_legal_actions,
            goodbye=goodbye("there are no more matches") if self._is_leaving else b"",
        )
        if desk.floor.freezes:
            self._process.thaw()
        if self._is_leaving:
            await self._line.say(message)
            self._line.hang_up()
            return await self._gone("after the goodbye")
        return await (self._ask(message) if requests else self._tell(message))

    async def _tell(self, message: bytes) -> Breakage | None:
        """Send news, which need no answer."""
        now = asyncio.get_running_loop().time
        saying = asyncio.create_task(self._line.say(message))
        try:
            while not saying.done():
                since = now()
                await asyncio.wait((saying,), timeout=_DEAF_S)
                # A referee that was itself held up, or at rest between two blocks, waits again.
                if not saying.done() and now() - since < _DEAF_S + STALL_S:
                    return Breakage(SeatEnding.HUNG_UP, "it does not read what it is told")
        finally:
            saying.cancel()
        return None if saying.result() else await self._gone("between two decisions")

    async def _ask(self, message: bytes) -> Breakage | None:
        """Send requests and hear all answers; what is late, missing or wrong breaks the bot."""
        desk, watch = self._desk, self._watch
        watch.start()
        while desk.owed:
            try:
                async with watch.waiting():
                    # A bot that does not read its message is as late as one that does not answer.
                    was_sent = not message or await self._line.say(message)
                    heard = await self._line.hear() if was_sent else None
            except TimeoutError:
                return watch.late()
            message = b""
            if heard is None:
                return await self._gone("instead of answering")
            watch.stop()
            answers = answers_in(heard, desk)
            # Every answer remembers the message for as long as its match waits for the next one.
            heard = evidence(heard)
            if isinstance(answers, Nonsense):
                return Breakage(answers.ending, answers.sentence, answers.named, heard)
            watch.share(len(answers))
            if desk.floor.freezes and len(answers) == len(desk.owed):
                self._process.freeze()
            self._deliver(answers, heard)
        return None

    def _deliver(self, answers: list[tuple[Pending, int]], heard: bytes) -> None:
        watch, printed = self._watch, self._process.printed
        for pending, action in answers:
            answer: Answer | Fault
            before, sent = pending.time_left_s, pending.sent
            overrun = watch.charge(pending)
            if overrun:
                seat = pending.request.seat
                answer = Fault(seat, SeatEnding.OVERRUN, overrun, sent, heard, before, printed())
            else:
                answer = Answer(action, watch.charged_us, sent, heard, before, printed)
            self._desk.answer(pending, answer)

    async def _gone(self, when: str) -> Breakage:
        if self._desk.floor.freezes:
            # A frozen one could not end.
            self._process.thaw()
        return await gone(self._process, self._ended, when)
