"""Players in their own processes, behind a socket.

The bot connects to the referee: each process has its own server and socket file, so whatever
arrives there comes from that bot. The referee reads only while an answer is outstanding, so a bot
that sends more than it was asked for fills its own pipe and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from arena.errors import PlatformError
from arena.records import OUTPUT_BYTES, Entrant, Fault, SeatEnding
from arena.referee.mailbox import STALL_S, Mailbox
from arena.referee.model import Breakage
from arena.referee.players.connection import Connection, listen
from arena.referee.players.decode import Answered, Nonsense, decode_answers, evidence
from arena.referee.players.disconnect import explain_disconnect
from arena.referee.players.encode import encode_batch
from arena.referee.players.handshake import await_hello, start_bot
from arena.referee.players.player import Player
from arena.referee.players.stopwatch import make_stopwatch
from arena.referee.table import Answer
from arena.sandbox.bot_process import Launch, Process
from arena.sandbox.image.memory import memory_base
from arena.sandbox.tempdir import temp_dir
from arena.wire.envelope import goodbye

START_LIMIT_S = 10.0
"""Time limit for a bot to start and send Hello."""
_READ_LIMIT_S = 5.0
"""Time limit for a bot to read a message that needs no answer."""
_GOODBYE_LIMIT_S = 1.0
"""Time limit for a bot to end after Goodbye."""
OnOutput = Callable[[bytes], None]
"""Called with everything that a bot prints, as it is read."""
_STACK_LIMIT_S = 0.5
_POLL_S = 0.1
"""How often a bot that is thinking is asked for new output."""


class RemotePlayer(Player):
    """A bot, with one process for each mailbox."""

    def __init__(
        self,
        entrant: Entrant,
        launch: Launch,
        *,
        start_limit_s: float = START_LIMIT_S,
        on_output: OnOutput | None = None,
        prints_stack: bool = False,
    ) -> None:
        """Start processes with `launch`, each when it is first needed.

        With `on_output`, it is called with what they print, and answers keep it. One that overruns
        its clock `prints_stack`, if it can, before it is ended.
        """
        self.entrant = entrant
        self._launch = launch
        self._start_limit_s = start_limit_s
        self._on_output = on_output
        self._prints_stack = prints_stack
        self._processes: set[Process] = set()

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Start a process and let it answer until it breaks; then end it."""
        with temp_dir(memory_base()) as folder:
            ended = asyncio.Event()
            async with listen(folder / "referee.sock", mailbox.wake) as connection:
                start = await mailbox.conditions.starts.begin()
                process = start_bot(self._launch, connection, ended.set)
                if isinstance(process, Breakage):
                    start.end()
                    return process
                self._processes.add(process)
                output = OutputReader(process, self._on_output) if self._on_output else None
                polling = asyncio.create_task(output.keep_polling()) if output else None
                try:
                    session = _Session(connection, process, ended, mailbox, output)
                    breakage = await session.run(self._start_limit_s, start.end)
                    lost = process.machine_fault()
                    if lost:
                        raise PlatformError(lost)
                    if self._prints_stack and breakage.ending is SeatEnding.OVERRUN:
                        await _print_stack(process)
                    return replace(breakage, printed=process.printed())
                finally:
                    start.end()
                    self._processes.discard(process)
                    # The figure is still needed; the process, which holds folders, is not.
                    peak = process.peak_memory()
                    mailbox.peak_memory = lambda: peak
                    process.kill()
                    if output and polling:
                        polling.cancel()
                        output.poll()

    def freeze(self) -> None:
        """Freeze its processes, for example while nothing is in play."""
        for process in self._processes:
            process.freeze()

    def thaw(self) -> None:
        """Let its processes run again."""
        for process in self._processes:
            process.thaw()


async def _print_stack(process: Process) -> None:
    """Have a process print where it is; wait until it has, but not for long."""
    before = process.printed()
    process.print_stack()
    with suppress(TimeoutError):
        async with asyncio.timeout(_STACK_LIMIT_S):
            while process.printed() == before and not process.is_ending():
                await asyncio.sleep(_POLL_S / 10)
            # It writes line by line.
            await asyncio.sleep(_POLL_S / 2)


