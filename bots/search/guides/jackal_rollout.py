"""Where do dice go in a rollout of Jackal & High, within a few microseconds?

Where one stack promises the most paws. A number that is met counts in full, one that may be met yet
as likely as the dice in the hand meet it; both count less where a rival has met it, too, or may do
so, and more with more dice, which win duels. Dice that miss are rolled in the valley.

What was decided is remembered: the same dice at the same table come up again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations, product
from math import ceil, inf, prod
from typing import NamedTuple

from arena.games.jackal.actions import AGAIN, ORDERS_OF, VALLEY, order_of
from arena.games.jackal.cards import LUCKY8, NO_CARD
from arena.games.jackal.dice import (
    DICE,
    EXACT,
    FACES,
    PROBE,
    STACK_GUARDS,
    Roll,
    count_on,
    faces_on,
    in_hand,
)
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.scoring import paws
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View

ROLLS = 3
"""How often a single die may be rolled in a turn."""
ATTENTION = 0.6
"""How likely a rival plays for a stack on which it has no dice yet."""
FACE = 6
"""What each die brings a player, roughly, who plays for a high number."""
_ANY_OF = (0.0, *((1 - (1 - kinds / FACES) ** ROLLS) / kinds for kinds in range(1, FACES + 1)))
"""How likely a single die shows a certain one of so many faces, before any other of them."""


class Rival(NamedTuple):
    """What another seat threatens."""

    threats: tuple[tuple[int, int], ...]
    """For each stack how many dice have met its number, and how many are in the hand."""
    valley: int
    """How many dice have met no number."""


class Table:
    """What stacks and valley promise to a seat."""

    def __init__(
        self,
        cards: tuple[int, ...],
        under: tuple[int, ...],
        valley: int,
        top: int,
        rivals: tuple[Rival, ...],
        parameters: Parameters,
    ) -> None:
        """Weigh them; `top` is the card that the seat may lose to the valley."""
        worths: list[float] = [
            _card_paws(card, parameters) + parameters.take2_paws * take2s
            for card, take2s in zip(cards, under, strict=True)
        ]
        threats = zip(*[rival.threats for rival in rivals], strict=True)
        odds = [_odds(card, each) for card, each in zip(cards, threats, strict=True)]
        if LUCKY8 in cards:
            lucky = cards.index(LUCKY8)
            others = [worth * each[0] for worth, each in zip(worths, odds, strict=True)]
            worths[lucky] += sum(others) - others[lucky]
        self.prizes = [
            [worth * chance for chance in each] for worth, each in zip(worths, odds, strict=True)
        ]
        """For each stack the paws to expect from meeting it with no dice, one, two and three."""
        self.valley = [0.0, *_valley(valley, top, rivals, parameters)]
        """The paws to expect there of no dice, one, two and three."""
        self.decided: dict[tuple[int, Roll, int], int] = {}
        """By the dice that the seat has placed and rolled, and the rolls left."""


_table = lru_cache(1 << 12)(Table)


def table_of(position: JackalState | View, seat: int, room: int) -> Table:
    """Return what is in it for a seat, on a display with this room."""
    stacks = len(position.cards)
    rivals = [_rival(room, laid, stacks) for laid in position.laid]
    del rivals[seat]
    # Who threatens what makes no difference, so more positions are alike.
    rivals.sort()
    pile = position.piles[seat]
    return _table(
        position.cards,
        position.under,
        position.valley,
        pile[-1] if pile else NO_CARD,
        tuple(rivals),
        position.parameters,
    )


def quick(state: JackalState) -> int:
    """Decide for the seat to act."""
    seat = state.to_act
    if state.spoils[seat]:
        return cheapest_on_top(state.spoils[seat], state.parameters)
    table = table_of(state, seat, state.room)
    laid = state.laid[seat]
    key = (laid, state.rolled, state.rolls_left)
    action = table.decided.get(key)
    if action is None:
        hopes = Hopes(table, *_own(state.cards, laid))
        rolled = state.rolled
        action = hopes.several(rolled) if rolled[1] else hopes.single(rolled[0], state.rolls_left)
        table.decided[key] = action
    return action


class Hopes:
    """What the dice of a seat may still bring it, given what they lack on each stack."""

    def __init__(self, table: Table, needs: list[int], dice: list[int]) -> None:
        """Look at what one more die brings, by its face."""
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
        """Tell what it brings to meet this number with so many more dice."""
        dice = self._dice[stack] + more
        valley = self._valley
        return self._prizes[stack][dice] + valley[self._lost - dice] - valley[self._lost]

    def single(self, face: int, rolls_left: int) -> int:
        """Place the last die, or roll it again if that brings more."""
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

    def several(self, rolled: Roll) -> int:
        """Place some dice on one stack, or on two if the first of them is met."""
        count = 3 if rolled[2] else 2
        groups = _groups(rolled)
        twos = [
            _reach(2, need) * self._gain(stack, 2) if need and self._dice[stack] < 2 else 0.0
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
        """Tell what dice bring if so many more lie here and this is lacking, with some left."""
        met = 0.0 if lacks else self._gain(stack, size)
        if not left:
            return met
        if left == 2:
            most = _reach(2, lacks) * self._gain(stack, 3) if lacks else 0.0
            for other, hope in enumerate(twos):
                if hope > most and other != stack:
                    most = hope
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
        return met + total * _ANY_OF[kinds]


@lru_cache(1 << 14)
def _own(cards: tuple[int, ...], laid: int) -> tuple[list[int], list[int]]:
    """Tell what the dice of a seat lack on each stack, and how many they are."""
    needs = [card - sum(faces_on(laid, stack)) for stack, card in enumerate(cards)]
    return needs, [count_on(laid, stack) for stack in range(len(cards))]


@lru_cache(1 << 14)
def _rival(room: int, laid: int, stacks: int) -> Rival:
    met = [0] * stacks
    # Where dice meet the number they leave no room, and taking 1 more costs the guard.
    for stack in EXACT[stacks][room - PROBE[1] - laid & STACK_GUARDS]:
        met[stack] = count_on(laid, stack)
    hand = in_hand(laid)
    return Rival(tuple([(dice, hand) for dice in met]), DICE - sum(met))


@cache
def _odds(card: int, threats: tuple[tuple[int, int], ...]) -> list[float]:
    """Tell how likely a stack is won with no dice, which is if no rival meets it, or with more."""
    likely = min(ceil(card / FACE), DICE)
    rivals = [
        (1.0, met) if met else (ATTENTION * _reach(hand, card), likely) for met, hand in threats
    ]
    return [
        prod([1 - chance * (1 - _beats(mine, dice)) for chance, dice in rivals])
        for mine in range(DICE + 1)
    ]


def _valley(
    card: int, top: int, rivals: tuple[Rival, ...], parameters: Parameters
) -> Iterator[float]:
    """Tell what one die, two and three bring in the valley."""
    prize, price = _card_paws(card, parameters), _card_paws(top, parameters)
    there = [rival.valley for rival in rivals if rival.valley]
    for mine in range(1, DICE + 1):
        if not there:
            # Who is alone there takes the card, or pays if there is none.
            yield float(prize if card else -price)
        else:
            won = prod([_beats(mine, dice) for dice in there])
            lost = prod([_beats(dice, mine) for dice in there])
            yield prize * won - price * lost


def _card_paws(card: int, parameters: Parameters) -> int:
    """Count the paws on a card, which may be none or the Lucky8."""
    return 0 if card in (NO_CARD, LUCKY8) else paws((card,), 0, parameters)


@lru_cache(1 << 12)
def cheapest_on_top(won: tuple[int, ...], parameters: Parameters) -> int:
    """Put won cards in order: the first to be lost is the one with the fewest paws."""

    def downwards(action: int) -> list[tuple[int, int]]:
        return [(_card_paws(won[at], parameters), won[at]) for at in order_of(action)]

    return max(ORDERS_OF[len(won)], key=downwards)


@cache
def _groups(rolled: Roll) -> list[tuple[int, int, int, int]]:
    """List each choice of dice: a bit for each, their sum, their number, and the action's part."""
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


