"""Players in this process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.records import Entrant
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage
from arena.referee.players.player import Player
from arena.referee.table import Answer, DecisionRequest, Finished, table

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


def play_match(
    game: AnyGame,
    seed: Seed,
    parameters: Any,
    entrants: Sequence[Entrant],
    choosers: Sequence[Chooser],
) -> Finished:
    """Play one match in this process, without a referee."""
    match = table(game, seed, parameters, entrants)
    answer: Answer | None = None
    try:
        while True:
            item = match.send(answer)
            answer = (
                Answer(choosers[item.seat](item)) if isinstance(item, DecisionRequest) else None
            )
    except StopIteration as end:
        finished: Finished = end.value
        return finished
