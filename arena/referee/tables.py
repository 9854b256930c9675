"""What becomes of the matches in play, as answers come in and when a bot breaks?

A bot that breaks (crashes, hangs up, overruns, talks nonsense) after a message that was about one
match alone has faulted in that match. If the message was about several, even if some of them are
over, nobody can tell which one it was: they are voided and played again one at a time, from the
same seeds, by processes that have not met their deals, and the fault shows itself where it belongs.
If it shows itself nowhere, the breakage is entered against the bot all the same. Matches that
merely have the bot at their table lose its memory of them, so they are voided too.

Nothing waits here: the floor tells what has happened, and looks at what is left to do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from arena.errors import PlatformError
from arena.records import Break, Entrant, Fault, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.desk import Breakage, Desk, Ended, Fixture, Match, Pending
from arena.referee.table import Answer, Finished, Request, table

TRIES = 5
"""How often a match that the machine has spoilt is played again before the referee gives up."""


class Tables:
    """The matches in play, those that are over, and those that are to be played again."""

    def __init__(
        self,
        clock: Clock,
        cage: str,
        on_change: Callable[[], None],
        on_overrun: Callable[[Fixture, int], None],
    ) -> None:
        """Say whom to tell when a match ends or is void, and when a bot's time ran out in one."""
        self.live: dict[int, Match] = {}
        """By tag."""
        self.again: deque[Fixture] = deque()
        """Void matches that are to be played again, each alone."""
        self.done: deque[tuple[Fixture, Record]] = deque()
        self._clock = clock
        self._cage = cage
        self._on_change = on_change
        self._on_overrun = on_overrun
        self._tags = 0
        self._tries: dict[int, int] = {}
        """By the number of a match, how often the machine has spoilt it."""
        self._unable: dict[int, Breakage] = {}
        """By place, the bots that do not start."""
        self._suspicions: list[_Suspicion] = []
        self._with_voids: set[Desk] = set()
        """The desks where news of void matches wait."""

    def open(self, fixture: Fixture, entrants: Sequence[Entrant], desks: Sequence[Desk]) -> None:
        """Begin a match; the desks, by seat, are of processes that have not met its deal."""
        clock = self._clock
        self._tags += 1
        wall_left_s = [clock.wall.bank_s] * len(entrants)
        match = Match(
            fixture,
            self._tags,
            table(
                fixture.game,
                fixture.seed,
                fixture.parameters,
                entrants,
                clock=str(clock),
                cage=self._cage,
                salt=fixture.salt,
            ),
            [clock.bank_s] * len(entrants) if clock.counts_cpu else wall_left_s,
            wall_left_s,
            [0] * len(entrants),
            desks=desks,
        )
        self.live[match.tag] = match
        for seat, desk in enumerate(desks):
            if desk.place in self._unable:
                continue
            desk.seat(match, seat)
            if not desk.is_occupied:
                # All bots start together, not each when it is first asked.
                desk.wake()
        self._advance(match, None)

    def answered(self, pending: Pending, answer: Answer | Fault) -> None:
        """Take an answer; one to a match that was voided meanwhile is of no interest."""
        match = pending.match
        if match.tag not in self.live:
            return
        if isinstance(answer, Fault):
            self._put_out(match, answer)
        self._advance(match, answer)

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
        desk = match.desks[request.seat]
        pending = Pending(match, request)
        breakage = match.doomed.get(request.seat)
        if match.tag not in desk.live:
            breakage = breakage or self._unable.get(desk.place)
        if breakage:
            self._blame(pending, breakage)
            return
        desk.requests.append(pending)
        desk.wake()

    def _put_out(self, match: Match, fault: Fault) -> None:
        """Tell a bot that a match is over for it."""
        desk = match.desks[fault.seat]
        if desk.live.pop(match.tag, None) and not desk.calls_off(match):
            desk.ends.append(Ended(match, fault.seat, fault.ending, fault.sentence))
            desk.wake()

    def _finish(self, match: Match, finished: Finished) -> None:
        del self.live[match.tag]
        for seat, desk in enumerate(match.desks):
            if desk.live.pop(match.tag, None):
                ended = Ended(match, seat, SeatEnding.PLAYED, "played to the end", finished)
                desk.ends.append(ended)
                desk.wake()
        for desk in self._with_voids:
            desk.tell_voids()
        self._with_voids.clear()
        breaks = self._unexplained_by(match.fixture, finished.record)
        record = replace(finished.record, breaks=breaks) if breaks else finished.record
        self.done.append((match.fixture, record))
        self._on_change()

    def _unexplained_by(self, fixture: Fixture, record: Record) -> tuple[Break, ...]:
        """Return the breakages that this match could have explained last, and does not."""
        breaks = []
        for suspicion in list(self._suspicions):
            if suspicion.place not in fixture.seating:
                continue
            was_void = fixture.number in suspicion.matches
            suspicion.matches.discard(fixture.number)
            seat = fixture.seating.index(suspicion.place)
            if record.ending_of(seat) is not SeatEnding.PLAYED:
                if was_void:
                    self._suspicions.remove(suspicion)
            elif not suspicion.matches:
                self._suspicions.remove(suspicion)
                breakage = suspicion.breakage
                breaks.append(Break(seat, breakage.ending, breakage.sentence))
        return tuple(breaks)

    def leave_out(self, fixture: Fixture) -> None:
        """Do not expect a match any more: it will explain nothing."""
        for suspicion in self._suspicions:
            suspicion.matches.discard(fixture.number)

    def give_up_on(self, place: int, breakage: Breakage, desks: Sequence[Desk]) -> None:
        """Forfeit every match of a bot that does not start, at any of its desks."""
        self._unable[place] = breakage
        for desk in desks:
            if desk.is_occupied:
                # A process of it that did start goes on with what it has.
                continue
            waiting = desk.requests
            desk.clear()
            for pending in waiting:
                self._blame(pending, breakage)

    def broke(self, desk: Desk, breakage: Breakage) -> None:
        """Find out which match a broken process has lost, and save the others."""
        heard = desk.heard()
        unheard = [match for match, _ in desk.starts]
        guilty = None if breakage.platform else _guilty(desk, breakage)
        waiting = {pending.match: pending for pending in (*desk.owed.values(), *desk.requests)}
        # Others may have voided a match while this process was deciding in it: if that is where it
        # broke, it shows when the match is played again.
        asked = {pending.match.fixture.number for pending in desk.owed.values()}
        void = asked & {fixture.number for fixture in self.again}
        starts = desk.starts
        desk.clear()
        # Matches that the bot has not heard of begin when it is back.
        for match, seat in starts:
            desk.seat(match, seat)
        desk.requests = [waiting[match] for match in unheard if match in waiting]
        if desk.requests:
            desk.wake()
        for match in heard:
            if breakage.platform:
                self._count_try(match.fixture)
            if match is not guilty:
                self._void(match)
        if heard and not guilty and not breakage.platform:
            numbers = {match.fixture.number for match in heard}
            self._suspicions.append(_Suspicion(desk.place, breakage, numbers | void))
        if guilty and breakage.ending is SeatEnding.OVERRUN:
            self._on_overrun(guilty.fixture, desk.place)
        if guilty in waiting:
            self._blame(waiting[guilty], breakage)
        elif guilty:
            # It broke between two decisions: its next one there will not be answered.
            guilty.doomed[guilty.desks.index(desk)] = breakage

    def _blame(self, pending: Pending, breakage: Breakage) -> None:
        self.answered(pending, fault_of(pending, breakage))

    def _void(self, match: Match) -> None:
        """Break a match off; it is played again, alone."""
        if self.live.pop(match.tag, None) is None:
            return
        match.table.close()
        for seat, desk in enumerate(match.desks):
            desk.requests = [pending for pending in desk.requests if pending.match is not match]
            if desk.live.pop(match.tag, None) and not desk.calls_off(match):
                desk.voids.append(Ended(match, seat, None, "void; it is played again"))
                self._with_voids.add(desk)
        # Those that broke at it now play it first, when they know of nothing else.
        self.again.appendleft(match.fixture)
        self._on_change()

    def _count_try(self, fixture: Fixture) -> None:
        number = fixture.number
        self._tries[number] = self._tries.get(number, 0) + 1
        if self._tries[number] > TRIES:
            raise PlatformError(
                f"match {number} was broken off {self._tries[number]} times because the referee "
                "itself was held up: the machine is too busy"
            )


@dataclass(slots=True)
class _Suspicion:
    """A bot that broke at some matches at once, until one of them shows why."""

    place: int
    breakage: Breakage
    matches: set[int]
    """The numbers of those that are not over yet."""


def fault_of(pending: Pending, breakage: Breakage) -> Fault:
    """Return the fault of a bot that broke when it was asked for a decision."""
    return Fault(
        pending.request.seat,
        breakage.ending,
        breakage.sentence,
        pending.sent,
        breakage.reply,
        pending.time_left_s,
        breakage.stderr,
    )


def _guilty(desk: Desk, breakage: Breakage) -> Match | None:
    """Find the match in which a bot broke, as far as that can be known."""
    # A number can be guessed: a match of which it has not heard is not one in which it broke.
    heard = desk.heard()
    named = [match for match in heard if match.numbers[match.desks.index(desk)] == breakage.named]
    # What it was told last may have been about matches that are over or void by now.
    alone = [match for match in heard if desk.concerned == {match.tag}]
    return next(iter(named + alone), None)
