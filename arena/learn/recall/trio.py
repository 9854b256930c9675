"""Histories of Trio as tensors.

This seat's hand (each number / 12), and then every card that is turned up: its place, counted from
1, / 21, and its number / 12. In team games also this seat's own choice in each swap phase (1 to 12
to give that number, 13 to keep, / 14) and a 1 for each choice but the last of a phase, whoever made
it; then for each team 1/2 or 1 if it swapped, and this seat's hand once more.
"""

from __future__ import annotations

from arena.games.trio.cards import COPIES, FIRST_GIVE, NUMBERS
from arena.games.trio.events import CardRevealed, Event, SwapSettled
from arena.games.trio.parameters import Parameters, hand_size
from arena.games.trio.state import TrioState
from arena.learn.recall import Longest, Recall

_CHOICES = NUMBERS + 2


class TrioRecall(Recall):
    """Writes histories of Trio as tensors."""

    def size(self, seats: int, parameters: Parameters) -> int:
        """Return the length when every turn until the cap reveals as much as it can."""
        size = hand_size(seats, parameters)
        turns = 2 * COPIES * parameters.turn_cap * seats
        # A swap phase at the start, and after each trio: choices, teams and a hand.
        trios = parameters.deck_size // COPIES
        phases = (trios + 1) * (1 + 2 * seats + size) if parameters.teams else 0
        return size + turns + phases

    def longest(self, seats: int, parameters: Parameters) -> Longest:
        """Return the length when every turn reveals three cards, and every trio leads to swaps."""
        trios = parameters.deck_size // COPIES
        swaps = (trios + 1) * seats if parameters.teams else 0
        turns = parameters.turn_cap * seats
        return Longest(COPIES * turns + swaps, parameters.deck_size, trios)

    def event(self, event: Event, parameters: Parameters) -> tuple[float, ...]:
        """Write a card turned up, or whether a team swapped; the rest follows from these."""
        if isinstance(event, CardRevealed):
            return ((event.place + 1) / FIRST_GIVE, event.number / NUMBERS)
        if isinstance(event, SwapSettled):
            return ((1 + event.swapped) / 2,)
        return ()

    def hand(self, state: TrioState, seat: int) -> tuple[float, ...]:
        """Write the numbers of a hand."""
        return tuple(number / NUMBERS for number in state.hands[seat])

    def choice(self, action: int) -> tuple[float, ...]:
        """Write a secret choice in a swap."""
        return ((action - FIRST_GIVE + 1) / _CHOICES,) if action >= FIRST_GIVE else ()


RECALL = TrioRecall()
