"""Which blocks of matches are given to workers?"""

from __future__ import annotations

from arena.events.work import Block, Contender, Terms
from arena.games.randomness import derive, seed_from
from arena.games.registry import game_named
from arena.scheduling.pairing import Pairing, matches_of
from tests.cages import cage

MEOW = game_named("meow")


def terms() -> Terms:
    """Give the terms of an event."""
    parameters = MEOW.parameters_form.show(MEOW.default_parameters)
    return Terms("meow", parameters, "cpu:10+0.1", cage().name)


def block(*contenders: Contender, tables: int = 8) -> Block:
    """Let bots meet for two deals."""
    seating = tuple(range(len(contenders)))
    pairing = Pairing(1, 5, seating)
    matches = tuple(matches_of(pairing, deals=2, sides=seating, first=40))
    seeds = tuple(derive(seed_from(1), f"{match.deal}") for match in matches)
    return Block(terms(), contenders, matches, seeds, tables, 2)
