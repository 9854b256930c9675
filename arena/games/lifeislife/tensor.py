"""Views of Life is Life as tensors."""

from __future__ import annotations

from functools import lru_cache

from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import (
    ACTIONS,
    ANIMALS,
    CAT,
    COUNT,
    HAND,
    LIVES,
    PIG,
    RABBIT,
    ROWS,
    SHIFTS,
    VALUES,
    count_of,
    legal_set,
)
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.view import View
from arena.games.notation import Audience
from arena.games.tensors import Encoder, floats, mask_bytes, one_hots, zeros

_KINDS = len(ANIMALS)
_MOST = max(VALUES)
"""No hand has more cards of one animal."""
_DEADLY = (RABBIT, PIG, CAT)
_FEW = 4
"""Four cards of an animal are written as 1."""
_CAP = 100
"""A hundred rounds or turns are written as 1."""


class LifeIsLifeEncoder(Encoder[View]):
    """Writes views of Life is Life as tensors."""

    def __init__(self, seats: int) -> None:
        """Lay out the parts."""
        rules, public, private = Audience
        super().__init__(
            GAME,
            seats,
            (
                ("expert", rules, 1, "1 in the expert game"),
                ("caps", rules, 2, "turn_cap / 100, round_cap / 100"),
                ("size", rules, 3 + _KINDS, "cards in a hand / 10, rows / 4, lives at the "
                 "beginning / 5, and for each animal: cards of the deck / 9"),
                ("seat", public, seats, "this seat's own number"),
                ("to_act", public, seats, "the seat to act, from this seat on; none at the end"),
                ("starter", public, seats, "the seat that started the round, from this seat on"),
                ("knocker", public, seats, "the seat that announced the last lap, from this seat "
                 "on; none before"),
                ("clock", public, 5, "round / 10, turn / 100, last turn / 100, turns left / twice "
                 "the seats but at most 1, whether the seat to act may knock"),
                ("lives", public, seats * 2, "for each seat, from this seat on: lives / 5, and the "
                 "round when it went out, counted from 1, / 10"),
                ("rows", public, ROWS * _KINDS, "for each row and animal: cards / 4; zeros "
                 "where there is no row"),
                ("known", public, seats * _KINDS, "for each seat, from this seat on, and each "
                 "animal: cards publicly known to be in its hand / 4"),
                ("lacking", public, seats * len(_DEADLY), "for each seat, from this seat on: "
                 "rabbits, pigs and cats publicly known to be missing from its hand / 4"),
                ("hand", private, _KINDS, "for each animal: cards in this seat's hand / 4"),
                ("hand_at_least", private, _KINDS * _MOST, "for each animal: whether there are at "
                 "least 1, 2, ... 9 in this seat's hand"),
                ("unseen", private, _KINDS, "for each animal: cards that this seat cannot locate "
                 "/ 4"),
            ),
        )  # fmt: skip
        self._seats = one_hots(seats)
        self._parameters = Parameters()
        self._rules = _rules(self._parameters)

    def mask(self, view: View) -> bytes:
        """Return one byte for each action: 1 if the view's seat may play it now."""
        if view.to_act != view.seat:
            return bytes(ACTIONS)
        legal = legal_set(view.hand_herd, view.row_herds, may_knock=view.may_knock)
        return mask_bytes(legal, ACTIONS)

    def pieces(self, view: View) -> list[bytes]:
        """Return the bytes of a tensor in pieces."""
        (parameters, seats, seat, to_act, lives, out, round, starter, turn, last_turn, knocker,
         rows, hand, known, lacking) = view  # fmt: skip
        if parameters is not self._parameters:
            self._parameters = parameters
            self._rules = _rules(parameters)
        one_of_seats = self._seats
        clock = (
            round / 10,
            turn / _CAP,
            last_turn / _CAP,
            min(1.0, (last_turn - turn) / (2 * seats)),
            view.may_knock,
        )
        order = (*range(seat, seats), *range(seat))
        return [
            self._rules,
            one_of_seats[seat],
            one_of_seats[(to_act - seat) % seats if to_act >= 0 else -1],
            one_of_seats[(starter - seat) % seats],
            one_of_seats[(knocker - seat) % seats if knocker >= 0 else -1],
            floats(*clock),
            *[_lives(lives[each], out[each]) for each in order],
            *map(_herd, rows),
            _NO_ROWS[len(rows)],
            *map(_herd, known[seat:] + known[:seat]),
            *map(_lacking, lacking[seat:] + lacking[:seat]),
            _herd(hand),
            _hand_at_least(hand),
            _herd(view.unseen_herd),
        ]


def _rules(parameters: Parameters) -> bytes:
    return floats(
        parameters.expert,
        parameters.turn_cap / _CAP,
        parameters.round_cap / _CAP,
        parameters.hand_size / HAND,
        parameters.row_count / ROWS,
        parameters.life_count / LIVES,
        *(value / _MOST for value in parameters.pack.values),
    )


@lru_cache(maxsize=1024)
def _lives(lives: int, out: int) -> bytes:
    return floats(lives / LIVES, (out + 1) / HAND)


# Most herds are the same as at the decision before.
@lru_cache(maxsize=8192)
def _herd(herd: int) -> bytes:
    pairs = _PAIRS
    return b"".join(
        (
            pairs[herd & 1023],
            pairs[herd >> 10 & 1023],
            pairs[herd >> 20 & 1023],
            pairs[herd >> 30 & 1023],
            pairs[herd >> 40 & 1023],
        )
    )


@lru_cache(maxsize=8192)
def _hand_at_least(hand: int) -> bytes:
    return b"".join([_AT_LEAST[hand >> shift & COUNT] for shift in SHIFTS])


@lru_cache(maxsize=4096)
def _lacking(lacking: int) -> bytes:
    return floats(*(count_of(lacking, animal) / _FEW for animal in _DEADLY))


_NO_ROWS = tuple(zeros(_KINDS * (ROWS - rows)) for rows in range(ROWS + 1))
_PAIRS = tuple(floats((two & COUNT) / _FEW, (two >> 5 & COUNT) / _FEW) for two in range(1024))
"""The counts of two animals, by their ten bits of a herd."""
_AT_LEAST = tuple(floats(*(count > at for at in range(_MOST))) for count in range(COUNT + 1))

encoder = lru_cache(maxsize=None)(LifeIsLifeEncoder)
"""Return the encoder for a number of seats."""
