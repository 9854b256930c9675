"""Trio plays like a second, naive implementation of its rules.

Only the deal and the players' choices are taken from the engine; everything else is implemented
again here.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from arena.games.outcome import Ending, places_by
from arena.games.randomness import seed_from
from arena.games.trio import GAME
from arena.games.trio.parameters import Mode, Parameters
from tests.games.trio.positions import hungry_action

CENTRE = -1
Place = tuple[int, int]
"""A seat, or `CENTRE`, and the position of a card there."""


class Table:
    """A match played in parallel to the engine's."""

    def __init__(self, seed: int, seats: int, parameters: Parameters) -> None:
        """Begin a match."""
        self.state = GAME.start(seats, seed_from(seed), parameters)
        self.rng = Random(seed)
        self.mode = parameters.mode
        self.seats = seats
        self.teams = seats // 2 if parameters.teams else seats
        self.hands = [list(hand) for hand in self.state.hands]
        self.centre = list(self.state.centre)
        self.piles: list[list[int]] = [[] for _ in range(self.teams)]
        self.swaps = 0

    def choose(self, seat: int, legal: set[str]) -> str:
        """Compare the legal actions of a seat, and choose one."""
        assert self.state.to_act == seat
        assert set(map(GAME.action_text, self.state.legal_actions())) == legal
        action = hungry_action(self.state, self.rng)
        self.state.apply(action)
        return GAME.action_text(action)

    def number_at(self, place: Place) -> int:
        """Return the card at a place."""
        where, at = place
        return self.centre[at] if where == CENTRE else self.hands[where][at]

    def open_places(self, shown: list[Place]) -> dict[str, Place]:
        """List the places that can be turned up, by action."""
        places = {f"centre {at}": (CENTRE, at) for at, card in enumerate(self.centre) if card}
        for seat, hand in enumerate(self.hands):
            left = [(seat, at) for at in range(len(hand)) if (seat, at) not in shown]
            if left:
                places[f"low {seat}"] = left[0]
            if len(left) > 1:
                places[f"high {seat}"] = left[-1]
        return {action: place for action, place in places.items() if place not in shown}

    def take_turn(self, seat: int) -> bool:
        """Play a seat's turn; return whether it took a trio."""
        shown: list[Place] = []
        while True:
            places = self.open_places(shown)
            shown.append(places[self.choose(seat, set(places))])
            numbers = [self.number_at(place) for place in shown]
            if len(set(numbers)) == 2:
                return False
            if len(numbers) == 3:
                break
        self.piles[seat % self.teams].append(numbers[0])
        for where, at in sorted(shown, reverse=True):
            if where == CENTRE:
                self.centre[at] = 0
            else:
                del self.hands[where][at]
        return True

    def offer_swaps(self, asked: list[int]) -> None:
        """Offer a swap to the seats that have cards and whose partners have cards."""
        partner = {seat: (seat + self.teams) % self.seats for seat in asked}
        asked = [seat for seat in asked if self.hands[seat] and self.hands[partner[seat]]]
        given = {
            seat: self.choose(seat, {"keep"} | {f"give {card}" for card in self.hands[seat]})
            for seat in asked
        }
        for seat in asked:
            if seat < self.teams and "keep" not in (given[seat], given[partner[seat]]):
                self.swaps += 1
                for one, other in ((seat, partner[seat]), (partner[seat], seat)):
                    card = int(given[one].split()[1])
                    self.hands[one].remove(card)
                    self.hands[other].append(card)
                self.hands = [sorted(hand) for hand in self.hands]

    def has_won(self, pile: list[int]) -> bool:
        """Return whether a pile wins."""
        if 7 in pile:
            return True
        if self.mode is Mode.SIMPLE:
            return len(pile) == 3
        return any(a + b == 7 or a - b == 7 for a, b in product(pile, pile))


def play_both(seed: int, seats: int, parameters: Parameters) -> Table:
    """Play a match with both implementations, comparing them to the end."""
    table = Table(seed, seats, parameters)
    if parameters.teams:
        table.offer_swaps(list(range(seats)))
    winner = None
    for turn in range(parameters.turn_cap * seats):
        team = turn % seats % table.teams
        took = table.take_turn(turn % seats)
        if took and table.has_won(table.piles[team]):
            winner = team
            break
        if took and parameters.teams and turn + 1 < parameters.turn_cap * seats:
            table.offer_swaps([seat for seat in range(seats) if seat % table.teams != team])
    state = table.state
    assert state.is_over
    assert (state.hands, state.centre) == (table.hands, table.centre)
    places = places_by(
        [99 if pile == winner else len(table.piles[pile]) for pile in range(table.teams)]
    )
    ending = Ending.LENGTH_CAP if winner is None else Ending.PLAYED_OUT
    sides = [seat % table.teams for seat in range(seats)]
    assert state.outcome() == (
        tuple(places[side] for side in sides),
        tuple(len(table.piles[side]) for side in sides),
        ending,
    )
    return table


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("turn_cap", [120, 6])
@pytest.mark.parametrize(
    ("name", "seats"),
    [(name, seats) for name, each in GAME.variants.items() for seats in GAME.seats_for(each)],
)
def test_a_naive_implementation_gives_the_same_result(
    name: str, seats: int, turn_cap: int, seed: int
) -> None:
    variant = GAME.variants[name]
    play_both(seed, seats, Parameters(variant.mode, variant.teams, turn_cap))


def test_the_comparison_covers_swaps() -> None:
    assert play_both(0, 4, Parameters(teams=True)).swaps
