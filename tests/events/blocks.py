"""Which blocks of matches are given to workers?"""

from __future__ import annotations

from arena.events.work import Block, Contender, DealtMatch, Terms
from arena.games.randomness import Seed, derive, seed_from
from arena.games.registry import game_named
from arena.scheduling.pairing import Pairing, matches_of
from arena.secret import match_salt
from tests.cages import cage

MEOW = game_named("meow")
SECRET = seed_from(1)


def terms() -> Terms:
    """Give the terms of an event."""
    parameters = MEOW.parameters_form.show(MEOW.default_parameters)
    return Terms("meow", parameters, "cpu:10+0.1", cage().name)


def block(
    *contenders: Contender,
    tables: int = 8,
    secret: Seed = SECRET,
    deals: int = 2,
    first: int = 40,
) -> Block:
    """Let bots meet for some deals; matches may come back unplayed."""
    seating = tuple(range(len(contenders)))
    pairing = Pairing(1, 5, seating)
    matches = tuple(
        DealtMatch(match, derive(secret, f"{match.deal}"), match_salt(secret, match.number))
        for match in matches_of(pairing, deals=deals, sides=seating, first=first)
    )
    return Block(terms(), contenders, matches, tables, 2, hands_back=True)
