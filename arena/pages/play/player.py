"""A person who plays in the browser."""

from __future__ import annotations

import asyncio

from arena.pages.play.feed import SeatFeed
from arena.records import Entrant, Fault, SeatEnding
from arena.referee.clock import Clock
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage
from arena.referee.observing import Observation
from arena.referee.players.player import Player
from arena.referee.table import Answer, DecisionRequest

_TIME_UP = "Your time is up: you lose the match, and a stand-in plays on for you."


class BrowserPlayer(Player):
    """A person at a page, who sees only the view of their own seat."""

    def __init__(self, entrant: Entrant, feed: SeatFeed, clock: Clock | None = None) -> None:
        """Ask through the pages of a feed; without a clock, a person may think forever."""
        self.entrant = entrant
        self.observer = self._observe
        self._feed = feed
        self._clock = clock
        self._time_left_s = 0.0
        self._decided: asyncio.Future[int | None] | None = None

    def _observe(self, observation: Observation) -> None:
        if observation.actor is None:
            self._time_left_s = self._clock.bank_s if self._clock else 0.0
            if self._decided and not self._decided.done():
                # The match is void and dealt again: nobody waits for this decision.
                self._decided.set_result(None)
        self._feed.observe(observation)

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Answer requests until cancelled."""
        mailbox.is_ready = True
        while True:
            await mailbox.wait()
            _, requests, _ = mailbox.take_all()
            for pending in requests:
                mailbox.answer(pending, await self._decide(pending.request))

    async def _decide(self, request: DecisionRequest) -> Answer | Fault:
        loop = asyncio.get_running_loop()
        decided = self._decided = loop.create_future()

        def finish(action: int) -> None:
            if not decided.done():
                decided.set_result(action)

        def answer(action: int) -> None:
            loop.call_soon_threadsafe(finish, action)

        start = loop.time()
        left_s = self._time_left_s if self._clock else None
        self._feed.ask(request.view, answer, left_s)
        await asyncio.wait([decided], timeout=left_s)
        if not decided.done():
            self._feed.withdraw(_TIME_UP)
            sentence = f"no move within the {left_s:.1f} s left on the clock"
            return Fault(request.seat, SeatEnding.OVERRUN, sentence, time_left_s=left_s)
        used_s = loop.time() - start
        if self._clock:
            self._time_left_s = max(0.0, self._time_left_s - used_s) + self._clock.increment_s
        action = decided.result()
        # The answer in a void match is ignored, whatever it is.
        return Answer(0 if action is None else action, round(used_s * 1e6), time_left_s=left_s)
