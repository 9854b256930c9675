"""Players in this process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.records import Entrant
from arena.referee.clock import NO_CLOCK
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage, Ended, MatchInPlay
from arena.referee.players.player import Player
from arena.referee.table import Answer, DecisionRequest
from arena.sdk.bot import Bot, Match, Result, take_note
from arena.sdk.seated import SeatedBot
from arena.wire.envelope import commitment

Chooser = Callable[[DecisionRequest], int]
"""Decides in one match."""
MakeChooser = Callable[[AnyGame, Seed], Chooser]
"""Makes the chooser for a match, with a seed for random choices."""


def random_chooser(game: AnyGame, seed: Seed) -> Chooser:
    """Return a chooser that picks among the legal actions uniformly at random."""
    rng = Random(seed)

    def choose(request: DecisionRequest) -> int:
        actions = game.legal_actions(request.view)
        return actions[int(rng.random() * len(actions))]

    return choose


class LocalPlayer(Player):
    """A player in this process, without a clock."""

    def __init__(
        self, entrant: Entrant, make_chooser: MakeChooser, *, is_slow: bool = False
    ) -> None:
        """Decide with `make_chooser`; a slow player (a person) decides in a separate thread."""
        self.entrant = entrant
        self._make_chooser = make_chooser
        self._is_slow = is_slow

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Answer requests until cancelled."""
        mailbox.is_ready = True
        choosers: dict[int, Chooser] = {}
        while True:
            await mailbox.wait()
            starts, requests, ends = mailbox.take_all()
            for match, seat in starts:
                choosers[match.tag] = self._make_chooser(match.fixture.game, match.bot_seed(seat))
            for pending in requests:
                choose = choosers[pending.match.tag]
                if self._is_slow:
                    action = await _choose_in_thread(choose, pending.request)
                else:
                    action = choose(pending.request)
                mailbox.answer(pending, Answer(action))
            for ended in ends:
                choosers.pop(ended.match.tag, None)
            # Let other players run.
            await asyncio.sleep(0)


async def _choose_in_thread(choose: Chooser, request: DecisionRequest) -> int:
    """Decide in a thread, without blocking the loop.

    The thread is a daemon, so that a person who has not answered does not keep the program from
    ending, as a thread of the loop's executor would.
    """
    loop = asyncio.get_running_loop()
    decided: asyncio.Future[int] = loop.create_future()

    def finish(set_outcome: Callable[[Any], None], outcome: object) -> None:
        if not decided.done():
            set_outcome(outcome)

    def work() -> None:
        try:
            action = choose(request)
        except Exception as error:
            loop.call_soon_threadsafe(finish, decided.set_exception, error)
        else:
            loop.call_soon_threadsafe(finish, decided.set_result, action)

    threading.Thread(target=work, daemon=True).start()
    return await decided


class BotPlayer(Player):
    """A `Bot` object that plays in this process, without a clock; its errors are raised."""

    def __init__(self, entrant: Entrant, bot: Bot) -> None:
        """Let `bot` decide; it may also play elsewhere meanwhile."""
        self.entrant = entrant
        self._bot = bot

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Answer requests until cancelled."""
        mailbox.is_ready = True
        seats: dict[int, _SeatOfBot] = {}
        try:
            while True:
                await mailbox.wait()
                self._take_turn(mailbox, seats)
                # Let other players run.
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            # The end of the last match.
            self._take_turn(mailbox, seats)
            raise

    def _take_turn(self, mailbox: Mailbox, seats: dict[int, _SeatOfBot]) -> None:
        starts, requests, ends = mailbox.take_all()
        for match, seat in starts:
            seats[match.tag] = _SeatOfBot(self._bot, match, seat)
        for pending in requests:
            mailbox.answer(pending, seats[pending.match.tag].decide(pending.request))
        for ended in ends:
            seats.pop(ended.match.tag).end(ended)


class _SeatOfBot:
    """A bot in one seat of one match."""

    def __init__(self, bot: Bot, match: MatchInPlay, seat: Seat) -> None:
        fixture = match.fixture
        self._match = Match(
            game=fixture.game,
            parameters=fixture.parameters,
            seats=len(fixture.seating),
            seat=seat,
            bank_s=NO_CLOCK.bank_s,
            increment_s=NO_CLOCK.increment_s,
            counts_cpu=False,
            commitment=commitment(fixture.seed, fixture.salt),
            rng=match.bot_seed(seat),
            time_left_s=NO_CLOCK.bank_s,
            wall_left_s=NO_CLOCK.bank_s,
        )
        self._events: list[Any] = []
        self._seated = SeatedBot(bot, self._match)

    def decide(self, request: DecisionRequest) -> Answer:
        self._events += request.events
        action = self._seated.choose(request.view, self._events)
        return Answer(action, note=take_note(self._match))

    def end(self, ended: Ended) -> None:
        result = Result((), (), ended.sentence)
        events: Sequence[Any] = self._events
        if ended.finished:
            record, events = ended.finished
            result = Result(record.places, record.outcome.scores, ended.sentence)
        self._seated.end(result, events)
