"""What the network sees of a position of MEOW: one row of numbers for each card that may be played.

A row describes the position (the prize, the tokens still to come, who plays after this seat) and
the card in it (how likely it wins the trick, what the rest of the hand is worth without it). The
same code serves the bot and its training, so both see the same numbers. Only the hand of the seat
to act is looked at.
"""

from __future__ import annotations

import numpy as np
from tables import COLOUR, RANK, Floats, Ints, Tables, deck_bits
from trick import BEATS_IN_COLOUR, COUNTS, SAME_COLOUR, Trick, holds, takes

from arena.games.meow.cards import CARDS, FISH, GREEN, RANKS, ROW, VASE
from arena.games.meow.parameters import Vases

_GREEN = (COLOUR == GREEN).astype(np.float32)

POSITION = 44 + ROW - 1
"""How many numbers describe the position."""
WIDTH = POSITION + 24 + ROW - 1 + 6 * 3
"""How many numbers are in a row."""


def features_of(tables: Tables) -> tuple[Floats, Ints, Ints]:
    """Return the rows of all playable cards, with the table and the card of each."""
    at = np.arange(len(tables))
    trick = Trick(tables)
    position = _numbers(trick)
    hand = tables.hands[at, trick.seat]
    unseen = deck_bits(tables.seats, tables.parameters) - hand - tables.seen
    legal = tables.legal()
    left = unseen.sum(axis=1)
    counts = unseen @ COUNTS
    beaters, in_colour, of_colour = np.split(counts, (CARDS, 2 * CARDS), axis=1)
    strength = (1 - beaters / np.maximum(left, 1)[:, None]) ** (tables.seats - 1) * hand
    size = tables.row.shape[1]
    # The strongest card is matched with the best token to come, the next with the next best.
    ordered = -np.sort(-strength, axis=1)[:, :ROW]
    coming = position[:, POSITION - ROW + 1 :]
    zero = np.zeros((len(tables), 1), dtype=np.float32)
    before = np.hstack((zero, np.cumsum(ordered[:, :-1] * coming, axis=1)))
    moved_up = np.hstack((zero, np.cumsum(ordered[:, 1:] * coming, axis=1)))

    which, cards = np.nonzero(legal)
    rank = (strength[which] > strength[which, cards][:, None]).sum(axis=1)
    rest_of_hand = before[which, rank] + moved_up[which, -1] - moved_up[which, rank]
    places = np.arange(ROW - 1)
    rest = np.where(places < rank[:, None], ordered[which, :-1], ordered[which, 1:])
    is_best = takes(tables, which, cards)
    stands, if_wanted = holds(trick, which, cards, counts, left)
    stands, if_wanted = is_best * stands, is_best * if_wanted
    gain = trick.mine[which] / 10
    next_mean = trick.if_theirs[:, : trick.after].mean(axis=1) if trick.after else zero[:, 0]
    otherwise = np.where(is_best > 0, next_mean[which], trick.if_winner[which])
    value = stands * trick.if_mine[which] + (1 - stands) * otherwise
    slope = trick.slope[which] * 10
    colour = COLOUR[cards]
    legal_higher = (legal[which] * BEATS_IN_COLOUR[cards]).sum(axis=1)
    columns = (
        RANK[cards] / RANKS,
        _GREEN[cards],
        is_best,
        beaters[which, cards] / 10,
        in_colour[which, cards] / 10,
        strength[which, cards],
        stands,
        if_wanted,
        stands * gain,
        if_wanted * gain,
        value * 5,
        rest_of_hand,
        stands * gain + rest_of_hand,
        (value + rest_of_hand * slope) * 5,
        rest_of_hand * slope * 5,
        otherwise * 5,
        rank / size,
        (hand @ SAME_COLOUR[:, ::RANKS])[which, colour] / ROW,
        of_colour[which, colour] / RANKS,
        legal_higher / 5,
        left[which] / CARDS,
        strength.sum(axis=1)[which] / 4,
        (hand @ _GREEN)[which] / ROW,
        of_colour[which, GREEN] / RANKS,
    )
    described = np.stack(columns, axis=1, dtype=np.float32)
    colours = _colours(trick, hand, strength, of_colour, which, cards)
    rows = np.concatenate((position[which], described, rest, colours), axis=1)
    return rows, which, cards


