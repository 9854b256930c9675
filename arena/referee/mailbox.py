"""Mailboxes: everything that waits to be sent to one process of a bot.

Each process has a mailbox. Its content (matches that begin, requests for decisions, matches that
ended) is sent in one message whenever no answer is outstanding. So a bot at many tables gets large
messages and a bot at one table gets small ones, with the same code.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from arena.indices import PlayerIndex, Seat
from arena.records import Fault
from arena.referee.model import Conditions, Ended, MatchInPlay, PendingDecision
from arena.referee.table import Answer

STALL_S = 0.25
"""If the referee itself was held up for longer than this, late bots are not blamed."""
_ONLY_PLAYER = PlayerIndex(0)


class Mailbox:
    """Everything that waits for one process, and the requests that it has not answered."""

    def __init__(self, conditions: Conditions, player: PlayerIndex = _ONLY_PLAYER) -> None:
        """Create an empty mailbox for a process of `player`."""
        self.conditions = conditions
        self.player = player
        self._wakeup = asyncio.Event()
        self.has_process = False
        """Whether a process is running, or being started, for this mailbox."""
        self.is_ready = False
        """Whether the present process has completed its handshake."""
        self.peak_memory: Callable[[], int | None] = lambda: None
        """Returns the peak memory of the present process, or else of the last one, in bytes."""
        self.clear()

    def clear(self) -> None:
        """Empty the mailbox, because its process has ended."""
        self._match_count = 0
        """Number of matches given to this process. Matches are numbered by it: numbers that also
        counted other matches would show the process where it is in the schedule."""
        self.starts: list[tuple[MatchInPlay, Seat]] = []
        """Matches that begin, each with the bot's seat."""
        self.requests: list[PendingDecision] = []
        """Requests that have not been sent yet."""
        self.ends: list[Ended] = []
        self.unanswered: dict[int, PendingDecision] = {}
        """Requests that were sent and are not answered yet, by the number of the match."""
        self.live: dict[int, MatchInPlay] = {}
        """Matches that are not over for the bot, by tag."""
        self.void_ends: list[Ended] = []
        """Ends of void matches, held back until another match is over. If they were sent while the
        matches are repeated and the bot broke, it would be unclear which match caused it."""
        self.last_message_tags: set[int] = set()
        """Tags of the matches in the last message to the bot that had any."""

    def add_match(self, match: MatchInPlay, seat: Seat) -> None:
        """Give the process a match."""
        self._match_count += 1
        match.numbers[seat] = self._match_count
        self.live[match.tag] = match
        self.starts.append((match, seat))

    def started_matches(self) -> list[MatchInPlay]:
        """List the live matches whose start has been sent."""
        unsent = [match for match, _ in self.starts]
        return [match for match in self.live.values() if match not in unsent]

    def cancel_start(self, match: MatchInPlay) -> bool:
        """Drop a match whose start has not been sent yet; return False if it has been sent."""
        others = [(each, seat) for each, seat in self.starts if each is not match]
        is_unsent = len(others) < len(self.starts)
        self.starts = others
        return is_unsent

    def release_void_ends(self) -> None:
        """Queue the ends of void matches to be sent."""
        if self.void_ends:
            self.ends += self.void_ends
            self.void_ends = []
            self.wake()

    def wake(self) -> None:
        """Signal that something waits to be sent."""
        self._wakeup.set()

    async def wait(self) -> None:
        """Wait for the next signal."""
        await self._wakeup.wait()
        self._wakeup.clear()

    def take_all(
        self,
    ) -> tuple[list[tuple[MatchInPlay, Seat]], list[PendingDecision], list[Ended]]:
        """Take everything that waits; from now on the requests count as unanswered."""
        taken = self.starts, self.requests, self.ends
        self.starts, self.requests, self.ends = [], [], []
        for pending in taken[1]:
            self.unanswered[pending.number] = pending
        matches = [
            *(match for match, _ in taken[0]),
            *(pending.match for pending in taken[1]),
            *(ended.match for ended in taken[2]),
        ]
        if matches:
            # What was to be sent may have been voided: then the process still has its matches.
            self.last_message_tags = {match.tag for match in matches}
        return taken

    def answer(self, pending: PendingDecision, answer: Answer | Fault) -> None:
        """Deliver the answer to a request."""
        del self.unanswered[pending.number]
        self.conditions.take_answer(pending, answer)
