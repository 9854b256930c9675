"""Views of MEOW as tensors."""

from __future__ import annotations

from functools import lru_cache

from arena.games.meow import GAME
from arena.games.meow.cards import (
    ALL_COLOURS,
    BITS,
    CARDS,
    COLOUR_OF,
    COLOURS,
    FISH,
    HAND,
    ROUNDS,
    ROW,
    TOKENS,
    VASE,
    Token,
    deck,
    deck_mask,
)
from arena.games.meow.parameters import Parameters, Vases
from arena.games.meow.state import points, winning_card
from arena.games.meow.view import View, legal_mask
from arena.games.notation import Audience
from arena.games.tensors import Encoder, bits, floats, one_hots, zeros

_POINTS = 10
"""A worth of 10, the largest by default, is written as 1."""
_TOKEN = ("bowl", "bone", "fish", "vase")
_STANDING = ("points", "fish", "vases")


class MeowEncoder(Encoder[View]):
    """Writes views of MEOW as tensors."""

    def __init__(self, seats: int) -> None:
        """Lay out the parts."""
        rules, public, private = Audience
        super().__init__(
            GAME,
            seats,
            (
                ("expert", rules, 1, "1 in the expert game"),
                ("vases_once", rules, 1, "1 if vases cost 20 at most"),
                ("size", rules, 3, "ranks of the deck / 18, cards in a hand / 9, rounds / 3"),
                ("tokens", rules, TOKENS * 3, "for each token, sorted: worth / 10, fish, vase; "
                 "zeros where there are fewer"),
                ("seat", public, seats, "this seat's own number"),
                ("to_act", public, seats, "the seat to act, from this seat on; none at the end"),
                ("round", public, ROUNDS, "the round"),
                ("leader", public, seats, "the seat that led the trick, from this seat on"),
                ("row", public, ROW * len(_TOKEN), "for each token: worth / 10 of a bowl, worth / "
                 "10 of a bone, fish, vase; the next prize first, zeros where none is left"),
                ("later", public, TOKENS, "which of the sorted tokens come in later rounds"),
                ("won", public, seats * (TOKENS + len(_STANDING)), "for each seat, from this seat "
                 "on: which of the sorted tokens it has, its points / 10, fish / 4, vases / 4"),
                ("voids", public, seats * len(COLOURS), "for each seat, from this seat on: the "
                 "colours that it has shown it lacks"),
                ("led", public, len(COLOURS), "the colour led"),
                ("winning", public, seats, "the seat whose card wins the trick so far, from this "
                 "seat on"),
                ("trick", public, CARDS, "the cards of the current trick"),
                ("played", public, seats * CARDS, "for each seat, from this seat on: the cards it "
                 "has played in this round, including the current trick"),
                ("hand", private, CARDS, "this seat's cards"),
                ("unseen", private, CARDS, "the cards of the deck that are neither played in this "
                 "round nor in this hand"),
            ),
        )  # fmt: skip
        self._seats = one_hots(seats)
        self._parameters = Parameters()
        self._tokens = _tokens_of(self._parameters, seats)

    def mask(self, view: View) -> bytes:
        """Return one byte for each card: 1 if the view's seat may play it now."""
        return _joined(_NINE_BYTES, legal_mask(view))

    def pieces(self, view: View) -> list[bytes]:
        """Return the bytes of a tensor in pieces."""
        (parameters, seats, seat, to_act, round, row, later, won, leader, trick, hand, played,
         voids) = view  # fmt: skip
        if parameters is not self._parameters:
            self._parameters = parameters
            self._tokens = _tokens_of(parameters, seats)
        tokens = self._tokens
        one_of_seats = self._seats
        trick_mask = 0
        for card in trick:
            trick_mask |= BITS[card]
        if trick:
            led = COLOUR_OF[trick[0]]
            at = trick.index(winning_card(list(trick), led))
            winning = one_of_seats[(leader + at - seat) % seats]
        else:
            led = ALL_COLOURS
            winning = one_of_seats[-1]
        seen = hand
        for mask in played:
            seen |= mask
        pieces = [
            tokens.rules,
            one_of_seats[seat],
            one_of_seats[(to_act - seat) % seats if to_act >= 0 else -1],
            _ROUNDS[round],
            one_of_seats[(leader - seat) % seats],
        ]
        # Each list of seats is written once around the table, from this seat on. `map` is faster
        # here than a loop.
        pieces += map(_TOKENS.__getitem__, row)
        pieces += (_EMPTY_ROW[len(row)], tokens.held(later))
        pieces += map(tokens.won, won[seat:] + won[:seat])
        pieces += map(_VOIDS.__getitem__, voids[seat:] + voids[:seat])
        pieces += (_LED[led], winning, _cards(trick_mask))
        pieces += map(_cards, played[seat:] + played[:seat])
        whole = deck_mask(seats, expert=parameters.expert, ranks=parameters.ranks)
        pieces += (_cards(hand), _cards(whole & ~seen))
        return pieces


