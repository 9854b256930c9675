"""The events of Jackal & High contain everything that a seat's view shows."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import cast

import pytest

from arena.games.jackal import GAME
from arena.games.jackal import events as jackal_events
from arena.games.jackal.cards import LUCKY8
from arena.games.jackal.events import Event
from arena.games.jackal.view import View
from arena.games.randomness import seed_from


class Observer:
    """Reconstructs the table from the events alone."""

    def __init__(self, seats: int) -> None:
        """Start before the first event of a match."""
        self.unseen = Counter(GAME.default_parameters.pack + GAME.default_parameters.special_cards)
        self.display: dict[int, tuple[int, int]] = {}
        self.valley = 0
        self.piles: list[list[int]] = [[] for _ in range(seats)]
        self.spoils: list[list[int]] = [[] for _ in range(seats)]
        self.take2s = [0] * seats
        self.gone = 0
        self.placed: list[list[tuple[int, int]]] = [[] for _ in range(seats)]
        self.in_valley = [0] * seats
        self.rolled: tuple[int, ...] = ()

    def observe(self, event: Event) -> None:
        """Apply one event."""
        if isinstance(event, jackal_events.ValleyOpened):
            self.valley = event.card
            self.unseen[event.card] -= 1
        elif isinstance(event, jackal_events.RoundBegan):
            lucky = event.cards.count(LUCKY8) - [c for c, _ in self.display.values()].count(LUCKY8)
            self.gone += event.drawn.count(LUCKY8) - lucky
            self.unseen -= Counter(event.drawn)
            stacks = zip(event.cards, event.under, strict=True)
            self.display = dict(enumerate(stacks, start=1))
            self.in_valley = [0] * len(self.in_valley)
        elif isinstance(event, jackal_events.MatchEnded):
            self.unseen -= Counter(event.drawn)
            self.rolled = ()
        else:
            self._observe_seat(event)

    def _observe_seat(self, event: Event) -> None:
        if isinstance(event, jackal_events.DiceRolled):
            self.rolled = event.dice
        elif isinstance(event, jackal_events.DicePlaced):
            dice = zip(event.stacks, self.rolled, strict=True)
            self.placed[event.seat] += [(stack, face) for stack, face in dice if stack]
        elif isinstance(event, jackal_events.DieLost):
            self.in_valley[event.seat] += 1
        elif isinstance(event, jackal_events.DiceCollected):
            self.in_valley = list(event.valley)
            self.placed = [[] for _ in self.placed]
            self.rolled = ()
        elif isinstance(event, jackal_events.StackWon):
            assert self.display.pop(event.stack) == (event.card, event.take2s)
            self.take2s[event.seat] += event.take2s
            self.gone += event.card == LUCKY8
            self.spoils[event.seat] += [event.card] if event.card != LUCKY8 else []
        elif isinstance(event, jackal_events.CardsOrdered):
            assert sorted(self.spoils[event.seat]) == sorted(event.cards)
            self.piles[event.seat] += event.cards
            self.spoils[event.seat] = []
        elif isinstance(event, jackal_events.ValleyTaken):
            self._put_single_cards_down()
            self.piles[event.seat] += [event.card] if event.card else []
            self.valley = 0
        elif isinstance(event, jackal_events.ValleyPaid):
            self._put_single_cards_down()
            if event.card:
                assert self.piles[event.seat].pop() == event.card
            self.valley = event.card

    def _put_single_cards_down(self) -> None:
        for pile, spoils in zip(self.piles, self.spoils, strict=True):
            if len(spoils) == 1:
                pile.append(spoils.pop())

    def check(self, view: View) -> None:
        """Compare the reconstructed table with a seat's view."""
        self._put_single_cards_down()
        if view.to_act >= 0:
            assert list(self.display.values()) == list(zip(view.cards, view.under, strict=True))
        assert tuple(sorted(self.unseen.elements())) == view.unseen
        assert (self.valley, self.gone, self.rolled) == (view.valley, view.gone, view.rolled)
        assert (tuple(map(tuple, self.piles)), tuple(self.take2s)) == (view.piles, view.take2s)
        assert tuple(map(tuple, self.spoils)) == view.spoils
        if view.to_act >= 0:
            assert tuple(self.in_valley) == view.in_valley
        faces = [
            sorted((stack, face) for stack, dice in enumerate(stacks, start=1) for face in dice)
            for stacks in view.on_display
        ]
        assert [sorted(placed) for placed in self.placed] == faces


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_events_contain_everything_that_the_seats_see(seats: int) -> None:
    for seed in range(6):
        state = GAME.start(seats, seed_from(seed), recording=True)
        observer = Observer(seats)
        rng = Random(seed)
        events = cast(list[Event], state.events)
        while True:
            for event in events:
                observer.observe(GAME.event_form.read(GAME.event_form.show(event)))
            events.clear()
            observer.check(GAME.view_of(state, 0))
            if state.is_over:
                break
            state.apply(state.random_action(rng))