def _colours(
    trick: Trick, hand: Floats, strength: Floats, unseen: Floats, which: Ints, cards: Ints
) -> Floats:
    """Describe each colour of the hand that a card leaves, and where else its cards may be."""
    left = hand[which]
    left[np.arange(len(which)), cards] = 0
    left = left.reshape(-1, 3, RANKS)
    strengths = strength[which].reshape(-1, 3, RANKS)
    tables = trick.tables
    voids = np.take_along_axis(tables.voids, trick.others[..., None], axis=1).sum(axis=1) / 5
    return np.concatenate(
        (
            left.sum(axis=2) / ROW,
            (left * strengths).sum(axis=2) / 2,
            (left * strengths).max(axis=2),
            np.where(left > 0, strengths, 1).min(axis=2),
            unseen[which] / RANKS,
            voids[which],
        ),
        axis=1,
        dtype=np.float32,
    )


def _numbers(trick: Trick) -> Floats:
    """Describe each position."""
    tables = trick.tables
    at = np.arange(len(tables))
    parameters, row, later = tables.parameters, tables.row, tables.later
    prize = row[:, 0]
    is_plain = np.abs(prize) < FISH
    following = trick.of_others[:, : trick.after] if trick.after else np.zeros((len(tables), 1))
    next_voids = np.take_along_axis(tables.voids, trick.others[..., None], axis=1)
    next_voids = next_voids[:, : trick.after]
    if tables.placed:
        led = COLOUR[tables.trick[:, 0]]
        led_voids = np.take_along_axis(next_voids, led[:, None, None], axis=2)[..., 0]
        of_led = led_voids.sum(axis=1) / 5
        is_trumped = (COLOUR[trick.winning] == GREEN) & (led != GREEN)
    else:
        led = np.full(len(tables), -1)
        of_led = is_trumped = np.zeros(len(tables))
    coming = np.zeros((len(tables), ROW - 1), dtype=np.float32)
    mine = trick.worths[at, trick.seat, 1:]
    coming[:, : mine.shape[1]] = -np.sort(-mine, axis=1) / 10
    rivals = (trick.worths.sum(axis=1)[:, 1:] - mine) / (tables.seats - 1) / 10
    fish, bones = tables.fish[at, trick.seat], tables.bones[at, trick.seat]
    plain = np.where(np.abs(later) < FISH, later, 0)
    return np.stack(
        [
            *np.broadcast_to(
                np.array(
                    [
                        tables.seats / 6,
                        parameters.expert,
                        parameters.vases is Vases.ONCE,
                        tables.rounds_left / 2,
                        row.shape[1] / ROW,
                        trick.after / 5,
                        not tables.placed,
                        not trick.after,
                    ]
                )[:, None],
                (8, len(tables)),
            ),
            np.where(is_plain, np.maximum(prize, 0), 0) / 10,
            np.where(is_plain, np.minimum(prize, 0), 0) / 10,
            prize == FISH,
            prize == VASE,
            trick.mine / 10,
            trick.of_others.mean(axis=1) / 10,
            trick.of_others.max(axis=1) / 10,
            following.max(axis=1) / 10,
            following.min(axis=1) / 10,
            (following > 0).sum(axis=1) / 5,
            trick.of_winner / 10,
            rivals.max(axis=1, initial=-2),
            rivals.min(axis=1, initial=2),
            (row[:, 1:] == FISH).sum(axis=1) / 4,
            (row[:, 1:] == VASE).sum(axis=1) / 4,
            np.maximum(plain, 0).sum(axis=1) / 50,
            np.minimum(plain, 0).sum(axis=1) / 50,
            (later == FISH).sum(axis=1) / 4,
            (later == VASE).sum(axis=1) / 4,
            fish / 4,
            tables.vases[at, trick.seat] / 4,
            bones[at, fish] / 10,
            bones[at, np.maximum(fish - 1, 0)] * (fish > 0) / 10,
            trick.lead.min(axis=1) / 20,
            trick.lead.mean(axis=1) / 20,
            trick.lead.max(axis=1) / 20,
            trick.share,
            trick.slope * 20,
            trick.if_mine * 5,
            trick.if_theirs.min(axis=1) * 5,
            trick.if_theirs.max(axis=1) * 5,
            trick.if_winner * 5,
            of_led,
            next_voids[:, :, GREEN].sum(axis=1) / 5,
            led == GREEN,
            is_trumped,
            *coming.T,
        ],
        axis=1,
        dtype=np.float32,
    )
