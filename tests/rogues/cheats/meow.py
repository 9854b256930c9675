"""What a bot can find out about a deal of MEOW, and how it plays when it knows some of it.

The row of tokens lies open from the first moment, and no two deals have the same one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from arena.games.meow import GAME
from arena.games.meow.cards import BITS, ROUNDS, cards_in
from arena.games.meow.events import CardPlayed, RoundBegan
from arena.games.meow.state import MeowState, points
from arena.games.meow.view import View
from arena.games.randomness import Seed
from tests.rogues.cheats.house import house_bot

greedy = house_bot("greedy-meow")

ROW_EVIDENCE = 20.0
"""Nine tokens of 27 in the same order are no accident, though some tokens are alike."""
TRUTHS = 2
"""In how many ways the cards are dealt that are not known."""


@dataclass(slots=True)
class MeowSight:
    """What is known of a deal."""

    rows: list[tuple[int, ...]]
    """By round; empty where nothing is known."""
    hands: list[list[int]]
    """By round and seat, the set of cards that were certainly dealt there."""
    round: int = 0
    """The round that is heard of."""

    @classmethod
    def empty(cls, seats: int) -> MeowSight:
        """Know nothing."""
        return cls([()] * ROUNDS, [[0] * seats for _ in range(ROUNDS)])

    @classmethod
    def of_seed(cls, seats: int, seed: Seed, parameters: Any) -> MeowSight:
        """Compute a whole deal."""
        sight = cls.empty(seats)
        state = GAME.start(seats, seed, parameters)
        for number in range(ROUNDS):
            if number:
                state.round = number
                state.deal()
            sight.rows[number] = state.row
            sight.hands[number] = state.hands
        return sight

    def hear(self, events: Sequence[Any]) -> None:
        """Learn from what happened in the open."""
        for event in events:
            if isinstance(event, RoundBegan):
                self.round = event.round
                self.rows[event.round] = event.row
            elif isinstance(event, CardPlayed):
                self.hands[self.round][event.seat] |= BITS[event.card]

    def look(self, view: View) -> None:
        """Learn from a view."""
        self.hands[view.round][view.seat] |= view.hand_mask

    def learn(self, other: MeowSight) -> None:
        """Take over what another table shows of the same deal."""
        for number, row in enumerate(other.rows):
            self.rows[number] = self.rows[number] or row
            for seat, cards in enumerate(other.hands[number]):
                self.hands[number][seat] |= cards

    def first_look(self, seat: int) -> Hashable:
        """Return what a seat sees of a deal before anything happens."""
        return self.rows[0]

    def evidence(self, other: MeowSight) -> float:
        """Tell how surprising so much likeness is in two deals, in nats; below 0 if they differ."""
        total = 0.0
        for mine, theirs in zip(self.rows, other.rows, strict=True):
            if mine and theirs and mine != theirs:
                return -1.0
            total += ROW_EVIDENCE if mine and theirs else 0.0
        return total


def play(view: View, legal: Sequence[int], deal: MeowSight | None) -> int:
    """Do what the greedy bot does; if hands are known, see what comes of each card in this round.

    All others are taken for greedy bots, too.
    """
    unseen = greedy.unseen_cards(view)
    known = [cards & unseen for cards in deal.hands[view.round]] if deal else []
    if not any(known):
        return _greedy(view, legal)
    truths = _truths(view, known, unseen)
    return max(legal, key=lambda card: sum(_lead_after(card, state) for state in truths))


class _Legal(NamedTuple):
    """All that the greedy bot asks of itself."""

    actions: Sequence[int]

    def legal_actions(self, view: View) -> Sequence[int]:
        return self.actions


def _greedy(view: View, legal: Sequence[int]) -> int:
    return int(greedy.GreedyMeow.choose(_Legal(legal), view))


def _truths(view: View, known: Sequence[int], unseen: int) -> list[MeowState]:
    """Deal the cards that are not known, in some ways; in one way if there are none."""
    rng = Random(0)
    others = [seat for seat in range(view.seats) if seat != view.seat]
    rest = [card for card in cards_in(unseen) if not any(BITS[card] & cards for cards in known)]
    is_all = all(known[seat].bit_count() == view.hand_sizes[seat] for seat in others)
    states = []
    for _ in range(1 if is_all else TRUTHS):
        state = GAME.world(view, rng)
        rng.shuffle(rest)
        left = iter(rest)
        for seat in others:
            missing = view.hand_sizes[seat] - known[seat].bit_count()
            state.hands[seat] = known[seat] | sum(BITS[next(left)] for _ in range(missing))
        states.append(state)
    return states


def _lead_after(card: int, state: MeowState) -> float:
    """Play a card and then the round to its end; return by how much its player leads."""
    seat, number = state.to_act, state.round
    state = state.copy()
    state.apply(card)
    while state.round == number and not state.is_over:
        action = state.only_action()
        if action is None:
            action = _greedy(GAME.view_of(state, state.to_act), state.legal_actions())
        state.apply(action)
    scores = [points(tokens, state.parameters) for tokens in state.won]
    mine = scores.pop(seat)
    return mine - (max(scores) + sum(scores) / len(scores)) / 2
