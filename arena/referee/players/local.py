"""How do players of this process sit at tables?"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.records import Entrant
from arena.referee.desk import Breakage, Desk, Player
from arena.referee.table import Answer, Finished, Request, table

Choose = Callable[[Request], int]
"""Somebody's way to decide in one match."""
Sit = Callable[[AnyGame, Seed], Choose]
"""Somebody sitting down to a match, with a seed for random choices."""


def at_random(game: AnyGame, seed: Seed) -> Choose:
    """Decide evenly among the legal actions."""
    rng = Random(seed)

    def choose(request: Request) -> int:
        actions = game.legal_actions(request.view)
        return actions[int(rng.random() * len(actions))]

    return choose


class LocalPlayer(Player):
    """A player in this process, who takes the time they like."""

    def __init__(self, entrant: Entrant, sit: Sit, *, is_slow: bool = False) -> None:
        """Say how to decide; a slow player (a person) is asked in a thread of its own."""
        self.entrant = entrant
        self._sit = sit
        self._is_slow = is_slow

    async def play(self, desk: Desk) -> Breakage:
        """Answer what comes to the desk, for ever."""
        desk.was_greeted = True
        choosers: dict[int, Choose] = {}
        while True:
            await desk.wait()
            starts, requests, ends = desk.hand_over()
            for match, seat in starts:
                choosers[match.tag] = self._sit(match.fixture.game, match.bot_seed(seat))
            for pending in requests:
                choose = choosers[pending.match.tag]
                if self._is_slow:
                    action = await _in_a_thread(choose, pending.request)
                else:
                    action = choose(pending.request)
                desk.answer(pending, Answer(action))
            for ended in ends:
                choosers.pop(ended.match.tag, None)
            # Others at the floor have their turn, too.
            await asyncio.sleep(0)


async def _in_a_thread(choose: Choose, request: Request) -> int:
    """Let somebody decide without holding up the others.

    The thread is a daemon, so that a person who has not answered does not keep the program from
    ending, as a thread of the loop's own would.
    """
    loop = asyncio.get_running_loop()
    decided: asyncio.Future[int] = loop.create_future()

    def tell(how: Callable[[Any], None], what: object) -> None:
        if not decided.done():
            how(what)

    def work() -> None:
        try:
            action = choose(request)
        except Exception as error:
            loop.call_soon_threadsafe(tell, decided.set_exception, error)
        else:
            loop.call_soon_threadsafe(tell, decided.set_result, action)

    threading.Thread(target=work, daemon=True).start()
    return await decided


def play_match(
    game: AnyGame,
    seed: Seed,
    parameters: Any,
    entrants: Sequence[Entrant],
    choosers: Sequence[Choose],
) -> Finished:
    """Play one match in this process, without a floor."""
    match = table(game, seed, parameters, entrants)
    answer: Answer | None = None
    try:
        while True:
            item = match.send(answer)
            answer = Answer(choosers[item.seat](item)) if isinstance(item, Request) else None
    except StopIteration as end:
        finished: Finished = end.value
        return finished
