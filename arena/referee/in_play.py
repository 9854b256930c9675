"""The matches in play: advance them with answers, and handle the breakages of bots.

A bot breaks when it crashes, hangs up, overruns its clock or violates the protocol. If the last
message to it was about a single match, that match has the fault. If it was about several, even if
some of them are over, it is unclear which one caused the breakage. They are then voided and
repeated one at a time, from the same seeds, and the fault shows in the match where it belongs. If
it shows in none, the breakage is still recorded against the bot. All other matches of the broken
process are voided as well, because its memory of them is lost.

Nothing blocks here: the referee reports answers and breakages, and reads the queues `done` and
`void`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.errors import PlatformError
from arena.indices import PlayerIndex, Seat
from arena.records import Break, Entrant, Fault, Record, SeatEnding, Usage
from arena.referee.clock import Clock
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage, Ended, Fixture, MatchInPlay, PendingDecision
from arena.referee.observing import Observer
from arena.referee.table import Answer, DecisionRequest, Finished, table

RETRIES = 5
"""How often a match is repeated because of the machine before the referee gives up."""


class MatchesInPlay:
    """The matches in play, the finished ones, and the ones to repeat."""

    def __init__(
        self,
        clock: Clock,
        cage: str,
        on_change: Callable[[], None],
        on_overrun: Callable[[Fixture, PlayerIndex], None],
    ) -> None:
        """Call `on_change` when a match is done or void, and `on_overrun` when a bot overruns."""
        self.live: dict[int, MatchInPlay] = {}
        """By tag."""
        self.void: deque[Fixture] = deque()
        """Void matches, to be played again, each alone."""
        self._void_numbers: set[int] = set()
        """The numbers of matches that were void and have not begun again."""
        self.done: deque[tuple[Fixture, Record]] = deque()
        self.answers = 0
        """Decisions that players have made."""
        self._clock = clock
        self._cage = cage
        self._on_change = on_change
        self._on_overrun = on_overrun
        self._last_tag = 0
        self._retries: dict[int, int] = {}
        """How often each match, by number, was voided because of the machine."""
        self._unstartable: dict[PlayerIndex, Breakage] = {}
        """Players whose bots do not start."""
        self._unexplained: list[_UnexplainedBreakage] = []
        self._with_void_ends: set[Mailbox] = set()
        """Mailboxes that hold back the ends of void matches."""

    def open(
        self,
        fixture: Fixture,
        entrants: Sequence[Entrant],
        mailboxes: Sequence[Mailbox],
        observers: Mapping[Seat, Observer] | None = None,
    ) -> None:
        """Start a match; the mailboxes are those of the bots, by seat."""
        clock = self._clock
        self._void_numbers.discard(fixture.number)
        self._last_tag += 1
        wall_left_s = [clock.wall.bank_s] * len(entrants)
        match = MatchInPlay(
            fixture,
            self._last_tag,
            table(
                fixture.game,
                fixture.seed,
                fixture.parameters,
                entrants,
                clock=str(clock),
                cage=self._cage,
                salt=fixture.salt,
                observers=observers,
            ),
            [clock.bank_s] * len(entrants) if clock.counts_cpu else wall_left_s,
            wall_left_s,
            [0] * len(entrants),
            mailboxes=mailboxes,
        )
        self.live[match.tag] = match
        for seat, mailbox in enumerate(mailboxes):
            if mailbox.player in self._unstartable:
                continue
            mailbox.add_match(match, Seat(seat))
            if not mailbox.has_process:
                # Start all bots at the same time, not each with its first request.
                mailbox.wake()
        self._advance(match, None)

    def take_answer(self, pending: PendingDecision, answer: Answer | Fault) -> None:
        """Advance a match with an answer; ignore it if the match was voided meanwhile."""
        match = pending.match
        if match.tag not in self.live:
            return
        self.answers += 1
        if isinstance(answer, Fault):
            self._end_for_seat(match, answer)
        self._advance(match, answer)

    def _advance(self, match: MatchInPlay, answer: Answer | Fault | None) -> None:
        try:
            item = match.table.send(answer)
            while isinstance(item, Fault):
                self._end_for_seat(match, item)
                item = match.table.send(None)
        except StopIteration as end:
            self._finish(match, end.value)
            return
        self._ask(match, item)

    def _ask(self, match: MatchInPlay, request: DecisionRequest) -> None:
        mailbox = match.mailboxes[request.seat]
        pending = PendingDecision(match, request)
        breakage = match.broken_seats.get(request.seat)
        if match.tag not in mailbox.live:
            breakage = breakage or self._unstartable.get(mailbox.player)
        if breakage:
            self._blame(pending, breakage)
            return
        mailbox.requests.append(pending)
        mailbox.wake()

    def _end_for_seat(self, match: MatchInPlay, fault: Fault) -> None:
        """End a match for a seat that has faulted."""
        mailbox = match.mailboxes[fault.seat]
        _measure_memory(match, fault.seat)
        if mailbox.live.pop(match.tag, None) and not mailbox.cancel_start(match):
            mailbox.ends.append(Ended(match, fault.seat, fault.ending, fault.sentence))
            mailbox.wake()

    def _finish(self, match: MatchInPlay, finished: Finished) -> None:
        del self.live[match.tag]
        for seat, mailbox in enumerate(match.mailboxes):
            if mailbox.live.pop(match.tag, None):
                _measure_memory(match, Seat(seat))
                ended = Ended(match, Seat(seat), SeatEnding.PLAYED, "played to the end", finished)
                mailbox.ends.append(ended)
                mailbox.wake()
        for mailbox in self._with_void_ends:
            mailbox.release_void_ends()
        self._with_void_ends.clear()
        breaks = self._settle_unexplained(match.fixture, finished.record)
        record = replace(finished.record, breaks=breaks, usage=_usage_in(match))
        self.done.append((match.fixture, record))
        self._on_change()

    def _settle_unexplained(self, fixture: Fixture, record: Record) -> tuple[Break, ...]:
        """Return breakages that this match was the last to be able to explain, and did not."""
        breaks = []
        for unexplained in list(self._unexplained):
            if unexplained.player not in fixture.seating:
                continue
            was_void = fixture.number in unexplained.matches
            unexplained.matches.discard(fixture.number)
            seat = Seat(fixture.seating.index(unexplained.player))
            if record.ending_of(seat) is not SeatEnding.PLAYED:
                if was_void:
                    self._unexplained.remove(unexplained)
            elif not unexplained.matches:
                self._unexplained.remove(unexplained)
                breakage = unexplained.breakage
                breaks.append(Break(seat, breakage.ending, breakage.sentence))
        return tuple(breaks)

    def skip(self, fixture: Fixture) -> None:
        """Forget a match that will not be played: it will explain no breakage."""
        for unexplained in self._unexplained:
            unexplained.matches.discard(fixture.number)

    def give_up_on(self, mailbox: Mailbox, breakage: Breakage) -> None:
        """Forfeit every match of a bot that does not start."""
        self._unstartable[mailbox.player] = breakage
        waiting = mailbox.requests
        mailbox.clear()
        for pending in waiting:
            self._blame(pending, breakage)

    def forget_ends(self) -> None:
        """Drop the ends of void matches that are held back: all processes end."""
        self._with_void_ends.clear()

    def handle_breakage(self, mailbox: Mailbox, breakage: Breakage) -> None:
        """Blame a broken process for one match if it is clear which, and void its others."""
        started = mailbox.started_matches()
        unsent = [match for match, _ in mailbox.starts]
        guilty = None if breakage.is_machine_fault else _find_guilty_match(mailbox, breakage)
        waiting = {
            pending.match: pending for pending in (*mailbox.unanswered.values(), *mailbox.requests)
        }
        # Another bot may have caused a match to be voided while this process was deciding in it. If
        # it broke there, that will show when the match is repeated.
        asked = {pending.match.fixture.number for pending in mailbox.unanswered.values()}
        void = asked & self._void_numbers
        starts = mailbox.starts
        mailbox.clear()
        # Matches whose start was not sent begin with the next process.
        for match, seat in starts:
            mailbox.add_match(match, seat)
        mailbox.requests = [waiting[match] for match in unsent if match in waiting]
        if mailbox.requests:
            mailbox.wake()
        for match in started:
            if breakage.is_machine_fault:
                self._count_retry(match.fixture, breakage)
            if match is not guilty:
                self._void(match)
        if started and not guilty and not breakage.is_machine_fault:
            numbers = {match.fixture.number for match in started}
            self._unexplained.append(_UnexplainedBreakage(mailbox.player, breakage, numbers | void))
        if guilty and breakage.ending is SeatEnding.OVERRUN:
            self._on_overrun(guilty.fixture, mailbox.player)
        if guilty in waiting:
            self._blame(waiting[guilty], breakage)
        elif guilty:
            # It broke between two decisions: it will not answer the next one there.
            guilty.broken_seats[Seat(guilty.mailboxes.index(mailbox))] = breakage

    def _blame(self, pending: PendingDecision, breakage: Breakage) -> None:
        self.take_answer(pending, fault_of(pending, breakage))

    def _void(self, match: MatchInPlay) -> None:
        """Cancel a match; it is to be repeated alone."""
        if self.live.pop(match.tag, None) is None:
            return
        match.table.close()
        for seat, mailbox in enumerate(match.mailboxes):
            mailbox.requests = [
                pending for pending in mailbox.requests if pending.match is not match
            ]
            if mailbox.live.pop(match.tag, None) and not mailbox.cancel_start(match):
                mailbox.void_ends.append(Ended(match, Seat(seat), None, "void; it is played again"))
                self._with_void_ends.add(mailbox)
        self.void.appendleft(match.fixture)
        self._void_numbers.add(match.fixture.number)
        self._on_change()

    def _count_retry(self, fixture: Fixture, breakage: Breakage) -> None:
        number = fixture.number
        self._retries[number] = self._retries.get(number, 0) + 1
        if self._retries[number] > RETRIES:
            reason = breakage.sentence
            if breakage.ending is SeatEnding.OVERRUN:
                reason = "the referee itself was held up: the machine is too busy"
            raise PlatformError(
                f"match {number} was cancelled {self._retries[number]} times because {reason}"
            )


@dataclass(slots=True)
class _UnexplainedBreakage:
    """A breakage during several matches, until one of them shows the reason."""

    player: PlayerIndex
    breakage: Breakage
    matches: set[int]
    """The numbers of the matches that are not done yet."""


def _measure_memory(match: MatchInPlay, seat: Seat) -> None:
    """Note the peak memory of a process when a match is over for its seat."""
    peak = match.mailboxes[seat].peak_memory()
    if peak is not None:
        match.memory_kib[seat] = peak >> 10


def _usage_in(match: MatchInPlay) -> tuple[Usage, ...]:
    """Return what each seat has used; nothing if nothing was measured."""
    cpu, memory, service = match.cpu_us, match.memory_kib, match.service_use
    if not cpu and not memory and not service:
        return ()
    seats = map(Seat, range(len(match.mailboxes)))
    return tuple(Usage(cpu.get(seat), memory.get(seat), service.get(seat)) for seat in seats)


def fault_of(pending: PendingDecision, breakage: Breakage) -> Fault:
    """Return the fault of a bot that broke with a request pending."""
    return Fault(
        pending.request.seat,
        breakage.ending,
        breakage.sentence,
        pending.sent,
        breakage.reply,
        pending.time_left_s,
        breakage.printed,
    )


def _find_guilty_match(mailbox: Mailbox, breakage: Breakage) -> MatchInPlay | None:
    """Return the match in which a bot broke, or None if that is unclear."""
    # A bot can guess numbers: it cannot have broken in a match whose start was not sent.
    started = mailbox.started_matches()
    named = [
        match
        for match in started
        if match.numbers[Seat(match.mailboxes.index(mailbox))] == breakage.match_number
    ]
    # The last message may have been about matches that are over or void by now.
    alone = [match for match in started if mailbox.last_message_tags == {match.tag}]
    return next(iter(named + alone), None)
