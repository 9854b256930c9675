"""Blocks of matches, and a worker to play them."""

from __future__ import annotations

import asyncio

from arena.games.randomness import Seed
from arena.games.registry import game_named
from arena.scheduling.pairing import Pairing
from arena.workers.block import Block, MatchTerms, PackedBot
from arena.workers.worker import Worker
from leaderboard.result import MatchResult
from tests.builders.planned import SECRET, matches_of
from tests.cages import cage

MEOW = game_named("meow")


def match_terms(*, sealed: bool = False) -> MatchTerms:
    """Return the terms on which an event's matches are played."""
    parameters = MEOW.parameters_form.show(MEOW.default_parameters)
    return MatchTerms("meow", parameters, "cpu:10+0.1", cage().name, sealed=sealed)


def make_block(
    *bots: PackedBot,
    tables: int = 8,
    secret: Seed = SECRET,
    deals: int = 2,
    first: int = 40,
) -> Block:
    """Make a block of matches between bots; some may be returned unplayed."""
    sides = tuple(range(len(bots)))
    pairing = Pairing(1, 5, tuple(bot.entrant for bot in bots))
    matches = matches_of(pairing, deals=deals, sides=sides, first=first, secret=secret)
    return Block(match_terms(), bots, tuple(matches), tables, return_unplayed=True)


def play_block(block: Block) -> list[MatchResult]:
    """Play one block with a new worker, then close the worker."""

    async def play() -> list[MatchResult]:
        worker = Worker(cores=2)
        try:
            played = [each async for each in worker.play(block)]
            return [each for each in played if isinstance(each, MatchResult)]
        finally:
            await worker.close()

    return asyncio.run(play())
