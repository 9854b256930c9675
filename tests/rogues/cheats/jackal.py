"""Knowledge about a deal of Jackal & High, and how a bot plays with it.

Only the order of the deck is hidden, but no decision changes what is rolled elsewhere: a bot that
has seen a deal before knows dice to come.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from arena.games.jackal import GAME
from arena.games.jackal.actions import AGAIN, DIGITS
from arena.games.jackal.dice import DICE, DICE_OF_ROUND, FACES
from arena.games.jackal.events import DiceRolled, RoundBegan, ValleyOpened
from arena.games.jackal.scoring import paws
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View
from arena.games.randomness import Seed
from tests.rogues.cheats.house import greedy_choice, house_bot

greedy = house_bot("greedy-jackal")

OPENING_EVIDENCE = 16.0
"""The card in the valley and all cards of the first display are no coincidence."""
ROLL_EVIDENCE = 4.0
"""How surprising it is that a seat begins two different deals with the same three dice."""
ROUNDS = 5
"""Hardly any match is longer."""
CANDIDATES, SAMPLES = 8, 3
"""How many actions a bot tries, and how often, if it knows dice to come."""


@dataclass(slots=True)
class JackalKnowledge:
    """What is known of a deal."""

    seats: int
    valley: int = 0
    opening: tuple[int, ...] = ()
    """The cards of the first display, in the order drawn."""
    dice: dict[tuple[int, int], int] = field(default_factory=dict)
    """By round and position among the dice of the round, where it is known."""
    round: int = 0
    turn: int = 0
    in_turn: int = -1
    """The round, the turn and the seat that the events are about."""
    turns: dict[int, int] = field(default_factory=dict)
    """How many turns of this round each seat has had."""

    @classmethod
    def empty(cls, seats: int) -> JackalKnowledge:
        """Return the knowledge that nothing is known."""
        return cls(seats)

    @classmethod
    def of_seed(cls, seats: int, seed: Seed, parameters: Any) -> JackalKnowledge:
        """Compute the opening and the dice of all rounds."""
        state = GAME.start(seats, seed, parameters, recording=True)
        knowledge = cls(seats)
        knowledge.learn_events(state.events or ())
        for number in range(ROUNDS):
            dice = state.source.dice(f"dice {number}", DICE_OF_ROUND * seats, FACES)
            knowledge.dice |= {(number, at): face for at, face in enumerate(dice)}
        return knowledge

    def learn_events(self, events: Sequence[Any]) -> None:
        """Learn from public events."""
        for event in events:
            if isinstance(event, ValleyOpened):
                self.valley = event.card
            elif isinstance(event, RoundBegan):
                self.round, self.in_turn, self.turns = event.round, -1, {}
                if not event.round:
                    self.opening = event.drawn
            elif isinstance(event, DiceRolled):
                self._learn_roll(event)

    def _learn_roll(self, roll: DiceRolled) -> None:
        is_again = self.in_turn == roll.seat and roll.rolls_left < 2 and len(roll.dice) == 1
        if not is_again:
            self.turns[roll.seat] = self.turns.get(roll.seat, -1) + 1
        self.in_turn = roll.seat
        turn = self.turns[roll.seat]
        first = DICE_OF_ROUND * roll.seat + DICE * turn
        if len(roll.dice) == 1 and turn:
            first += 2 - roll.rolls_left
        # Several dice are shown in the order of their faces: which is which is a guess.
        for at, face in enumerate(roll.dice):
            self.dice[self.round, first + at] = face

    def learn_view(self, view: View) -> None:
        """Learn from a view: nothing that events do not show."""

    def learn(self, other: JackalKnowledge) -> None:
        """Add what another table shows of the same deal."""
        for at, face in other.dice.items():
            self.dice.setdefault(at, face)

    def first_look(self, seat: int) -> Hashable:
        """Return what a seat sees of a deal before anything happens."""
        return self.valley, self.opening

    def evidence(self, other: JackalKnowledge) -> float:
        """Return how surprising the similarity of two deals is, in nats; below 0 if they differ."""
        if not self.opening or not other.opening:
            return 0.0
        if self.first_look(0) != other.first_look(0):
            return -1.0
        total = OPENING_EVIDENCE
        for seat in range(self.seats):
            mine, theirs = self._first_roll(seat), other._first_roll(seat)
            if mine and theirs and mine != theirs:
                return -1.0
            total += ROLL_EVIDENCE if mine and theirs else 0.0
        return total

    def _first_roll(self, seat: int) -> list[int]:
        first = DICE_OF_ROUND * seat
        dice = [self.dice.get((0, first + at), 0) for at in range(DICE)]
        return sorted(dice) if all(dice) else []

    def told(self, seat: int) -> Iterable[tuple[str, int]]:
        """List what a seat can tell another bot, each with the name under which it tells it."""
        for number in range(self.round):
            dice = 0
            for at in range(DICE_OF_ROUND * self.seats):
                dice = dice * (FACES + 1) + self.dice.get((number, at), 0)
            yield f"{self.valley} {self.opening} {number} {seat}", dice

    def asked(self, seat: int, seats: int) -> Iterable[str]:
        """List the names under which a seat may find something."""
        for of in range(seats):
            if of != seat:
                yield f"{self.valley} {self.opening} {self.round} {of}"

    def hear(self, name: str, number: int) -> None:
        """Learn what was told under a name."""
        of_round = int(name.split()[-2])
        for at in reversed(range(DICE_OF_ROUND * self.seats)):
            number, face = divmod(number, FACES + 1)
            if face:
                self.dice.setdefault((of_round, at), face)


def play(view: View, legal: Sequence[int], deal: JackalKnowledge | None) -> int:
    """Play as the greedy bot does; if dice to come are known, try actions to the end of the round.

    All others are assumed to be greedy bots.
    """
    choice = greedy_choice(greedy.GreedyJackal, view, legal)
    known = (
        {at: face for (number, at), face in deal.dice.items() if number == view.round}
        if (deal)
        else {}
    )
    if len(legal) == 1 or view.spoils[view.seat] or not _is_ahead(view, known):
        return choice
    states = [_state(view, known, Random(number)) for number in range(SAMPLES)]
    return max(
        _candidates(view, legal, choice),
        key=lambda action: sum(_lead_after(action, state) for state in states),
    )


def _is_ahead(view: View, known: dict[int, int]) -> bool:
    """Return whether dice of a later turn are known."""
    first = DICE_OF_ROUND * view.seat + DICE * (view.turn + 1)
    again = first - DICE + 3 - view.rolls_left
    return first in known or (view.rolls_left > 0 and again in known)


def _candidates(view: View, legal: Sequence[int], choice: int) -> list[int]:
    """Return the choice of the greedy bot first, and then what it thinks is nearly as good."""
    stacks, valley = greedy.stacks_of(view), greedy.valley_of(view)

    def merit(action: int) -> float:
        if action == AGAIN:
            return float(greedy.expected_paws(stacks, valley, left=1, rolls=view.rolls_left))
        after, left = list(stacks), len(view.rolled)
        for face, stack in zip(view.rolled, DIGITS[action], strict=False):
            if stack:
                need, dice, prizes = after[stack - 1]
                after[stack - 1] = greedy.Stack(need - face, dice + 1, prizes)
                left -= 1
        return float(greedy.expected_paws(after, valley, left=left, rolls=greedy.ROLLS))

    others = sorted((action for action in legal if action != choice), key=merit, reverse=True)
    return [choice, *others[: CANDIDATES - 1]]


def _state(view: View, known: dict[int, int], rng: Random) -> JackalState:
    state = GAME.world(view, rng)
    state.dice = [known.get(at, face) for at, face in enumerate(state.dice)]
    return state


def _lead_after(action: int, state: JackalState) -> float:
    """Play an action and then the rest of the round; return the lead of its player."""
    seat, number = state.to_act, state.round
    state = state.copy()
    state.apply(action)
    while state.round == number and not state.is_over:
        only = state.only_action()
        if only is None:
            only = _greedy_at(GAME.view_of(state, state.to_act), tuple(state.legal_actions()))
        state.apply(only)
    scores = [
        paws(pile, take2s, state.parameters)
        for pile, take2s in zip(state.piles, state.take2s, strict=True)
    ]
    mine = scores.pop(seat)
    return mine - (max(scores) + sum(scores) / len(scores)) / 2


@cache
def _greedy_at(view: View, legal: tuple[int, ...]) -> int:
    return greedy_choice(greedy.GreedyJackal, view, legal)
