"""Views of Jackal & High as tensors. All seats know the same, so nothing in them is private."""

from __future__ import annotations

from functools import lru_cache

from arena.games.jackal import GAME
from arena.games.jackal.actions import MOST_WON
from arena.games.jackal.cards import PACK, PACK_NUMBERS, SPECIALS, TAKE2
from arena.games.jackal.dice import DICE, FACES, TURNS, VALLEY_AT, faces_on, in_hand
from arena.games.jackal.parameters import MOST_CONTEST_ROLLS, Parameters
from arena.games.jackal.scoring import paws
from arena.games.jackal.view import View
from arena.games.notation import Audience
from arena.games.tensors import Encoder, floats, one_hots, zeros

_NUMBERS = TAKE2
"""The numbers on top of a stack: 1 to 21, and 0 for a Take2 with nothing on it."""
_HIGHEST = TAKE2 - 1
_PAWS = 3
"""Three paws are written as 1."""
_ON_STACK = ("sum", "dice", "left", "met")


class JackalEncoder(Encoder[View]):
    """Writes views of Jackal & High as tensors."""

    def __init__(self, seats: int) -> None:
        """Lay out the parts."""
        rules, public, _ = Audience
        stacks = seats + 1
        super().__init__(
            GAME,
            seats,
            (
                ("paws", rules, len(PACK_NUMBERS), "paws / 3 on the pack cards 1 to 7 and 9 to 21"),
                ("take2_paws", rules, 1, "paws / 3 on a Take2"),
                ("round_cap", rules, 1, "rounds / 100"),
                ("size", rules, 3 + TAKE2, "dice of a seat / 3, faces of a die / 8, rolls after "
                 "which a tie is decided / 9, 0 for never, and how many cards of each number 1 to "
                 "22, where 22 is a Take2, there are / 4"),
                ("seat", public, seats, "this seat's own number"),
                ("to_act", public, seats, "the seat to act, from this seat on; none at the end"),
                ("starter", public, seats, "the seat that started the round, from this seat on"),
                ("round", public, 1, "round / 10"),
                ("turn", public, TURNS, "the turn"),
                ("display", public, stacks * (_NUMBERS + 2), "for each stack: its number 0 to 21, "
                 "number / 21, Take2 cards below / 4"),
                ("laid", public, seats * (stacks * len(_ON_STACK) + 2), "for each seat, from this "
                 "seat on: for each stack the sum of its dice / 21, its dice / 3, what is left to "
                 "the number / 21, whether the number is met; its dice in the valley / 3, in the "
                 "hand / 3"),
                ("rolled", public, DICE * FACES, "the faces rolled, the lowest die first"),
                ("rolls_left", public, TURNS, "how often the die may be rolled again"),
                ("spoils", public, seats * MOST_WON, "for each seat, from this seat on: the cards "
                 "it has won and must put in order, number / 21, in the order of the display"),
                ("valley", public, _NUMBERS, "the number of the card in the valley, 0 for none"),
                ("piles", public, seats * (_HIGHEST + len(PACK)), "for each seat, from this seat "
                 "on: how many of each number 1 to 21 it has / 2, then its pile, number / 21, from "
                 "the top"),
                ("standing", public, seats * 2, "for each seat, from this seat on: Take2 cards / "
                 "4, paws / 30"),
                ("gone", public, 1, "Lucky8 cards that have left the game / 4"),
                ("deck", public, TAKE2, "how many cards of each number 1 to 22, where 22 is a "
                 "Take2, are in the deck / 4"),
            ),
        )  # fmt: skip
        self._seats = one_hots(seats)
        self._parameters = Parameters()
        self._pieces_of = _pieces_of(self._parameters)
        self._no_stacks = tuple(zeros((_NUMBERS + 2) * (stacks - at)) for at in range(stacks + 1))

    def pieces(self, view: View) -> list[bytes]:
        """Return the bytes of a tensor in pieces."""
        (parameters, seats, seat, to_act, round, starter, turn, cards, under, laid, rolled,
         rolls_left, spoils, valley, piles, take2s, gone, unseen) = view  # fmt: skip
        if parameters is not self._parameters:
            self._parameters = parameters
            self._pieces_of = _pieces_of(parameters)
        pieces_of = self._pieces_of
        one_of_seats = self._seats
        order = (*range(seat, seats), *range(seat))
        dice = parameters.dice_count
        return [
            pieces_of.rules,
            one_of_seats[seat],
            one_of_seats[(to_act - seat) % seats if to_act >= 0 else -1],
            one_of_seats[(starter - seat) % seats],
            floats(round / 10),
            _TURNS[turn],
            *map(_stack, cards, under),
            self._no_stacks[len(cards)],
            *[_laid(laid[each], cards, seats + 1, dice) for each in order],
            *map(_FACES.__getitem__, rolled),
            _NO_DICE[len(rolled)],
            _TURNS[rolls_left],
            *map(_spoils, spoils[seat:] + spoils[:seat]),
            _CARDS[valley],
            *map(_pile, piles[seat:] + piles[:seat]),
            *[pieces_of.standing(piles[each], take2s[each]) for each in order],
            floats(gone / SPECIALS),
            _deck(unseen),
        ]


