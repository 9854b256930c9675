"""Views of Trio as tensors."""

from __future__ import annotations

from functools import lru_cache

from arena.games.notation import Audience
from arena.games.tensors import Encoder, bits, floats, mask_bytes, one_hots, zeros
from arena.games.trio import GAME
from arena.games.trio.cards import (
    ACTIONS,
    COPIES,
    FIRST_GIVE,
    FIRST_HAND,
    MOST_IN_HAND,
    NUMBERS,
    SLOTS,
    low,
)
from arena.games.trio.knowledge import Earlier, Known, KnownToPartner
from arena.games.trio.parameters import TRIOS_TO_WIN, Mode, Parameters, hand_size
from arena.games.trio.view import View, legal_mask

_SLOT = NUMBERS + 2
_HAND = 2 * NUMBERS + 3 + 2 * NUMBERS
_BOUNDED = NUMBERS + 2
_EARLIER = NUMBERS + 4
# In the simple mode a team swaps no more often: once at the start, and after each trio of another
# team that did not end the match.
_SWAPS_KEPT = {2: 0, 3: 0, 4: 3, 5: 0, 6: 5}


class TrioEncoder(Encoder[View]):
    """Writes views of Trio as tensors."""

    def __init__(self, seats: int) -> None:
        """Lay out the parts."""
        rules, public, private = Audience
        self._kept = kept = _SWAPS_KEPT[seats]
        teams = kept > 0
        super().__init__(
            GAME,
            seats,
            (
                ("spicy", rules, 1, "1 in the spicy mode"),
                ("teams", rules, 1, "1 in a team game"),
                ("turn_cap", rules, 1, "turns of each seat / 100"),
                ("size", rules, 3, "numbers / 12, cards dealt to a hand / 9, trios that win / 3"),
                ("seat", public, seats, "this seat's own number"),
                ("to_act", public, seats, "the seat to act, from this seat on; none at the end"),
                ("turn", public, seats + 1, "whose turn it is, from this seat on, and the turns "
                 "that are over / 100"),
                ("piles", public, seats * NUMBERS, "for each seat, from this seat on: the trios "
                 "that it or its team has"),
                ("hands", public, seats * _HAND, "for each seat, from this seat on, what the table "
                 "knows: cards / 3 of each number seen at the low end, the same at the high end; "
                 "its cards / 9; the bounds of the others / 12; then the number that is next at "
                 "the low end, and at the high end"),
                ("centre", public, SLOTS * _SLOT, "for each slot: its number 1 to 12, unseen, "
                 "empty; zeros where the game has no slot"),
                ("shown", public, SLOTS + 2 * seats, "the slots turned up in this turn, and for "
                 "each seat, from this seat on, how many cards at the low and the high end / 2"),
                ("number", public, NUMBERS, "the number face up in this turn"),
                ("phase", public, teams * seats, "the seats that choose a card to swap now, from "
                 "this seat on"),
                ("swaps", public, teams * seats, "for each seat, from this seat on: how often its "
                 "team has swapped / 4"),
                ("shared", public, teams * seats * NUMBERS, "for each seat, from this seat on: "
                 "cards / 3 known to be in one of its team's hands since before the last swap"),
                ("earlier", public, seats * kept * _EARLIER, "for each seat, from this seat on, "
                 "what was known about its hand before its last swaps (3 with four seats, 5 with "
                 "six, the latest first): cards / 3 of each number, the bounds of the others / 12, "
                 "how many may be gone / 4, how many may be strange / 4"),
                ("hand", private, NUMBERS * COPIES, "for each number, whether this seat has at "
                 "least 1, 2, 3 of it"),
                ("ends", private, 2 * NUMBERS, "the number that is next at this seat's own low "
                 "end, and at its high end"),
                ("chosen", private, teams * (NUMBERS + 1), "what this seat has chosen to give in "
                 "this phase: a number, or to keep all"),
                ("partner", private, teams * 2 * _BOUNDED, "what this seat knows about its "
                 "partner's hand: cards / 3 of each number, the bounds of the others / 12; then "
                 "what its partner knows about this hand"),
                ("log", private, kept * 2 * NUMBERS, "the numbers given and got in this seat's "
                 "last swaps (3 with four seats, 5 with six, the latest first)"),
            ),
        )  # fmt: skip
        self._seats = one_hots(seats)
        self._parameters: Parameters | None = None
        self._rules = b""
        self._no_teams_public = zeros(teams * seats * (2 + NUMBERS) + seats * kept * _EARLIER)
        self._no_teams_private = zeros(teams * (NUMBERS + 1 + 2 * _BOUNDED) + kept * 2 * NUMBERS)

    def relative_actions(self, seat: int) -> tuple[int, ...]:
        """List all actions in the order in which a tensor of this seat counts seats."""
        seats = self.seats
        return (
            *range(FIRST_HAND),
            *(low((seat + away) % seats) + end for away in range(seats) for end in range(2)),
            *range(FIRST_HAND + 2 * seats, ACTIONS),
        )

    def mask(self, view: View) -> bytes:
        """Return one byte for each action: 1 if the view's seat may play it now."""
        return mask_bytes(legal_mask(view), ACTIONS)

    def pieces(self, view: View) -> list[bytes]:
        """Return the bytes of a tensor in pieces."""
        seats, seat, to_act, turn = view.seats, view.seat, view.to_act, view.turn
        if view.parameters is not self._parameters:
            self._parameters = view.parameters
            self._rules = _rules(view.parameters, seats)
        one_of_seats = self._seats
        order = (*range(seat, seats), *range(seat))
        sides = len(view.piles)
        shown = view.shown
        ends_shown = [0] * (2 * seats)
        slots_shown = 0
        for place in shown:
            if place < FIRST_HAND:
                slots_shown |= 1 << place
            else:
                ends_shown[place - FIRST_HAND] += 1
        mine = Known(len(view.hand), view.hand, (), 0, 0)
        pieces = [
            self._rules,
            one_of_seats[seat],
            one_of_seats[(to_act - seat) % seats if to_act >= 0 else -1],
            one_of_seats[(turn - seat) % seats],
            _hundredth(turn),
            *[_pile(view.piles[each % sides]) for each in order],
            *[
                _known(view.known[each], ends_shown[2 * each], ends_shown[2 * each + 1])
                for each in order
            ],
            *map(_SLOTS.__getitem__, view.centre),
            _NO_SLOTS[len(view.centre)],
            _NINE[slots_shown],
            *[_ENDS_SHOWN[ends_shown[2 * each]][ends_shown[2 * each + 1]] for each in order],
            _NUMBERS[view.number],
        ]
        if view.partner is None:
            pieces.append(self._no_teams_public)
        else:
            pieces += self._team_pieces(view, order)
        pieces += (
            _hand(view.hand),
            _next_ends(mine, ends_shown[2 * seat], ends_shown[2 * seat + 1]),
        )
        if view.partner is None:
            pieces.append(self._no_teams_private)
        else:
            pieces.append(_CHOICES[view.chosen - FIRST_GIVE if view.chosen >= 0 else -1])
            pieces += (_bounded(view.partner), _bounded(view.told))
            pieces.append(_log(view.log, self._kept))
        return pieces

    def _team_pieces(self, view: View, order: tuple[int, ...]) -> list[bytes]:
        sides = len(view.piles)
        return [
            floats(*(each in view.phase for each in order)),
            floats(*(view.swaps[each % sides] / 4 for each in order)),
            *[_counts(view.shared[each % sides]) for each in order],
            *[_earlier(view.earlier[each], self._kept) for each in order],
        ]


