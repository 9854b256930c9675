"""Look ahead with the network: play the round on in worlds that fit what the seat sees.

In every world, every card that may be played is tried, and the network plays for all seats until
the round is over. The same worlds serve all cards, so that cards are compared by what they do, not
by their luck with the deal. What the network itself expects counts like some more worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from features import features_of
from network import UNITS, Network
from tables import Floats, Ints, Tables, bits
from worth import shares

from arena.games.meow import GAME
from arena.games.meow.view import View

WORLDS = 32
"""How many worlds are sampled for a decision."""
PRIOR = 8
"""How many worlds the opinion of the network is worth."""
VIEWS = 16
"""How many views are looked at together: more would need more memory, and save no time."""


def best_cards(network: Network, views: Sequence[View]) -> list[int]:
    """Return the card that the network likes best in each view; all are at the same place."""
    cards: list[int] = choices(network, Tables.from_views(views)).tolist()
    return cards


def choices(network: Network, tables: Tables) -> Ints:
    """Return the card that the network likes best at each table."""
    legal = tables.legal()
    # Where only one card may be played, nothing has to be computed.
    cards: Ints = np.argmax(legal, axis=1)
    open_ = np.flatnonzero(legal.sum(axis=1) > 1)
    if len(open_):
        some = tables if len(open_) == len(tables) else tables.taken(open_)
        rows, which, played = features_of(some)
        scores = network.scores(rows)
        cards[open_] = played[last_of_each(np.lexsort((scores, which)), which)]
    return cards


def last_of_each(order: Ints, which: Ints) -> Ints:
    """Return the last row of each table, in an order that is sorted by table."""
    ends = np.flatnonzero(np.diff(which[order]))
    last: Ints = order[np.append(ends, len(order) - 1)]
    return last


def best_after_looking(
    network: Network, views: Sequence[View], rngs: Sequence[Random]
) -> list[int]:
    """Return the best card of each view; all are at the same place."""
    found = []
    for first in range(0, len(views), VIEWS):
        some = slice(first, first + VIEWS)
        found += _look(network, views[some], rngs[some])
    return found


def _look(network: Network, views: Sequence[View], rngs: Sequence[Random]) -> list[int]:
    rows, which, cards = features_of(Tables.from_views(views))
    worlds = [
        GAME.world(view, rng).hands
        for view, rng in zip(views, rngs, strict=True)
        for _ in range(WORLDS)
    ]
    start = Tables.from_views([view for view in views for _ in range(WORLDS)], bits(worlds))
    tries = which[:, None] * WORLDS + np.arange(WORLDS)
    reached = _shares_after(network, start.taken(tries.ravel()), np.repeat(cards, WORLDS))
    merits = reached.reshape(tries.shape).sum(axis=1) + PRIOR / UNITS * network.scores(rows)
    best = last_of_each(np.lexsort((merits, which)), which)
    chosen: list[int] = cards[best].tolist()
    return chosen


def _shares_after(network: Network, tables: Tables, cards: Ints) -> Floats:
    """Play these cards, and the round on; return the share that the seats then have."""
    seat = tables.to_act
    tables.play(cards)
    while tables.row.shape[1]:
        tables.play(choices(network, tables))
    reached: Floats = shares(tables)[np.arange(len(tables)), seat]
    return reached