class _Session:
    """All communication with one process."""

    def __init__(
        self,
        connection: Connection,
        process: Process,
        ended: asyncio.Event,
        mailbox: Mailbox,
        output: OutputReader | None = None,
    ) -> None:
        self._connection = connection
        self._process = process
        self._ended = ended
        self._mailbox = mailbox
        self._output = output
        self._is_closing = False
        self._watch = make_stopwatch(mailbox, process)
        mailbox.peak_memory = process.peak_memory

    async def run(self, start_limit_s: float, on_start: Callable[[], None]) -> Breakage:
        """Serve the mailbox until the bot breaks; when cancelled, send Goodbye to an idle bot."""
        # A separate task, because a message that is being sent must not be cut off.
        serving = asyncio.create_task(self._run(start_limit_s, on_start))
        try:
            return await asyncio.shield(serving)
        except asyncio.CancelledError:
            mailbox = self._mailbox
            if mailbox.is_ready and not mailbox.unanswered and not mailbox.requests:
                self._is_closing = True
                mailbox.wake()
                await asyncio.wait((serving,), timeout=_GOODBYE_LIMIT_S)
            raise
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

    async def _run(self, start_limit_s: float, on_start: Callable[[], None]) -> Breakage:
        """Do the handshake, then serve the mailbox until the bot breaks."""
        hello = await await_hello(
            self._connection, self._process, self._ended, limit_s=start_limit_s
        )
        on_start()
        if isinstance(hello, Breakage):
            return hello
        self._mailbox.is_ready = True
        if self._mailbox.conditions.freezes:
            self._process.freeze()
        return await self._serve(wants_legal_actions=hello.wants_legal_actions)

    async def _serve(self, *, wants_legal_actions: bool) -> Breakage:
        mailbox = self._mailbox
        while True:
            await mailbox.wait()
            await mailbox.conditions.turns.take(mailbox)
            try:
                breakage = await self._take_turn(wants_legal_actions=wants_legal_actions)
            finally:
                mailbox.conditions.turns.end()
            if breakage:
                return breakage

    async def _take_turn(self, *, wants_legal_actions: bool) -> Breakage | None:
        mailbox = self._mailbox
        if self._connection.is_closed:
            return await self._explain_disconnect("between two decisions")
        if mailbox.conditions.freezes and not mailbox.requests and not self._is_closing:
            # Starts and ends wait for the next request: to read them, the bot would have to run.
            return None
        starts, requests, ends = mailbox.take_all()
        if starts:
            self._process.add_matches(len(starts))
        message = encode_batch(
            starts,
            requests,
            ends,
            clock=mailbox.conditions.clock,
            wants_legal_actions=wants_legal_actions,
            goodbye=goodbye("there are no more matches") if self._is_closing else b"",
        )
        if mailbox.conditions.freezes:
            self._process.thaw()
        if self._is_closing:
            await self._connection.send(message)
            self._connection.close()
            return await self._explain_disconnect("after Goodbye")
        return await (self._ask(message) if requests else self._send_updates(message))

    async def _send_updates(self, message: bytes) -> Breakage | None:
        """Send a message that needs no answer."""
        now = asyncio.get_running_loop().time
        sending = asyncio.create_task(self._connection.send(message))
        try:
            while not sending.done():
                since = now()
                await asyncio.wait((sending,), timeout=_READ_LIMIT_S)
                # If the referee was held up, or idle between two blocks, wait again.
                if not sending.done() and now() - since < _READ_LIMIT_S + STALL_S:
                    return Breakage(SeatEnding.HUNG_UP, "it did not read its messages")
        finally:
            sending.cancel()
        return None if sending.result() else await self._explain_disconnect("between two decisions")

    async def _ask(self, message: bytes) -> Breakage | None:
        """Send requests and wait for all answers; a late or invalid answer is a breakage."""
        mailbox, watch = self._mailbox, self._watch
        watch.start()
        while mailbox.unanswered:
            try:
                async with watch.time_limit():
                    # A bot that does not read the message is late, like one that does not answer.
                    was_sent = not message or await self._connection.send(message)
                    received = await self._connection.receive() if was_sent else None
            except TimeoutError:
                return watch.explain_timeout()
            message = b""
            if received is None:
                return await self._explain_disconnect("instead of answering")
            watch.stop()
            if watch.is_late:
                return watch.explain_timeout()
            answers = decode_answers(received, mailbox)
            # Every answer keeps the message until the next request of its match.
            received = evidence(received)
            if isinstance(answers, Nonsense):
                return Breakage(answers.ending, answers.sentence, answers.match_number, received)
            watch.share(len(answers))
            if mailbox.conditions.freezes and len(answers) == len(mailbox.unanswered):
                self._process.freeze()
            self._deliver(answers, received)
        return None

    def _deliver(self, answers: list[Answered], received: bytes) -> None:
        watch, printed = self._watch, self._process.printed
        output = self._output.take() if self._output else b""
        if len(answers) > 1:
            # It is unclear to which decision it belongs.
            output = b""
        for pending, action, note in answers:
            answer: Answer | Fault
            before, sent = pending.time_left_s, pending.sent
            overrun = watch.charge(pending)
            if overrun:
                seat = pending.request.seat
                answer = Fault(seat, SeatEnding.OVERRUN, overrun, sent, received, before, printed())
            else:
                answer = Answer(
                    action, watch.charged_us, sent, received, before, printed, output, note
                )
            self._mailbox.answer(pending, answer)

    async def _explain_disconnect(self, when: str) -> Breakage:
        if self._mailbox.conditions.freezes:
            # A frozen process cannot end.
            self._process.thaw()
        return await explain_disconnect(self._connection, self._process, self._ended, when)


def ignore_output(data: bytes) -> None:
    """Show nothing: the output is only kept."""


class OutputReader:
    """Reads the output of one process."""

    def __init__(self, process: Process, on_output: OnOutput) -> None:
        """Read the output of `process`; report it to `on_output`."""
        self._process = process
        self._on_output = on_output
        self._untaken = bytearray()

    def poll(self) -> None:
        """Read and report what is new."""
        new = self._process.take_output()
        if new:
            self._untaken += new[: OUTPUT_BYTES - len(self._untaken)]
            self._on_output(new)

    async def keep_polling(self) -> None:
        """Report output even while the bot is thinking; runs until it is cancelled."""
        while True:
            await asyncio.sleep(_POLL_S)
            self.poll()

    def take(self) -> bytes:
        """Return the beginning of what was printed since the last call, as much as a record keeps.

        Called when an answer has arrived: what was printed before it is in the pipe.
        """
        self.poll()
        taken = bytes(self._untaken)
        self._untaken.clear()
        return taken