def _rules(parameters: Parameters, seats: int) -> bytes:
    return floats(
        parameters.mode is Mode.SPICY,
        parameters.teams,
        parameters.turn_cap / 100,
        parameters.deck_size / (COPIES * NUMBERS),
        hand_size(seats, parameters) / MOST_IN_HAND,
        parameters.trios_to_win / TRIOS_TO_WIN,
    )


@lru_cache(maxsize=1024)
def _hundredth(number: int) -> bytes:
    return floats(number / 100)


@lru_cache(maxsize=4096)
def _pile(pile: tuple[int, ...]) -> bytes:
    return bits(sum(1 << number - 1 for number in pile), NUMBERS)


@lru_cache(maxsize=4096)
def _counts(cards: tuple[int, ...]) -> bytes:
    return floats(*(cards.count(number) / COPIES for number in range(1, NUMBERS + 1)))


# The table's knowledge of most hands is the same as at the decision before.
@lru_cache(maxsize=8192)
def _known(known: Known, low_shown: int, high_shown: int) -> bytes:
    return (
        _counts(known.low)
        + _counts(known.high)
        + floats(known.size / MOST_IN_HAND, known.least / NUMBERS, known.most / NUMBERS)
        + _next_ends(known, low_shown, high_shown)
    )


@lru_cache(maxsize=8192)
def _next_ends(known: Known, low_shown: int, high_shown: int) -> bytes:
    """Write the numbers that the ends of a hand will show, after those already face up."""
    if not known.least:
        left = known.low[low_shown : len(known.low) - high_shown]
        return _NUMBERS[left[0]] + _NUMBERS[left[-1]] if left else zeros(2 * NUMBERS)
    lowest = known.low[low_shown] if low_shown < len(known.low) else 0
    highest = known.high[-1 - high_shown] if high_shown < len(known.high) else 0
    return _NUMBERS[lowest] + _NUMBERS[highest]