@cache
def _reach(dice: int, need: int) -> float:
    """Tell how likely this many dice, over the turns that they take, sum to what is needed."""
    if not need:
        return 1.0
    if need > FACES * dice:
        return 0.0
    if dice == 1:
        return _ANY_OF[1]
    chance = 0.0
    for roll, odds in _rolls_of(dice).items():
        ways = [
            _reach(dice - size, need - sum(placed))
            for size in range(1, dice + 1)
            for placed in combinations(roll, size)
            if sum(placed) <= need
        ]
        # A die that is of no use here is placed elsewhere.
        chance += odds * max([_reach(dice - 1, need), *ways])
    return chance


@cache
def _rolls_of(dice: int) -> dict[tuple[int, ...], float]:
    """Tell how likely every roll is, its dice sorted."""
    rolls = product(range(1, FACES + 1), repeat=dice)
    counts = Counter(tuple(sorted(roll)) for roll in rolls)
    return {roll: count / FACES**dice for roll, count in counts.items()}


@cache
def _beats(mine: int, theirs: int) -> float:
    """Tell how likely a roll of this many dice is higher than one of theirs; a tie is half."""
    chance = 0.0
    for (a, odds), (b, other) in product(_rolls_of(mine).items(), _rolls_of(theirs).items()):
        # Of equal sums the one with fewer dice is higher.
        high, low = (sum(a), -mine), (sum(b), -theirs)
        chance += odds * other * ((high > low) + (high >= low)) / 2
    return chance
