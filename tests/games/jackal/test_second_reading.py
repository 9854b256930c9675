"""Jackal & High plays like a second, naive implementation of its rules.

Only the deck, the dice and the players' choices are taken from the engine; everything else is
implemented again here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import permutations, product
from random import Random
from typing import NamedTuple, TypeVar

import pytest

from arena.games.jackal import GAME
from arena.games.jackal.cards import LUCKY8, TAKE2
from arena.games.jackal.events import (
    DiceRolled,
    DuelRolled,
    Question,
    RoundBegan,
    ValleyOpened,
    ValleyRolled,
)
from arena.games.jackal.parameters import Parameters
from arena.games.outcome import Ending
from arena.games.randomness import seed_from

E = TypeVar("E", DiceRolled, DuelRolled, ValleyRolled, RoundBegan, ValleyOpened)
Rolls = Mapping[int, tuple[int, ...]]


class Stack(NamedTuple):
    """A stack of the display."""

    card: int
    take2s: int


class Table:
    """A match played in parallel to the engine's."""

    def __init__(self, seed: int, seats: int, parameters: Parameters) -> None:
        """Begin a match."""
        self.state = GAME.start(seats, seed_from(seed), parameters, recording=True)
        self.rng = Random(seed)
        self.seats = seats
        self.position = 0
        self.valley = self.next_event(ValleyOpened).card
        self.deck = [*self.next_event(RoundBegan).drawn, *reversed(self.state.deck)]
        self.position = 0
        self.display: list[Stack] = []
        self.piles: list[list[int]] = [[] for _ in range(seats)]
        self.take2s = [0] * seats
        self.seen: Counter[str] = Counter()
        self.dice = parameters.dice or 3
        self.faces = parameters.faces or 8
        self.most_rolls = parameters.contest_rolls or 1000
        assert Counter([self.valley, *self.deck]) == whole_deck(parameters)

    def next_event(self, kind: type[E]) -> E:
        """Return the next event of a kind; no dice may be rolled before it."""
        for event in (self.state.events or [])[self.position :]:
            self.position += 1
            if isinstance(event, kind):
                return event
            assert not isinstance(event, DiceRolled | DuelRolled | ValleyRolled)
        raise AssertionError(f"there is no {kind}")

    def choose(self, seat: int, legal: set[str], preferences: Mapping[str, int]) -> str:
        """Compare the legal actions of a seat, and choose one, by preference."""
        state = self.state
        assert state.to_act == seat
        assert set(map(GAME.action_text, state.legal_actions())) == legal
        assert (state.only_action() is None) == (len(legal) > 1)
        some = [state.random_action(self.rng) for _ in range(6)]
        action = max(some, key=lambda each: preferences.get(GAME.action_text(each), 0))
        state.apply(action)
        return GAME.action_text(action)

    def complete_display(self) -> bool:
        """Add the missing stacks; return whether the deck had enough cards."""
        take2s = 0
        while self.deck and len(self.display) <= self.seats:
            card = self.deck.pop(0)
            if card == TAKE2:
                take2s += 1
            elif card != LUCKY8 or all(stack.card != LUCKY8 for stack in self.display):
                self.display.append(Stack(card, take2s))
                take2s = 0
        return len(self.display) > self.seats

    def play_round(self, order: list[int]) -> None:
        """Play a round in this order of seats."""
        laid: list[list[list[int]]] = [[[] for _ in self.display] for _ in order]
        lost = [0] * self.seats
        for turn in range(self.dice):
            for seat in order:
                if left := self.dice - lost[seat] - sum(map(len, laid[seat])):
                    rolls = 3 if turn and left == 1 else 1
                    lost[seat] += not self.place_dice(seat, laid[seat], left, rolls)
        for seat, stack in product(order, range(len(self.display))):
            if sum(laid[seat][stack]) != self.display[stack].card:
                lost[seat] += len(laid[seat][stack])
                laid[seat][stack].clear()
        self.award(order, laid)
        self.settle_valley([seat for seat in order if lost[seat]], lost)

    def place_dice(self, seat: int, laid: list[list[int]], count: int, rolls: int) -> bool:
        """Roll and place dice for a seat; return whether any could be placed."""
        while True:
            rolls -= 1
            rolled = self.next_event(DiceRolled)
            assert (rolled.seat, len(rolled.dice), rolled.rolls_left) == (seat, count, rolls)
            assert max(rolled.dice) <= self.faces
            fitting = self.fitting(laid, rolled.dice)
            legal = {*fitting} | ({"again"} if rolls else set()) or {"valley"}
            preferences = {action: self.exact(after) for action, after in fitting.items()}
            action = self.choose(seat, legal, preferences)
            self.seen[action.split()[0]] += 1
            if action != "again":
                laid[:] = fitting.get(action, laid)
                return action != "valley"

    def fitting(self, laid: list[list[int]], dice: tuple[int, ...]) -> dict[str, list[list[int]]]:
        """List all placements of some dice, each with the seat's dice after it."""
        found = {}
        for stacks in product(range(len(self.display) + 1), repeat=len(dice)):
            after = [
                faces + [die for die, to in zip(dice, stacks, strict=True) if to == stack]
                for stack, faces in enumerate(laid, start=1)
            ]
            if any(stacks) and all(
                sum(faces) <= stack.card for faces, stack in zip(after, self.display, strict=True)
            ):
                words = " ".join(str(stack or "-") for stack in stacks)
                found[f"place {words}".rstrip(" -")] = after
        return found

    def exact(self, laid: list[list[int]]) -> int:
        """Count the numbers that a seat has met."""
        return sum(
            sum(faces) == stack.card for faces, stack in zip(laid, self.display, strict=True)
        )

    def award(self, order: list[int], laid: list[list[list[int]]]) -> None:
        """Give every stack to its winner."""
        winners = {}
        for at in range(len(self.display)):
            rivals = [seat for seat in order if laid[seat][at]]
            if rivals:
                counts = [len(laid[seat][at]) for seat in range(self.seats)]
                winners[at] = self.duel(at + 1, rivals, counts)
        for at, stack in enumerate(self.display):
            if stack.card == LUCKY8 and at in winners:
                self.seen["lucky"] += 1
                winners = dict.fromkeys(range(len(self.display)), winners[at]) | winners
        for seat in order:
            won = [stack for at, stack in enumerate(self.display) if winners.get(at) == seat]
            self.take2s[seat] += sum(stack.take2s for stack in won)
            cards = [stack.card for stack in won if stack.card != LUCKY8]
            if len(cards) > 1:
                orders = permutations(range(1, len(cards) + 1))
                legal = {f"order {' '.join(map(str, order))}" for order in orders}
                words = self.choose(seat, legal, {}).split()
                cards = [cards[int(word) - 1] for word in words[1:]]
            self.piles[seat] += cards
        self.display = [stack for at, stack in enumerate(self.display) if at not in winners]

    def duel(self, stack: int, rivals: list[int], counts: list[int]) -> int:
        """Roll for a stack until one rival has won."""
        attempts = 0
        while len(rivals) > 1 and attempts < self.most_rolls:
            attempts += 1
            self.seen["duel"] += 1
            rolls = [self.next_event(DuelRolled) for _ in rivals]
            assert [(each.stack, each.seat) for each in rolls] == [(stack, each) for each in rivals]
            rivals = highest({each.seat: each.dice for each in rolls}, counts)
        return rivals[0]

    def settle_valley(self, rivals: list[int], counts: list[int]) -> None:
        """Settle the valley."""
        if not rivals:
            return
        if len(rivals) == 1:
            winner = rivals[0] if self.valley else None
            loser = None if self.valley else rivals[0]
        else:
            rolls = self.valley_rolls(Question.BOTH, rivals, counts)
            best = highest(rolls, counts)
            for _ in range(self.most_rolls - 1):
                if len(best) > 1:
                    best = highest(self.valley_rolls(Question.HIGHEST, best, counts), counts)
            worst = lowest({each: rolls[each] for each in rivals if each != best[0]}, counts)
            for _ in range(self.most_rolls - 1):
                if len(worst) > 1:
                    worst = lowest(self.valley_rolls(Question.LOWEST, worst, counts), counts)
            winner, loser = best[0], worst[0]
        if winner is not None and self.valley:
            self.piles[winner].append(self.valley)
            self.valley = 0
        if loser is not None and self.piles[loser]:
            self.valley = self.piles[loser].pop()

    def valley_rolls(self, question: Question, rivals: list[int], counts: list[int]) -> Rolls:
        """Roll the rivals' dice in the valley."""
        self.seen[question.value] += 1
        rolls = [self.next_event(ValleyRolled) for _ in rivals]
        for each, seat in zip(rolls, rivals, strict=True):
            assert (each.question, each.seat, len(each.dice)) == (question, seat, counts[seat])
        return {each.seat: each.dice for each in rolls}


