"""What the network sees of a position of MEOW: one row of numbers for each card that may be played.

A row describes the position (the prize, the tokens still to come, who plays after this seat) and
the card in it (how many unseen cards beat it, what the rest of the hand is worth without it). The
same code serves the bot and its training, so both see the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from arena.games.meow.cards import (
    BITS,
    CARDS,
    COLOUR_MASK,
    COLOUR_OF,
    DECK_MASKS,
    FISH,
    GREEN,
    RANKS,
    ROW,
    VASE,
    card,
    rank_of,
)
from arena.games.meow.parameters import Parameters, Vases
from arena.games.meow.state import points, winning_card
from arena.games.meow.view import View, legal_mask

Floats = npt.NDArray[np.float32]

_COLOUR = np.array(COLOUR_OF)
_RANK = np.array([rank_of(each) for each in range(CARDS)], dtype=np.float32) / RANKS
_GREEN = (_COLOUR == GREEN).astype(np.float32)
_SHIFTS = np.arange(CARDS, dtype=np.uint64)
_NONE = CARDS
"""Stands for the winning card before the first card of a trick."""


def _beaters(held: int) -> int:
    """Return the set of cards that beat a card in a trick of its own colour."""
    colour = COLOUR_OF[held]
    one, eighteen = card(colour, 1), card(colour, RANKS)
    better = COLOUR_MASK[colour] & -(2 << held)
    if held == one:
        better &= ~BITS[eighteen]
    elif held == eighteen:
        better = BITS[one]
    return better if colour == GREEN else better | COLOUR_MASK[GREEN]


def _bits(masks: Sequence[int]) -> Floats:
    """Return one row for each set of cards, with 1 for each card in it."""
    packed = np.array(masks, dtype=np.uint64)
    return (packed[:, None] >> _SHIFTS & np.uint64(1)).astype(np.float32)


_BEATS = _bits([*map(_beaters, range(CARDS)), (1 << CARDS) - 1])
"""Row c has the cards that beat c; every card beats none at all."""
_SAME_COLOUR = (_COLOUR[:, None] == _COLOUR).astype(np.float32)
_BEATS_IN_COLOUR = _BEATS[:CARDS] * _SAME_COLOUR


class _Gains(dict[tuple[tuple[int, ...], int], float]):
    """The points that one more token brings, a tenth each, by the tokens so far and the new one.

    A fish that removes nothing yet counts a little: a bone may come.
    """

    def __init__(self, parameters: Parameters) -> None:
        self._parameters = parameters
        self.points = lru_cache(maxsize=65536)(lambda won: points(won, parameters))

    def __missing__(self, key: tuple[tuple[int, ...], int]) -> float:
        won, token = key
        gain = self.points((*won, token)) - self.points(won)
        self[key] = value = 0.3 if token == FISH and not gain else gain / 10
        if len(self) > 200_000:
            self.clear()
        return value


_gains_with = lru_cache(maxsize=16)(_Gains)


@lru_cache(maxsize=65536)
def _later(tokens: tuple[int, ...]) -> tuple[float, ...]:
    plain = [token for token in tokens if abs(token) < FISH]
    return (
        sum(token for token in plain if token > 0) / 50,
        sum(token for token in plain if token < 0) / 50,
        tokens.count(FISH) / 4,
        tokens.count(VASE) / 4,
    )


@lru_cache(maxsize=65536)
def _standing(won: tuple[int, ...]) -> tuple[float, ...]:
    fish = won.count(FISH)
    bones = sorted(token for token in won if VASE < token < 0)[fish:]
    return fish / 4, won.count(VASE) / 4, sum(bones) / 20, min(bones, default=0) / 10


WIDTH = 42 + 22
"""Numbers in a row: those that describe the position, and those that describe the card in it."""


def _position(view: View) -> tuple[list[float], int, int]:
    """Describe a position; also return its winning card and how many play after this seat."""
    parameters, seats, seat, _, round_, row, later, won, leader, trick, _, _, voids = view
    prize = row[0]
    after = seats - 1 - len(trick)
    following = [(seat + step) % seats for step in range(1, after + 1)]
    gain = _gains_with(parameters)
    gains = [gain[each, prize] for each in won]
    others = [*gains[:seat], *gains[seat + 1 :]]
    of_following = [gains[each] for each in following] or [0.0]
    winning, winner_gain, led = _NONE, 0.0, -1
    if trick:
        led = COLOUR_OF[trick[0]]
        winning = winning_card(list(trick), led)
        winner_gain = gains[(leader + trick.index(winning)) % seats]
    own = won[seat]
    coming = sorted([gain[own, token] for token in row[1:]], reverse=True)
    scores = [gain.points(each) for each in won]
    mine = scores[seat]
    rest = [*scores[:seat], *scores[seat + 1 :]]
    is_plain = abs(prize) < FISH
    numbers = [
        seats / 6,
        float(parameters.expert),
        float(parameters.vases is Vases.ONCE),
        round_ / 2,
        len(row) / ROW,
        after / 5,
        float(not trick),
        float(not after),
        max(prize, 0) / 10 if is_plain else 0.0,
        min(prize, 0) / 10 if is_plain else 0.0,
        float(prize == FISH),
        float(prize == VASE),
        gains[seat],
        sum(others) / len(others),
        max(of_following),
        min(of_following),
        winner_gain,
        *coming,
        *[0.0] * (ROW - 1 - len(coming)),
        row[1:].count(FISH) / 4,
        row[1:].count(VASE) / 4,
        *_later(later),
        *_standing(own),
        (mine - max(rest)) / 20,
        (mine - sum(rest) / len(rest)) / 20,
        sum(voids[each] >> led & 1 for each in following) / 5 if led >= 0 else 0.0,
        sum(voids[each] >> GREEN & 1 for each in following) / 5,
        float(led == GREEN),
        float(winning != _NONE and COLOUR_OF[winning] == GREEN != led),
        max(gains),
    ]
    return numbers, winning, after


_LOG_FACTORIALS = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, 2 * CARDS)))))


def _chance_of_none(marked: Floats, size: Floats, total: Floats) -> Floats:
    """Return the probability that a hand drawn from these cards has none of the marked ones."""
    left = total - marked - size
    log = _LOG_FACTORIALS
    whole = (total - marked).astype(int)
    ratio = (
        log[whole]
        - log[np.maximum(left, 0).astype(int)]
        - log[total.astype(int)]
        + log[(total - size).astype(int)]
    )
    chance: Floats = np.where(left < 0, 0, np.exp(ratio)).astype(np.float32)
    return chance


def _chances(
    *, size: Floats, unseen: Floats, follow: Floats, above: Floats, trumps: Floats, trumped: Floats
) -> tuple[Floats, Floats]:
    """Return the probability that one later hand does not beat a card, if it wants to and if not.

    A hand must follow the led colour; without it, it may beat the card with a green one. A card
    that was `trumped` in is beaten by higher greens only, by hands that lack the led colour.
    """
    lacks = _chance_of_none(follow, size, unseen)
    trumps = np.where(trumped > 0, above, trumps)
    above = np.where(trumped > 0, 0, above)
    has_trump_only = lacks - _chance_of_none(np.minimum(follow + trumps, unseen), size, unseen)
    wanting = _chance_of_none(above, size, unseen) - has_trump_only
    must_beat = _chance_of_none(np.maximum(follow - above, 0), size, unseen) - lacks
    unwilling = np.where(trumped > 0, 1, 1 - must_beat)
    return np.clip(wanting, 0, 1), np.clip(unwilling, 0, 1).astype(np.float32)


def features_of(views: Sequence[View]) -> tuple[Floats, npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the rows of all playable cards, with the view and the card of each."""
    described = [_position(view) for view in views]
    position = np.array([numbers for numbers, _, _ in described], dtype=np.float32)
    winning = np.array([card for _, card, _ in described])
    led = np.array([view.trick[0] if view.trick else -1 for view in views])
    after = np.array([count for _, _, count in described], dtype=np.float32)
    seats = np.array([view.seats for view in views], dtype=np.float32)
    hand = _bits([view.hand_mask for view in views])
    unseen = _bits(
        [
            DECK_MASKS[view.seats, view.parameters.expert]
            & ~(view.hand_mask | sum(view.played_masks))
            for view in views
        ]
    )
    legal = _bits([legal_mask(view) for view in views])
    left = np.maximum(unseen.sum(axis=1), 1)
    in_hand = hand.sum(axis=1)
    beaters = unseen @ _BEATS[:CARDS].T
    in_colour = unseen @ _BEATS_IN_COLOUR.T
    share = beaters / left[:, None]
    strength = (1 - share) ** (seats - 1)[:, None]
    strength *= hand
    # The strongest card is matched with the best token to come, the next with the next best.
    ordered = -np.sort(-strength, axis=1)[:, :ROW]
    coming = position[:, 17 : 17 + ROW - 1]
    before = np.cumsum(ordered[:, : ROW - 1] * coming, axis=1)
    moved_up = np.cumsum(ordered[:, 1:] * coming, axis=1)
    zero = np.zeros((len(views), 1), dtype=np.float32)
    before = np.hstack((zero, before))
    moved_up = np.hstack((zero, moved_up))

    which, cards = np.nonzero(legal)
    rank = (strength[which] > strength[which, cards][:, None]).sum(axis=1)
    rest_of_hand = before[which, rank] + moved_up[which, -1] - moved_up[which, rank]
    takes = _BEATS[winning[which], cards]
    if_wanted, if_unwanted = _chances(
        size=in_hand[which],
        unseen=left[which],
        # Before the first card of a trick, the card itself decides what is led.
        follow=(unseen @ _SAME_COLOUR)[which, np.where(led[which] < 0, cards, led[which])],
        above=in_colour[which, cards],
        trumps=(beaters - in_colour)[which, cards],
        trumped=_GREEN[cards] * (led[which] >= 0) * (1 - _GREEN[led[which]]),
    )
    wanted = takes * if_wanted ** after[which]
    unwanted = takes * if_unwanted ** after[which]
    stands = np.where(position[which, 13] > 0, wanted, unwanted)
    colours = _SAME_COLOUR[cards]
    mine_in_colour = (hand[which] * colours).sum(axis=1)
    higher = (legal[which] * _BEATS_IN_COLOUR[cards]).sum(axis=1)
    gain = position[which, 12]
    columns = (
        _RANK[cards],
        _GREEN[cards],
        takes,
        beaters[which, cards] / 10,
        in_colour[which, cards] / 10,
        strength[which, cards],
        wanted,
        unwanted,
        wanted * gain,
        unwanted * gain,
        stands,
        stands * gain,
        rest_of_hand,
        stands * gain + rest_of_hand,
        rank / np.maximum(in_hand[which], 1),
        mine_in_colour / ROW,
        (unseen[which] * colours).sum(axis=1) / RANKS,
        higher / 5,
        (1 - takes) * position[which, 16],
        strength.sum(axis=1)[which] / 4,
        strength.max(axis=1)[which],
        (hand @ _GREEN)[which] / ROW,
    )
    rows = np.concatenate((position[which], np.stack(columns, axis=1)), axis=1, dtype=np.float32)
    return rows, which, cards
