"""Place dice in a rollout of Jackal & High, within a few microseconds.

Dice go to the stack with the most expected paws: a number that is met counts in full, one that may
still be met counts by the probability that the dice in the hand meet it. Decisions are cached:
within a round, the same dice at the same table recur often.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from math import inf

from arena.games.jackal.actions import AGAIN, ORDERS_OF, VALLEY, Action
from arena.games.jackal.dice import DICE, FACES, Roll, count_on, faces_on
from arena.games.jackal.odds import card_paws, reach
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.state import JackalState
from guides.jackal_table import ANY_OF, Table, table_of


def fast_action(state: JackalState) -> int:
    """Choose for the seat to act."""
    seat = state.to_act
    if state.spoils[seat]:
        return cheapest_on_top(state.spoils[seat], state.parameters)
    table = table_of(state, seat, state.room)
    laid = state.laid[seat]
    key = (laid, state.rolled, state.rolls_left)
    action = table.decisions.get(key)
    if action is None:
        prospects = Prospects(table, *_own_stacks(state.cards, laid))
        rolled = state.rolled
        action = (
            prospects.place_several(rolled)
            if rolled[1]
            else prospects.place_single(rolled[0], state.rolls_left)
        )
        table.decisions[key] = action
    return action


class Prospects:
    """What a seat's dice may still gain, given what they lack on each stack."""

    def __init__(self, table: Table, needs: list[int], dice: list[int]) -> None:
        """Compute the gain from one more die, by its face."""
        self._needs = needs
        self._dice = dice
        self._prizes = table.prizes
        self._valley = table.valley
        self._lost = DICE
        for need, count in zip(needs, dice, strict=True):
            if not need:
                self._lost -= count
        self._ones = [0.0] * (FACES + 1)
        for stack, need in enumerate(needs):
            if 0 < need <= FACES:
                gain = self._gain(stack, 1)
                if gain > self._ones[need]:
                    self._ones[need] = gain

    def _gain(self, stack: int, more: int) -> float:
        """Return the gain from meeting this number with this many more dice."""
        dice = self._dice[stack] + more
        valley = self._valley
        return self._prizes[stack][dice] + valley[self._lost - dice] - valley[self._lost]

    def place_single(self, face: int, rolls_left: int) -> int:
        """Place the last die, or roll it again if that is expected to gain more."""
        again = 0.0
        for _ in range(rolls_left):
            again = sum([gain if gain > again else again for gain in self._ones[1:]]) / FACES
        fitting = [stack for stack, need in enumerate(self._needs) if face <= need]
        if rolls_left and (again > self._ones[face] or not fitting):
            return AGAIN
        if not fitting:
            return VALLEY
        hits = [stack for stack in fitting if face == self._needs[stack]]
        return 1 + (max(hits, key=lambda stack: self._gain(stack, 1)) if hits else fitting[0])

    def place_several(self, rolled: Roll) -> int:
        """Place dice on one stack, or on two if the number of the first is met."""
        count = 3 if rolled[2] else 2
        groups = _groups(rolled)
        twos = [
            reach(2, need) * self._gain(stack, 2) if need and self._dice[stack] < 2 else 0.0
            for stack, need in enumerate(self._needs)
        ]
        best, action = -inf, VALLEY
        hits = []
        for mask, total, size, code in groups:
            for stack, need in enumerate(self._needs):
                if total > need:
                    continue
                worth = self._after(stack, need - total, size, count - size, twos)
                if worth > best:
                    best, action = worth, code * (stack + 1)
                if total == need and size < count:
                    hits.append((mask, size, stack, code * (stack + 1)))
        for mask, size, stack, code in hits:
            gain = self._gain(stack, size)
            for other, total, more, other_code in groups:
                if mask & other:
                    continue
                left = count - size - more
                for target, need in enumerate(self._needs):
                    if total <= need and target != stack:
                        worth = gain + self._after(target, need - total, more, left, twos)
                        if worth > best:
                            best, action = worth, code + other_code * (target + 1)
        return action

    def _after(self, stack: int, lacks: int, size: int, left: int, twos: list[float]) -> float:
        """Return the gain after placing `size` dice on a stack that still `lacks` some points.

        `left` dice stay in the hand; `twos` is the gain from two dice, by stack.
        """
        met = 0.0 if lacks else self._gain(stack, size)
        if not left:
            return met
        if left == 2:
            most = reach(2, lacks) * self._gain(stack, 3) if lacks else 0.0
            for other, gain in enumerate(twos):
                if gain > most and other != stack:
                    most = gain
            return met + most
        ones = self._ones
        total = sum(ones)
        kinds = FACES + 1 - ones.count(0.0)
        need = self._needs[stack]
        if not lacks and need <= FACES and ones[need]:
            total -= ones[need]
            kinds -= 1
        elif 0 < lacks <= FACES:
            gain = self._gain(stack, size + 1)
            if gain > ones[lacks]:
                total += gain - ones[lacks]
                kinds += not ones[lacks]
        return met + total * ANY_OF[kinds]


@lru_cache(1 << 14)
def _own_stacks(cards: tuple[int, ...], laid: int) -> tuple[list[int], list[int]]:
    """Return what a seat's dice lack on each stack, and how many dice are there."""
    needs = [card - sum(faces_on(laid, stack)) for stack, card in enumerate(cards)]
    return needs, [count_on(laid, stack) for stack in range(len(cards))]


@lru_cache(1 << 12)
def cheapest_on_top(won: tuple[int, ...], parameters: Parameters) -> int:
    """Put won cards in order, with the fewest paws on top, where cards are lost first."""

    def downwards(action: Action) -> list[tuple[int, int]]:
        return [(card_paws(won[at], parameters), won[at]) for at in action.order]

    return max(ORDERS_OF[len(won)], key=downwards)


@cache
def _groups(rolled: Roll) -> list[tuple[int, int, int, int]]:
    """List each choice of dice: their bits, sum and number, and their share of the action."""
    count = len([face for face in rolled if face])
    return [
        (
            sum([1 << at for at in chosen]),
            sum([rolled[at] for at in chosen]),
            size,
            sum([7**at for at in chosen]),
        )
        for size in range(1, count + 1)
        for chosen in combinations(range(count), size)
    ]
