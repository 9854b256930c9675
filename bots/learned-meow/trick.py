"""A trick of MEOW as the seat to act sees it: what is at stake, and which cards may win it."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from tables import COLOUR, RANK, Floats, Ints, Tables, best_in, bits
from worth import prospects, sigmoid, spread, worths

from arena.games.meow.cards import BEATERS, CARDS, GREEN, RANKS

BEATS = bits(BEATERS)
"""Row c has the cards that beat c."""
SAME_COLOUR = (COLOUR[:, None] == COLOUR).astype(np.float32)
BEATS_IN_COLOUR = BEATS * SAME_COLOUR
COUNTS = np.hstack((BEATS.T, BEATS_IN_COLOUR.T, SAME_COLOUR[:, ::RANKS]))
"""For a set of cards: how many beat each card, in its colour only, and how many each colour has."""


class Trick:
    """What is at stake in the trick, for the seat to act at each table."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        at = np.arange(len(tables))
        self.seat = tables.to_act
        seats = tables.seats
        self.after = seats - 1 - tables.placed
        self.others = (self.seat[:, None] + np.arange(1, seats)) % seats
        """The other seats at each table, the next one first."""
        self.worths = worths(tables)
        prizes = self.worths[:, :, 0]
        self.mine = prizes[at, self.seat]
        self.of_others = np.take_along_axis(prizes, self.others, axis=1)
        points = prospects(tables)
        lead = points[at, self.seat][:, None] - np.take_along_axis(points, self.others, axis=1)
        self.lead = lead
        wide, soon = spread(tables.tokens_left), spread(tables.tokens_left - 1)
        ahead = sigmoid(lead / wide)
        self.share = ahead.mean(axis=1)
        self.slope = (ahead * (1 - ahead)).mean(axis=1) / wide
        """How much one point adds to the share."""
        now = sigmoid(lead / soon)
        self.if_mine: Floats = (sigmoid((lead + self.mine[:, None]) / soon) - now).mean(axis=1)
        self.if_theirs: Floats = (sigmoid((lead - self.of_others) / soon) - now) / np.float32(
            seats - 1
        )
        if tables.placed:
            trick = tables.trick[:, : tables.placed]
            place = best_in(trick)
            self.winning = trick[at, place]
            # The seat that played `back` places before this one comes last among the others.
            back = tables.placed - place
            self.if_winner: Floats = self.if_theirs[at, seats - 1 - back]
            self.of_winner = self.of_others[at, seats - 1 - back]
        else:
            self.winning = np.full(len(tables), -1)
            self.if_winner = np.zeros(len(tables), dtype=np.float32)
            self.of_winner = self.if_winner


def takes(tables: Tables, which: Ints, cards: Ints) -> Floats:
    """Return whether each card would be the best of its trick so far."""
    if not tables.placed:
        return np.ones(len(which), dtype=np.float32)
    tricks = np.hstack((tables.trick[which, : tables.placed], cards[:, None]))
    is_best: Floats = (best_in(tricks) == tables.placed).astype(np.float32)
    return is_best


def holds(
    trick: Trick, which: Ints, cards: Ints, counts: Floats, left: Floats
) -> tuple[Floats, Floats]:
    """Return the probability that the later hands do not beat a card.

    They beat it if they can and want the token, or if they must: a hand follows the led colour, and
    only a hand without it may play green. The second result is for the case that all want it.
    """
    tables = trick.tables
    sure = np.ones(len(which), dtype=np.float32)
    if not trick.after:
        return sure, sure
    led = COLOUR[tables.trick[which, 0]] if tables.placed else COLOUR[cards]
    in_colour = counts[which, CARDS + cards]
    trumps = counts[which, cards] - in_colour
    if tables.placed:
        # A 1 together with its 18 is beaten by no card of its colour.
        eighteen = (cards + RANKS - 1)[:, None]
        paired = (tables.trick[which, : tables.placed] == eighteen).any(axis=1) & (RANK[cards] == 1)
        in_colour = np.where(paired, 0, in_colour)
    is_trump = (COLOUR[cards] == GREEN) & (led != GREEN)
    above = np.where(is_trump, 0, in_colour).astype(np.int64)
    trumps = np.where(is_trump, in_colour, trumps).astype(np.int64)
    follow = counts[which, 2 * CARDS + led].astype(np.int64)
    total = left[which].astype(np.int64)
    none_of = _none_of(tables.row.shape[1])
    lacks = none_of[follow, total]
    wanting = none_of[above, total] - lacks + none_of[follow + trumps, total]
    unwilling = 1 - none_of[np.maximum(follow - above, 0), total] + lacks
    without = none_of[trumps, np.maximum(total - follow, 0)]
    stands, if_wanted = sure, sure
    for step in range(trick.after):
        seat = trick.others[which, step]
        is_void = tables.voids[which, seat, led] > 0
        has_green = tables.voids[which, seat, GREEN] == 0
        if_wants = np.where(is_void, np.where(has_green, without, 1), wanting)
        if_not = np.where(is_void, 1, unwilling)
        stands = stands * np.where(trick.of_others[which, step] > 0, if_wants, if_not)
        if_wanted = if_wanted * if_wants
    return stands, if_wanted


@lru_cache(maxsize=64)
def _none_of(size: int) -> Floats:
    """Return the probability that a hand has none of the marked cards, by marked and total."""
    table = np.zeros((CARDS + 1, CARDS + 1), dtype=np.float32)
    for total in range(CARDS + 1):
        ways = comb(total, min(size, total))
        for marked in range(total + 1):
            table[marked, total] = comb(total - marked, min(size, total)) / ways
    return table