@lru_cache(maxsize=4096)
def _hand(hand: tuple[int, ...]) -> bytes:
    return b"".join([_AT_LEAST[hand.count(number)] for number in range(1, NUMBERS + 1)])


@lru_cache(maxsize=4096)
def _bounded(known: KnownToPartner) -> bytes:
    return _counts(known.cards) + floats(known.least / NUMBERS, known.most / NUMBERS)


@lru_cache(maxsize=4096)
def _earlier(layers: tuple[Earlier, ...], kept: int) -> bytes:
    pieces = [
        _counts(layer.cards)
        + floats(layer.least / NUMBERS, layer.most / NUMBERS, layer.gone / 4, layer.strange / 4)
        for layer in layers[: -kept - 1 : -1]
    ]
    return b"".join(pieces) + zeros(_EARLIER * (kept - len(pieces)))


@lru_cache(maxsize=4096)
def _log(swaps: tuple[tuple[int, int], ...], kept: int) -> bytes:
    pieces = [_NUMBERS[given] + _NUMBERS[got] for given, got in swaps[: -kept - 1 : -1]]
    return b"".join(pieces) + zeros(2 * NUMBERS * (kept - len(pieces)))


_NUMBERS = (zeros(NUMBERS), *one_hots(NUMBERS)[:-1])
"""By number; 0 is none."""
_CHOICES = one_hots(NUMBERS + 1)
_AT_LEAST = tuple(floats(*(count > at for at in range(COPIES))) for count in range(COPIES + 1))
_NINE = tuple(bits(slots, SLOTS) for slots in range(1 << SLOTS))
_ENDS_SHOWN = tuple(
    tuple(floats(lowest / 2, highest / 2) for highest in range(COPIES + 1))
    for lowest in range(COPIES + 1)
)
_UNSEEN, _EMPTY = one_hots(_SLOT)[NUMBERS:-1]
_SLOTS = (_UNSEEN, *one_hots(_SLOT)[:NUMBERS], _EMPTY)
"""By the number in a slot: 0 is unseen, -1 is empty."""
_NO_SLOTS = tuple(zeros(_SLOT * (SLOTS - slots)) for slots in range(SLOTS + 1))

encoder = lru_cache(maxsize=None)(TrioEncoder)
"""Return the encoder for a number of seats."""