class _Pieces:
    """The pieces that depend on the parameters of a match."""

    def __init__(self, parameters: Parameters) -> None:
        self.rules = floats(
            *(each / _PAWS for each in parameters.paws),
            parameters.take2_paws / _PAWS,
            parameters.round_cap / 100,
            parameters.dice_count / DICE,
            parameters.face_count / FACES,
            parameters.contest_rolls / MOST_CONTEST_ROLLS,
        ) + _deck(parameters.pack + parameters.special_cards)

        @lru_cache(maxsize=4096)
        def standing(pile: tuple[int, ...], take2s: int) -> bytes:
            return floats(take2s / SPECIALS, paws(pile, take2s, parameters) / (10 * _PAWS))

        self.standing = standing


_pieces_of = lru_cache(maxsize=16)(_Pieces)


@lru_cache(maxsize=1024)
def _stack(card: int, under: int) -> bytes:
    return _CARDS[card] + floats(card / _HIGHEST, under / SPECIALS)


# Only one seat's dice change at a time.
@lru_cache(maxsize=8192)
def _laid(laid: int, cards: tuple[int, ...], stacks: int, dice: int) -> bytes:
    numbers: list[float] = []
    for stack in range(stacks):
        faces = faces_on(laid, stack)
        total = sum(faces)
        card = cards[stack] if stack < len(cards) else 0
        numbers += (
            total / _HIGHEST,
            len(faces) / DICE,
            (card - total) / _HIGHEST,
            bool(faces) and total == card,
        )
    return floats(*numbers, (laid >> VALLEY_AT) / DICE, in_hand(laid, dice) / DICE)


@lru_cache(maxsize=1024)
def _spoils(cards: tuple[int, ...]) -> bytes:
    return floats(*(card / _HIGHEST for card in cards)) + zeros(MOST_WON - len(cards))


@lru_cache(maxsize=4096)
def _pile(pile: tuple[int, ...]) -> bytes:
    counts = (pile.count(number) / 2 for number in range(1, _HIGHEST + 1))
    from_the_top = (card / _HIGHEST for card in reversed(pile))
    return floats(*counts, *from_the_top) + zeros(len(PACK) - len(pile))


@lru_cache(maxsize=1024)
def _deck(cards: tuple[int, ...]) -> bytes:
    return floats(*(cards.count(number) / SPECIALS for number in range(1, TAKE2 + 1)))


_TURNS = one_hots(TURNS)
_CARDS = one_hots(_NUMBERS)
_FACES = (zeros(FACES), *one_hots(FACES)[:-1])
"""By the face of a die."""
_NO_DICE = tuple(zeros(FACES * (DICE - dice)) for dice in range(DICE + 1))

encoder = lru_cache(maxsize=None)(JackalEncoder)
"""Return the encoder for a number of seats."""