def whole_deck(parameters: Parameters) -> Counter[int]:
    """Count the cards of a match."""
    numbers = [each for each in range(1, 22) if each != 8][: parameters.numbers or 20]
    cards = Counter({number: 2 if number < 8 else 1 for number in numbers})
    cards[LUCKY8] = cards[TAKE2] = parameters.specials or 4
    return cards


def highest(rolls: Rolls, counts: list[int]) -> list[int]:
    """List the seats that are highest, fewer dice being better."""
    best = max((sum(rolls[seat]), -counts[seat]) for seat in rolls)
    return [seat for seat in rolls if (sum(rolls[seat]), -counts[seat]) == best]


def lowest(rolls: Rolls, counts: list[int]) -> list[int]:
    """List the seats that are lowest, more dice being worse."""
    worst = min((sum(rolls[seat]), -counts[seat]) for seat in rolls)
    return [seat for seat in rolls if (sum(rolls[seat]), -counts[seat]) == worst]


def play_both(seed: int, seats: int, parameters: Parameters) -> Table:
    """Play a match with both implementations, comparing them to the end."""
    table = Table(seed, seats, parameters)
    state = table.state
    rounds = 0
    ending = Ending.LENGTH_CAP
    while rounds < parameters.round_cap:
        if not table.complete_display():
            ending = Ending.PLAYED_OUT
            break
        assert list(zip(state.cards, state.under, strict=True)) == table.display
        table.play_round([(rounds + step) % seats for step in range(seats)])
        assert list(map(list, state.piles)) == table.piles
        assert (state.take2s, state.valley) == (table.take2s, table.valley)
        rounds += 1
    assert state.is_over
    merits = []
    for pile, take2s in zip(table.piles, table.take2s, strict=True):
        paws = sum(1 if card < 8 else 2 if card < 17 else 3 for card in pile) + 2 * take2s
        merits.append((paws, sorted(pile, reverse=True)))
    places = tuple(1 + sum(other > merit for other in merits) for merit in merits)
    assert state.outcome() == (places, tuple(paws for paws, _ in merits), ending)
    return table


@pytest.mark.parametrize("round_cap", [200, 3])
@pytest.mark.parametrize("seats", GAME.seat_counts)
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2, 3))])
def test_a_naive_implementation_gives_the_same_result(
    seed: int, seats: int, round_cap: int
) -> None:
    play_both(seed, seats, Parameters(round_cap=round_cap))


@pytest.mark.parametrize(
    "words",
    [
        "numbers=2 specials=1 dice=1 faces=2 contest_rolls=1 round_cap=5",
        "numbers=5 specials=2 dice=2 faces=4 contest_rolls=2",
        "numbers=3 dice=3 faces=2 contest_rolls=3",
        "numbers=9 dice=2 faces=2",
    ],
)
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_a_naive_implementation_plays_small_matches_alike(seed: int, words: str) -> None:
    parameters = GAME.read_parameters(words)
    for seats in GAME.seats_for(parameters):
        play_both(seed, seats, parameters)


def test_the_comparison_covers_everything_that_can_happen() -> None:
    seen = sum((play_both(seed, 5, Parameters()).seen for seed in (0, 6)), Counter[str]())
    assert {*seen} == {"place", "again", "valley", "duel", "lucky", "both", "highest", "lowest"}
