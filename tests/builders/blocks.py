"""Blocks of matches, and a worker to play them."""

from __future__ import annotations

import asyncio

from arena.games.randomness import Seed, derive, seed_from
from arena.games.registry import game_named
from arena.indices import BotIndex
from arena.scheduling.pairing import Pairing
from arena.secret import match_salt
from arena.workers.block import Block, BlockMatch, DealtMatch, MatchTerms, PackedBot
from arena.workers.worker import Worker
from leaderboard.result import MatchResult
from tests.builders.planned import matches_of
from tests.cages import cage
from tests.indices import entrants_in

MEOW = game_named("meow")
SECRET = seed_from(1)


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
    pairing = Pairing(1, 5, entrants_in(sides))
    matches = tuple(
        BlockMatch(
            DealtMatch(match, derive(secret, f"{match.deal}"), match_salt(secret, match.number)),
            tuple(BotIndex(entrant) for entrant in match.seating),
        )
        for match in matches_of(pairing, deals=deals, sides=sides, first=first)
    )
    return Block(match_terms(), bots, matches, tables, 2, return_unplayed=True)


def play_block(block: Block) -> list[MatchResult]:
    """Play one block with a new worker, then close the worker."""

    async def play() -> list[MatchResult]:
        worker = Worker()
        try:
            played = [each async for each in worker.play(block)]
            return [each for each in played if isinstance(each, MatchResult)]
        finally:
            await worker.close()

    return asyncio.run(play())
