"""Life is Life plays like a second, naive implementation of its rules.

Only the deals and the players' choices are taken from the engine; everything else is implemented
again here.
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import chain, combinations
from random import Random

import pytest

from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import ANIMALS, VALUES, animals_in
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.outcome import Ending, places_by
from arena.games.randomness import seed_from

Words = tuple[str, ...]
"""An action: the row and the animals laid, sorted; or the knock."""
KNOCK: Words = ("knock",)


class Table:
    """A match played in parallel to the engine's."""

    def __init__(self, seed: int, seats: int, parameters: Parameters) -> None:
        """Begin a match."""
        self.state: LifeIsLifeState = GAME.start(seats, seed_from(seed), parameters)
        self.rng = Random(seed)
        self.parameters = parameters
        self.lives = [parameters.lives or 5] * seats
        left_out = len(ANIMALS) - (parameters.kinds or len(ANIMALS))
        self.worth = {
            animal: min(value, parameters.copies or 9)
            for animal, value in zip(ANIMALS[left_out:], VALUES[left_out:], strict=True)
        }
        self.deaths = 0
        self.hands: dict[int, list[str]] = {}
        self.rows: list[list[str]] = []

    def play_round(self, order: list[int]) -> None:
        """Play a round in this order of seats."""
        self.hands = {seat: _animals(self.state.hands[seat]) for seat in order}
        self.rows = [_animals(row) for row in self.state.rows]
        sizes = list(range(1, (self.parameters.rows or 4) + 1))
        assert list(map(len, self.rows)) == sizes
        assert all(len(hand) == (self.parameters.hand or 10) for hand in self.hands.values())
        cards = Counter(chain(*self.rows, *self.hands.values()))
        assert all(count <= self.worth[animal] for animal, count in cards.items())
        waiting = deque(order * self.parameters.turn_cap)
        swapped: set[int] = set()
        knocked = False
        while waiting:
            seat = waiting.popleft()
            if self.turn(seat, may_knock=seat in swapped) == KNOCK:
                if not knocked:
                    knocked = True
                    at = order.index(seat)
                    waiting = deque(order[at + 1 :] + order[:at])
                continue
            swapped.add(seat)
            if self.has_set(seat):
                self.deaths += 1
                for other in order:
                    self.lives[other] -= other != seat
                self.lives[seat] += self.parameters.expert
                return
        self.score(order)

    def turn(self, seat: int, *, may_knock: bool) -> Words:
        """Compare the legal actions of a seat, choose one, and play it in both matches."""
        hand = self.hands[seat]
        legal = {
            (str(size), *sorted(laid))
            for size in range(1, (self.parameters.rows or 4) + 1)
            for laid in combinations(hand, size)
            if sorted(laid) != self.rows[size - 1]
        }
        if may_knock:
            legal.add(KNOCK)
        state = self.state
        assert state.to_act == seat
        assert set(map(_words, state.legal_actions())) == legal
        some = [state.random_action(self.rng) for _ in range(8)]
        action = max(some, key=lambda each: self.nearness(seat, _words(each)))
        state.apply(action)
        words = _words(action)
        if words != KNOCK:
            self.hands[seat] = self.after(seat, words)
            self.rows[int(words[0]) - 1] = list(words[1:])
        return words

    def after(self, seat: int, swap: Words) -> list[str]:
        """Return the hand after a swap."""
        row, *laid = swap
        hand = Counter(self.hands[seat]) - Counter(laid) + Counter(self.rows[int(row) - 1])
        return list(hand.elements())

    def nearness(self, seat: int, words: Words) -> int:
        """Return how close this leads to a sudden death, which is too rare in random play."""
        if words == KNOCK:
            return 9 if self.rng.random() < 0.1 else 0
        hand = self.after(seat, words)
        return max(hand.count("rabbit"), hand.count("pig"), hand.count("cat"))

    def has_set(self, seat: int) -> bool:
        """Return whether a hand has a complete set that is a sudden death."""
        hand = Counter(self.hands[seat])
        sets = ["rabbit", "pig"] if self.parameters.expert else ["rabbit", "pig", "cat"]
        return any(hand[each] == self.worth[each] for each in sets if each in self.worth)

    def score(self, order: list[int]) -> None:
        """Subtract the lives that the totals cost."""
        totals = dict.fromkeys(order, 0)
        for animal, worth in self.worth.items():
            counts = {seat: self.hands[seat].count(animal) for seat in order}
            most = max(counts.values())
            first = [seat for seat in order if counts[seat] == most]
            if len(first) == 1 and (most > 1 or len(order) > 2):
                totals[first[0]] += worth
        for seat, total in totals.items():
            cost = 2 if total == min(totals.values()) else 1
            if total != max(totals.values()):
                self.lives[seat] = max(0, self.lives[seat] - cost)


def _animals(herd: int) -> list[str]:
    return sorted(ANIMALS[at] for at in animals_in(herd))


def _words(action: int) -> Words:
    row, *animals = GAME.action_text(action).split()
    return (row, *sorted(animals))


def play_both(seed: int, seats: int, parameters: Parameters) -> Table:
    """Play a match with both implementations, comparing them to the end."""
    table = Table(seed, seats, parameters)
    merits = [0] * seats
    starter = number = 0
    living = list(range(seats))
    while len(living) > 1 and number < parameters.round_cap:
        while starter not in living:
            starter = (starter + 1) % seats
        at = living.index(starter)
        table.play_round(living[at:] + living[:at])
        assert table.state.lives == table.lives
        starter = (starter + 1) % seats
        for seat in living:
            merits[seat] = number
        living = [seat for seat in living if table.lives[seat]]
        number += 1
    for seat in living:
        merits[seat] = parameters.round_cap + table.lives[seat]
    ending = Ending.LENGTH_CAP if len(living) > 1 else Ending.PLAYED_OUT
    assert table.state.is_over
    assert table.state.outcome() == (places_by(merits), tuple(table.lives), ending)
    return table


seeds = pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))]
)


@pytest.mark.parametrize("seats", GAME.seat_counts)
@pytest.mark.parametrize(
    "parameters",
    [
        Parameters(turn_cap=6),
        Parameters(turn_cap=6, expert=True),
        Parameters(turn_cap=2, round_cap=4),
        Parameters(turn_cap=1, round_cap=3, expert=True),
    ],
    ids=str,
)
@seeds
def test_a_naive_implementation_gives_the_same_result(
    seed: int, parameters: Parameters, seats: int
) -> None:
    play_both(seed, seats, parameters)


@pytest.mark.parametrize(
    "words",
    [
        "kinds=4 copies=2 hand=3 rows=1 lives=2 turn_cap=3",
        "kinds=5 copies=3 hand=4 rows=2",
        "kinds=6 copies=4 hand=5 rows=3 lives=4 turn_cap=5 expert=yes",
        "copies=4 hand=6 round_cap=3 turn_cap=4",
    ],
)
@seeds
def test_a_naive_implementation_plays_small_matches_alike(seed: int, words: str) -> None:
    parameters = GAME.read_parameters(words)
    for seats in GAME.seats_for(parameters):
        play_both(seed, seats, parameters)


def test_the_comparison_covers_sudden_deaths() -> None:
    assert play_both(0, 3, Parameters(turn_cap=12)).deaths
