"""Histories of Trio as tensors.

This seat's hand (each number / 12), and then every card that is turned up: its place, counted from
1, / 21, and its number / 12. In team games also this seat's own choice in each swap phase (1 to 12
to give that number, 13 to keep, / 14) and a 1 for each choice but the last of a phase, whoever made
it; then for each team 1/2 or 1 if it swapped, and this seat's hand once more.
"""

from __future__ import annotations

from arena.games.trio.cards import COPIES, FIRST_GIVE, NUMBERS
from arena.games.trio.events import CardRevealed, SwapSettled
from arena.games.trio.parameters import Parameters, hand_size
from arena.learn.recall import Longest, Recall

_CHOICES = NUMBERS + 2


def _size(seats: int, parameters: Parameters) -> int:
    """Return the length when every turn until the cap reveals as much as it can."""
    size = hand_size(seats, parameters)
    turns = 2 * COPIES * parameters.turn_cap * seats
    # A swap phase at the start, and after each trio: choices, teams and a hand.
    trios = parameters.deck_size // COPIES
    phases = (trios + 1) * (1 + 2 * seats + size) if parameters.teams else 0
    return size + turns + phases


def _longest(seats: int, parameters: Parameters) -> Longest:
    """Return the length when every turn reveals three cards, and every trio leads to swaps."""
    trios = parameters.deck_size // COPIES
    swaps = (trios + 1) * seats if parameters.teams else 0
    turns = parameters.turn_cap * seats
    return Longest(COPIES * turns + swaps, parameters.deck_size, trios)


RECALL = Recall(
    _size,
    _longest,
    {
        CardRevealed: lambda event, _: ((event.place + 1) / FIRST_GIVE, event.number / NUMBERS),
        SwapSettled: lambda event, _: ((1 + event.swapped) / 2,),
    },
    hand=lambda state, seat: tuple(number / NUMBERS for number in state.hands[seat]),
    choice=lambda action: ((action - FIRST_GIVE + 1) / _CHOICES,) if action >= FIRST_GIVE else (),
)