class _Tokens:
    """The pieces that depend on the parameters, such as the tokens that a match is played for."""

    def __init__(self, parameters: Parameters, seats: int) -> None:
        self._tokens = sorted(parameters.tokens)
        kinds = [
            (0, 1, 0) if token == FISH else (0, 0, 1) if token == VASE else (token / _POINTS, 0, 0)
            for token in self._tokens
        ]
        kinds += [(0, 0, 0)] * (TOKENS - len(kinds))
        self.rules = floats(
            parameters.expert,
            parameters.vases is Vases.ONCE,
            len(deck(seats, expert=parameters.expert, ranks=parameters.ranks)) / CARDS,
            parameters.hand_size / HAND,
            parameters.round_count / ROUNDS,
            *(number for kind in kinds for number in kind),
        )

        # A seat's tokens change once a trick, and are written at every decision.
        @lru_cache(maxsize=4096)
        def held(tokens: tuple[Token, ...]) -> bytes:
            mask = 0
            for token in tokens:
                at = self._tokens.index(token)
                # Equal tokens fill their places from the left.
                while mask >> at & 1:
                    at += 1
                mask |= 1 << at
            return _NINE[mask & 511] + _NINE[mask >> 9 & 511] + _NINE[mask >> 18]

        @lru_cache(maxsize=4096)
        def won(tokens: tuple[Token, ...]) -> bytes:
            standing = (
                points(tokens, parameters) / _POINTS,
                tokens.count(FISH) / 4,
                tokens.count(VASE) / 4,
            )
            return held(tokens) + floats(*standing)

        self.held = held
        self.won = won


_tokens_of = lru_cache(maxsize=16)(_Tokens)


def _token(token: int) -> bytes:
    if token == FISH:
        return floats(0, 0, 1, 0)
    if token == VASE:
        return floats(0, 0, 0, 1)
    return floats(max(token, 0) / _POINTS, max(-token, 0) / _POINTS, 0, 0)


class _TokenPieces(dict[int, bytes]):
    """The piece for each token of a row."""

    def __missing__(self, token: int) -> bytes:
        self[token] = piece = _token(token)
        return piece


_TOKENS = _TokenPieces()
_EMPTY_ROW = tuple(zeros(len(_TOKEN) * (ROW - left)) for left in range(ROW + 1))
_ROUNDS = one_hots(ROUNDS)
_LED = one_hots(len(COLOURS))
"""At `ALL_COLOURS`, before the first card of a trick, none."""
_VOIDS = tuple(bits(voids, len(COLOURS)) for voids in range(8))


_NINE = tuple(bits(mask, 9) for mask in range(512))
_NINE_BYTES = tuple(bytes(mask >> bit & 1 for bit in range(9)) for mask in range(512))


# Most sets of cards are the same as at the decision before.
@lru_cache(maxsize=8192)
def _cards(mask: int) -> bytes:
    return _joined(_NINE, mask)


def _joined(nine: tuple[bytes, ...], mask: int) -> bytes:
    return b"".join(
        (
            nine[mask & 511],
            nine[mask >> 9 & 511],
            nine[mask >> 18 & 511],
            nine[mask >> 27 & 511],
            nine[mask >> 36 & 511],
            nine[mask >> 45],
        )
    )


encoder = lru_cache(maxsize=None)(MeowEncoder)
"""Return the encoder for a number of seats."""
