"""Jackal & High: place dice where they are expected to bring the most paws.

A number that is met counts in full, one that may still be met by the probability that the dice in
the hand meet it. A stack is worth its paws times the probability of winning it from the rivals that
have met its number or may do so; more dice win duels. The Lucky8 also brings the stacks that nobody
is likely to meet. Dice that miss are rolled in the valley, for its card and against the loss of the
pile's top card. Playouts stop at the end of the round, when the cards on the table are nobody's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import ceil, exp, inf, prod, sqrt
from random import Random
from typing import ClassVar

from arena.games.jackal.actions import AGAIN, DIGITS, ORDERS_OF, VALLEY
from arena.games.jackal.cards import LUCKY8, NO_CARD
from arena.games.jackal.dice import DICE, FACES, Roll, count_on, faces_on, in_hand
from arena.games.jackal.odds import ROLLS, beats, card_paws, reach, rolls_of
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.scoring import paws
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View
from guides.plain import PlainGuide

ATTENTION = 0.6
"""The probability that a rival plays for a stack where it has no dice yet."""
TYPICAL_FACE = 6
"""A typical face placed by a player going for a high number."""
SWING = 0.8
"""How far a round moves two seats apart, in average cards."""

Threats = tuple[tuple[int, int], ...]
"""Of a rival, for each stack: how many of its dice have met the number, and its dice in hand."""
Stacks = tuple[list[int], list[int]]
"""What a seat's dice lack on each stack to meet its number, and how many dice are there."""


class Table:
    """What the stacks and the valley may bring to one seat."""

    def __init__(
        self,
        cards: tuple[int, ...],
        under: tuple[int, ...],
        valley: int,
        top: int,
        rivals: tuple[Threats, ...],
        parameters: Parameters,
    ) -> None:
        """Compute the expected paws; `top` is the card that the seat may lose to the valley."""
        worths: list[float] = [
            card_paws(card, parameters) + parameters.take2_paws * take2s
            for card, take2s in zip(cards, under, strict=True)
        ]
        odds = [
            _odds(card, each) for card, each in zip(cards, zip(*rivals, strict=True), strict=True)
        ]
        if LUCKY8 in cards:
            lucky = cards.index(LUCKY8)
            others = [worth * each[0] for worth, each in zip(worths, odds, strict=True)]
            worths[lucky] += sum(others) - others[lucky]
        self._prizes = [
            [worth * chance for chance in each] for worth, each in zip(worths, odds, strict=True)
        ]
        """For each stack, the expected paws from meeting it with zero, one, two or three dice."""
        missed = [DICE - sum([met for met, _ in threats]) for threats in rivals]
        self._valley = _valley_worths(
            valley, card_paws(top, parameters), list(filter(None, missed)), parameters
        )
        """The same from zero, one, two or three dice in the valley."""
        self._worths: dict[tuple[int | bool, ...], float] = {}
        self.decisions: dict[tuple[int, Roll, int], int] = {}
        """The actions chosen so far, by the dice placed, those rolled, and the rolls left."""

    def worth(self, stacks: Stacks, left: int, rolls: int = ROLLS, *, exact: bool = False) -> float:
        """Return the expected paws from the placed dice, and those `left` in the hand."""
        key = (*stacks[0], *stacks[1], left, rolls, exact)
        worth = self._worths.get(key)
        if worth is None:
            if left == 2 and exact:
                rolled = rolls_of(2).items()
                worth = sum([odds * self.place(stacks, (a, b, 0), 0)[0] for (a, b), odds in rolled])
            else:
                worth = self._worth(*stacks, left, rolls)
            self._worths[key] = worth
        return worth

    def _worth(self, needs: list[int], dice: list[int], left: int, rolls: int) -> float:
        valley = self._valley
        lost, met = DICE, 0.0
        for need, count, prizes in zip(needs, dice, self._prizes, strict=True):
            if not need:
                lost -= count
                met += prizes[count]
        gained = 0.0
        if left == 1:
            gains = [0.0] * FACES
            for need, count, prizes in zip(needs, dice, self._prizes, strict=True):
                if 0 < need <= FACES:
                    gain = prizes[count + 1] + valley[lost - count - 1] - valley[lost]
                    gains[need - 1] = max(gain, gains[need - 1])
            for _ in range(rolls):
                # A face worth less than the remaining rolls is rolled again.
                gained = sum([gain if gain > gained else gained for gain in gains]) / FACES
        elif left == 2:
            for need, count, prizes in zip(needs, dice, self._prizes, strict=True):
                if need:
                    gained = max(gained, reach(2, need) * prizes[min(count + 2, DICE)])
        return met + valley[lost] + gained

    def place(self, stacks: Stacks, rolled: Roll, rolls_left: int) -> tuple[float, int]:
        """Return the expected paws from the best placement, or another roll, and the action."""
        needs, dice = stacks
        best, action = -inf, VALLEY
        if rolls_left:
            best, action = self.worth(stacks, 1, rolls_left), AGAIN
        found = None
        for size, total, code, left in _groups(rolled):
            for stack, need in enumerate(needs):
                if total <= need:
                    needs[stack] -= total
                    dice[stack] += size
                    worth = self.worth(stacks, DICE - left.count(0))
                    if worth > best:
                        best, action = worth, code * (stack + 1)
                        found = stack, size, total, left
                    needs[stack] += total
                    dice[stack] -= size
        if found and any(found[3]):
            # The other dice may be worth placing too.
            stack, size, total, left = found
            after = needs.copy(), dice.copy()
            after[0][stack] -= total
            after[1][stack] += size
            worth, more = self.place(after, left, 0)
            if worth > best:
                best, action = worth, action + more
        return (self.worth(stacks, 0) if best == -inf else best), action


class Guide(PlainGuide):
    """Estimates the paws that the stacks and the valley will bring."""

    width: ClassVar[int] = 8
    prior_weight: ClassVar[float] = 100.0

    def __init__(self, view: View) -> None:
        """Compute what a lead is worth, by the number of rounds that the deck is enough for."""
        super().__init__(view)
        worths = view.parameters.paws
        rounds = len(view.unseen) / (view.seats + 1)
        self._swing = (SWING * sum(worths) / len(worths) or 1) * sqrt(rounds + 0.3)

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Return the expected paws of each action, times the reward for one more paw."""
        view: View = self.view
        won = view.spoils[view.seat]
        if won:
            best = _cheapest_on_top(won, view.parameters)
            return [float(action == best) for action in actions]
        powers = self.powers(view)
        chances = [powers[view.seat] / (powers[view.seat] + power) for power in powers]
        # What one more paw is worth: the slope of the reward. The seat's own chance is 1 / 2.
        paw = (sum([p * (1 - p) for p in chances]) - 0.25) / (view.seats - 1) / self._swing
        table = table_of(view, view.seat)
        worths: dict[tuple[tuple[int, int], ...], float] = {}
        values = []
        for action in actions:
            if action == AGAIN:
                stacks = _stacks(view.cards, view.laid[view.seat])
                worth = table.worth(stacks, 1, view.rolls_left)
            else:
                placed = tuple(sorted(zip(view.rolled, DIGITS[action], strict=False)))
                # The same with another die of the same face is not worth trying.
                worth = -1.0
                if placed not in worths:
                    worth = worths[placed] = self._worth(table, placed)
            values.append(paw * worth)
        return values

    def _worth(self, table: Table, placed: Sequence[tuple[int, int]]) -> float:
        needs, dice = _stacks(self.view.cards, self.view.laid[self.view.seat])
        for face, place in placed:
            if place:
                needs[place - 1] -= face
                dice[place - 1] += 1
        return table.worth((needs, dice), [place for _, place in placed].count(0), exact=True)

    def policy(self, state: JackalState, rng: Random) -> int:
        """Place dice on the stack with the best expected value."""
        seat = state.to_act
        if state.spoils[seat]:
            return _cheapest_on_top(state.spoils[seat], state.parameters)
        table = table_of(state, seat)
        key = state.laid[seat], state.rolled, state.rolls_left
        action = table.decisions.get(key)
        if action is None:
            stacks = _stacks(state.cards, state.laid[seat])
            _, action = table.place(stacks, state.rolled, state.rolls_left)
            table.decisions[key] = action
        return action

    def is_far_enough(self, state: JackalState) -> bool:
        """Stop when the round is over."""
        return state.round != self.view.round

    def powers(self, state: JackalState | View) -> list[float]:
        """Count paws: the shorter the deck, the more a lead is worth."""
        return [
            exp(paws(pile, take2s, state.parameters) / self._swing)
            for pile, take2s in zip(state.piles, state.take2s, strict=True)
        ]


_table = lru_cache(1 << 12)(Table)


def table_of(position: JackalState | View, seat: int) -> Table:
    """Return what the table may bring to a seat."""
    cards = position.cards
    rivals = [_threats(cards, laid) for laid in position.laid]
    del rivals[seat]
    # Which rival threatens what does not matter, so more positions share a table.
    rivals.sort()
    top = position.piles[seat][-1] if position.piles[seat] else NO_CARD
    under, valley, parameters = position.under, position.valley, position.parameters
    return _table(cards, under, valley, top, tuple(rivals), parameters)


@lru_cache(1 << 14)
def _threats(cards: tuple[int, ...], laid: int) -> Threats:
    hand = in_hand(laid)
    needs, dice = _stacks(cards, laid)
    return tuple([(0 if need else met, hand) for need, met in zip(needs, dice, strict=True)])


def _stacks(cards: tuple[int, ...], laid: int) -> Stacks:
    needs = [card - sum(faces_on(laid, stack)) for stack, card in enumerate(cards)]
    return needs, [count_on(laid, stack) for stack in range(len(cards))]


@cache
def _odds(card: int, threats: Threats) -> list[float]:
    """Return the probability of winning a stack with 0 (no rival meets it), 1, 2 or 3 dice."""
    likely = min(ceil(card / TYPICAL_FACE), DICE)
    rivals = [
        (1.0, met) if met else (ATTENTION * reach(hand, card), likely) for met, hand in threats
    ]
    return [
        prod([1 - chance * (1 - beats(mine, dice)) for chance, dice in rivals])
        for mine in range(DICE + 1)
    ]


def _valley_worths(card: int, price: int, rivals: list[int], parameters: Parameters) -> list[float]:
    """Return the expected paws from zero, one, two and three dice against those of the rivals."""
    prize = card_paws(card, parameters)
    if not rivals:
        # A seat alone in the valley takes the card, or pays if there is none.
        return [0.0] + [float(prize if card else -price)] * DICE
    return [0.0] + [
        prize * prod([beats(mine, dice) for dice in rivals])
        - price * prod([beats(dice, mine) for dice in rivals])
        for mine in range(1, DICE + 1)
    ]


@lru_cache(1 << 12)
def _cheapest_on_top(won: tuple[int, ...], parameters: Parameters) -> int:
    """Put won cards in order, with the fewest paws on top, where cards are lost first."""
    return max(
        ORDERS_OF[len(won)],
        key=lambda action: [(card_paws(won[at], parameters), won[at]) for at in action.order],
    )


@cache
def _groups(rolled: Roll) -> list[tuple[int, int, int, Roll]]:
    """List each choice of dice: their number, sum, share of the action, and the other dice."""
    there = [at for at, face in enumerate(rolled) if face]
    groups = {}
    for size in range(1, len(there) + 1):
        for chosen in combinations(there, size):
            a, b, c = (0 if at in chosen else face for at, face in enumerate(rolled))
            faces = tuple([rolled[at] for at in chosen])
            # Of equal dice, it does not matter which is chosen.
            groups[faces] = size, sum(faces), sum([7**at for at in chosen]), (a, b, c)
    return list(groups.values())
